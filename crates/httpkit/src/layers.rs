//! Middleware for every route: request ids, request log, metrics, security headers.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use kernel::Ambient;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

/// Id of the request, as it appears in the log and in the `x-request-id` header.
#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// How requests are followed.
#[derive(Clone)]
pub struct RequestTracing {
    /// Generates the ids.
    pub ambient: Ambient,
    /// Called with the span of a request, its method, route and headers, before anything runs in the span.
    pub on_span: fn(&Span, &'static str, &str, &HeaderMap),
}

/// Assigns an id to the request, logs it once it is answered, and counts it.
pub async fn trace_requests(follow: RequestTracing, mut request: Request, next: Next) -> Response {
    let id: Arc<str> = hex::encode(follow.ambient.bytes::<8>()).into();
    request.extensions_mut().insert(RequestId(Arc::clone(&id)));
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let method = request.method().clone();
    let span = tracing::info_span!(
        "request",
        id = %id,
        method = method_label(&method),
        %route,
        otel.name = Empty,
        otel.kind = Empty,
        http.response.status_code = Empty,
    );
    (follow.on_span)(&span, method_label(&method), &route, request.headers());
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let elapsed = started.elapsed();
    let status = response.status().as_u16();
    span.record("http.response.status_code", status);
    span.in_scope(|| tracing::debug!(status, ms = elapsed.as_secs_f64() * 1e3, "answered"));
    let labels =
        [("route", route), ("method", method_label(&method).to_owned()), ("status", status.to_string())];
    metrics::counter!("vitrine_http_requests_total", &labels).increment(1);
    // Without the status: each series of a histogram counts for all of its buckets.
    metrics::histogram!("vitrine_http_request_seconds", &labels[..2]).record(elapsed.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// Returns the method as a metrics label. Unknown methods share one label: clients can invent any number of
/// them, and labels are kept until the process exits.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        "CONNECT" => "CONNECT",
        "TRACE" => "TRACE",
        _ => "other",
    }
}

/// Adds security headers to a response, except those that the handler has set.
///
/// `media_origin` is a second origin for uploaded files, if there is one; `secure` is whether clients connect
/// over HTTPS.
pub fn security_headers(headers: &mut HeaderMap, media_origin: Option<&str>, secure: bool) {
    let has_own_policy = headers.contains_key(header::CONTENT_SECURITY_POLICY);
    let part = page_part(headers);
    let mut set = |name: HeaderName, value: &str| {
        if !headers.contains_key(&name)
            && let Ok(value) = HeaderValue::from_str(value)
        {
            headers.insert(name, value);
        }
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    if secure {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    let media = media_origin.map(|origin| format!(" {origin}")).unwrap_or_default();
    match part {
        Some(PagePart::Script) => {
            let policy = format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'{media}; \
                 frame-ancestors 'none'"
            );
            set(header::CONTENT_SECURITY_POLICY, &policy);
            return;
        }
        Some(PagePart::StyleOrFont) => return,
        None => {}
    }
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:{media}; media-src 'self' blob:{media}; font-src 'self'; \
         connect-src 'self'{media}; worker-src 'self'; manifest-src 'self'; \
         frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com; object-src 'none'; \
         base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    );
    set(header::CONTENT_SECURITY_POLICY, &policy);
    set(header::REFERRER_POLICY, "strict-origin-when-cross-origin");
    if !has_own_policy {
        set(header::X_FRAME_OPTIONS, "DENY");
    }
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin-allow-popups");
    set(
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    );
}

/// A response that is a part of a page. Headers about pages have no effect on it, and a first visit loads up to 20.
enum PagePart {
    /// As a worker, it is subject to the policy that it is sent with.
    Script,
    StyleOrFont,
}

/// Returns which part of a page the response is, or `None` if a browser may show it as a page.
fn page_part(headers: &HeaderMap) -> Option<PagePart> {
    let media_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    match media_type.split(';').next()? {
        "text/javascript" => Some(PagePart::Script),
        "text/css" | "font/woff2" => Some(PagePart::StyleOrFont),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_methods_share_one_label() {
        let label = |word: &str| Method::from_bytes(word.as_bytes()).map(|method| method_label(&method));
        assert_eq!(label("BREW").unwrap(), "other");
        assert_eq!(label("get").unwrap(), "other");
        for word in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"] {
            assert_eq!(label(word).unwrap(), word);
        }
    }
}
