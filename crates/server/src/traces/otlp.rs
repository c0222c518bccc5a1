//! Traces sent by OTLP over HTTP.

use std::sync::{Arc, OnceLock};

use http::HeaderMap;
use jobs::{Jobs, Traces};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{SpanContext, TraceContextExt as _, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::{FilterExt as _, FilterFn, LevelFilter};
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use crate::cli::BoxError;
use crate::observe::OWN_TARGETS;
use crate::public;
use crate::settings::ServerSettings;

/// Name of the service in the traces.
const SERVICE: &str = "vitrine";
/// Path of an endpoint that takes traces.
const PATH: &str = "/v1/traces";

/// What sends the traces, once it is started.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();
/// Whether a proxy answers for the `traceparent` of requests.
static HAS_PROXY: OnceLock<bool> = OnceLock::new();

/// Begins to collect traces, and returns the layer that does; `None` without an endpoint. Call this outside of the runtime: traces
/// are sent by a thread.
///
/// # Errors
/// Fails if the endpoint cannot be used.
pub(crate) fn layer<S>(settings: &ServerSettings) -> Result<Option<Box<dyn Layer<S> + Send + Sync>>, BoxError>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    if settings.otlp_endpoint.is_empty() {
        return Ok(None);
    }
    let _ = HAS_PROXY.set(settings.trusted_proxies > 0);
    let url = format!("{}{PATH}", settings.otlp_endpoint.trim_end_matches('/').trim_end_matches(PATH));
    let exporter = SpanExporter::builder().with_http().with_endpoint(url).build()?;
    let resource = Resource::builder()
        .with_service_name(SERVICE)
        .with_attribute(KeyValue::new("service.version", public::VERSION))
        .build();
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_sampler(Sampler::TraceIdRatioBased(settings.otlp_percent / 100.0))
        .with_resource(resource)
        .build();
    let tracer = PROVIDER.get_or_init(|| provider).tracer(SERVICE);
    let layer = tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
    Ok(Some(Box::new(layer.with_filter(FilterFn::new(is_own_span).and(LevelFilter::DEBUG)))))
}

/// Returns whether this is a span of Vitrine. Lines of the log, and what libraries do, are left out.
fn is_own_span(metadata: &Metadata<'_>) -> bool {
    let crate_name = metadata.target().split("::").next().unwrap_or_default();
    metadata.is_span() && OWN_TARGETS.contains(&crate_name)
}

/// Sends what has been collected. Called before the process ends.
pub(crate) fn flush() {
    if let Some(Err(error)) = PROVIDER.get().map(SdkTracerProvider::shutdown) {
        tracing::warn!(%error, "the last traces could not be sent");
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// Names the span of a request, and continues the trace of its `traceparent` if a proxy answers for it. Whether it is recorded
/// depends on the number of the trace, so clients must not choose it: theirs are linked.
pub(crate) fn begin_request(span: &Span, method: &'static str, route: &str, headers: &HeaderMap) {
    if PROVIDER.get().is_none() {
        return;
    }
    span.record("otel.name", format!("{method} {route}"));
    span.record("otel.kind", "server");
    let Some(parent) = parent_of(&Headers(headers)) else { return };
    if HAS_PROXY.get() != Some(&true) {
        span.add_link(parent);
    } else if let Err(error) = span.set_parent(Context::new().with_remote_span_context(parent)) {
        tracing::debug!(?error, "a trace could not be continued");
    }
}

/// Returns the span that a `traceparent` names.
fn parent_of(from: &dyn Extractor) -> Option<SpanContext> {
    let context = TraceContextPropagator::new().extract_with_context(&Context::new(), from);
    Some(context.span().span_context().clone()).filter(SpanContext::is_valid)
}

/// Returns the queue, connected with the traces of what enqueues its jobs.
pub(crate) fn connect(jobs: Jobs) -> Jobs {
    if PROVIDER.get().is_none() { jobs } else { jobs.with_traces(Arc::new(OpenTelemetry)) }
}

struct OpenTelemetry;

impl Traces for OpenTelemetry {
    fn current(&self) -> Option<String> {
        let context = Span::current().context();
        let span = context.span();
        let span = span.span_context();
        (span.is_valid() && span.is_sampled())
            .then(|| format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8()))
    }

    fn link(&self, job: &Span, enqueued_by: &str) {
        let headers = HeaderMap::from_iter(
            http::HeaderValue::from_str(enqueued_by)
                .map(|value| (http::HeaderName::from_static("traceparent"), value)),
        );
        if let Some(parent) = parent_of(&Headers(&headers)) {
            job.add_link(parent);
        }
    }
}
