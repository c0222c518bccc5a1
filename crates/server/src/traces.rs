//! Traces of requests and jobs for a collector of OpenTelemetry, in programs that were built with the feature `otlp`. Without
//! it, an endpoint is refused and nothing is recorded.

#[cfg(feature = "otlp")]
mod otlp;

#[cfg(feature = "otlp")]
pub(crate) use otlp::{begin_request, connect, flush, layer};

/// Returns what is wrong with the settings of traces, as a sentence.
pub(crate) fn check(endpoint: &str, percent: f64) -> Result<(), String> {
    if endpoint.is_empty() {
        return Ok(());
    }
    if cfg!(not(feature = "otlp")) {
        return Err("VITRINE_OTLP_ENDPOINT needs a program that was built with traces: \
                    cargo build --release --package server --features otlp."
            .to_owned());
    }
    let is_url = endpoint.parse::<http::Uri>().is_ok_and(|url| {
        matches!(url.scheme_str(), Some("http" | "https")) && url.host().is_some_and(|host| !host.is_empty())
    });
    if !is_url {
        return Err("VITRINE_OTLP_ENDPOINT must be a URL, such as http://127.0.0.1:4318.".to_owned());
    }
    if !(percent > 0.0 && percent <= 100.0) {
        return Err("VITRINE_OTLP_PERCENT must be more than 0 and at most 100.".to_owned());
    }
    Ok(())
}

#[cfg(not(feature = "otlp"))]
mod without {
    use http::HeaderMap;
    use jobs::Jobs;
    use tracing::Span;

    /// Does nothing with the span of a request.
    pub(crate) fn begin_request(_: &Span, _: &'static str, _: &str, _: &HeaderMap) {}

    /// Returns the queue as it is.
    pub(crate) fn connect(jobs: Jobs) -> Jobs {
        jobs
    }

    /// Has nothing to send.
    pub(crate) fn flush() {}
}

#[cfg(not(feature = "otlp"))]
pub(crate) use without::{begin_request, connect, flush};

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn an_endpoint_needs_the_feature_and_is_a_url() {
        assert_eq!(check("", 1.0), Ok(()));
        if cfg!(not(feature = "otlp")) {
            assert!(check("http://127.0.0.1:4318", 1.0).unwrap_err().contains("--features otlp"));
            return;
        }
        assert_eq!(check("http://127.0.0.1:4318", 100.0), Ok(()));
        for (endpoint, percent) in
            [("127.0.0.1:4318", 1.0), ("ftp://a", 1.0), ("http://a", 0.0), ("http://a", 101.0)]
        {
            assert!(check(endpoint, percent).is_err(), "{endpoint} {percent}");
        }
    }
}
