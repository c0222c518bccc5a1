//! Layers in front of every route: ids, limits, host check, headers, compression, panics.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Router};
use http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use httpkit::{ApiError, BodyPace, RequestTracing, TrustedHops};
use identity::Identity;
use kernel::{Ambient, Problem, PublicUrl};
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate as _, SizeAbove};

use crate::limits::{self, Limits};
use crate::settings::ServerSettings;
use crate::traces;

/// Maximum size of JSON bodies. Files are uploaded to the ingest address, which has a separate limit.
const BODY_LIMIT: usize = 1024 * 1024;

/// Time limit for captions, which may be larger than other bodies.
const CAPTIONS_TIME: Duration = Duration::from_mins(10);

/// Dependencies of the layers.
pub struct LayerDeps<'a> {
    /// Source of request ids.
    pub ambient: Ambient,
    /// Public URL, which the Host header must match.
    pub public: PublicUrl,
    /// Origin of uploaded files, if it differs from the public URL.
    pub media_origin: String,
    /// Verifies bearer tokens.
    pub identity: Identity,
    /// Request limits and number of proxies.
    pub settings: &'a ServerSettings,
    /// Cancelled once the server is about to stop.
    pub draining: CancellationToken,
}

/// Wraps the routes in the layers. The first layer listed runs last.
pub fn wrap(routes: Router, deps: LayerDeps<'_>) -> Router {
    let follow = RequestTracing { ambient: deps.ambient, on_span: traces::begin_request };
    let media_origin: Arc<str> = deps.media_origin.into();
    let secure = deps.public.is_secure();
    let media = PublicUrl::parse(&media_origin).filter(|media| *media != deps.public);
    let check = HostCheck { public: deps.public, media };
    routes
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CompressionLayer::new().compress_when(SizeAbove::new(860).and(json_only)))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(enforce_pace))
        .layer(middleware::from_fn_with_state(Limits::new(deps.settings), limits::limit))
        .layer(Extension(deps.identity))
        .layer(middleware::from_fn_with_state(check, check_host))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(Extension(TrustedHops(deps.settings.trusted_proxies)))
        .layer(middleware::from_fn_with_state(deps.draining, end_connections))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let (follow, media_origin) = (follow.clone(), Arc::clone(&media_origin));
            async move {
                let is_api_call = request.uri().path().starts_with("/v1/");
                let mut response = httpkit::trace_requests(follow, request, next).await;
                let media_origin = Some(&*media_origin).filter(|origin| !origin.is_empty());
                httpkit::security_headers(response.headers_mut(), media_origin, secure);
                if is_api_call {
                    forbid_caching(response.headers_mut());
                }
                response
            }
        }))
}

/// Enforces the minimum speed of bodies. Handlers of file uploads enforce a separate one.
async fn enforce_pace(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with("/v1/ingest/") || path.starts_with("/v1/uploads/tus") {
        return next.run(request).await;
    }
    let mut pace = BodyPace::default();
    if path.contains("/captions/") {
        pace.max_time = CAPTIONS_TIME;
    }
    httpkit::pace_bodies(pace, request, next).await
}

/// Ends the connection with each response once the server is about to stop, so that proxies keep none to it and
/// send no request into one that is closing.
async fn end_connections(
    State(draining): State<CancellationToken>,
    request: Request,
    next: Next,
) -> Response {
    let has_header = request.version() < Version::HTTP_2;
    let mut response = next.run(request).await;
    if has_header && draining.is_cancelled() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Forbids caching unless the handler allows it: most responses contain personal data.
fn forbid_caching(headers: &mut HeaderMap) {
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[derive(Clone)]
struct HostCheck {
    public: PublicUrl,
    /// Separate origin for uploaded files, if configured.
    media: Option<PublicUrl>,
}

impl HostCheck {
    /// Returns the origin that must serve this path. Uploaded files have a separate origin, so that nothing
    /// in them can act as a page of the portal. Public images were re-encoded by the server and are served
    /// from both.
    fn origin_of(&self, path: &str, requested: &str) -> &PublicUrl {
        match &self.media {
            Some(media) if path.starts_with("/media/") => media,
            Some(media) if path.starts_with("/images/") && is_host_of(media, requested) => media,
            _ => &self.public,
        }
    }
}

/// Returns `true` if the Host header names this origin.
fn is_host_of(origin: &PublicUrl, requested: &str) -> bool {
    requested.eq_ignore_ascii_case(origin.authority())
}

/// Returns `true` for paths that machines request under any host name: health checks, signed webhooks, and
/// the stand-ins of the card provider and of the video hosts, which the server calls at its listen address.
fn accepts_any_host(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
        || path.starts_with("/v1/webhooks/")
        || path.starts_with("/sandbox/stripe/")
        || path.starts_with("/sandbox/videos/")
}

/// Redirects pages and files requested under the wrong host name, and answers 421 for API calls. Health
/// checks and webhooks are accepted under any name.
///
/// Requests with two Host headers are rejected, because each machine on the way may pick a different one.
async fn check_host(State(check): State<HostCheck>, request: Request, next: Next) -> Response {
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        let message = "A request must have exactly one Host header.";
        return ApiError(Problem::bad_request("two_hosts", message)).into_response();
    }
    let requested = request
        .uri()
        .authority()
        .map(|authority| authority.as_str().to_owned())
        .or_else(|| request.headers().get(header::HOST)?.to_str().ok().map(str::to_owned))
        .unwrap_or_default();
    let path = request.uri().path();
    let expected = check.origin_of(path, &requested);
    if is_host_of(expected, &requested) || accepts_any_host(path) {
        return next.run(request).await;
    }
    // Never redirect away from the origin of uploaded files: it serves nothing else.
    let is_media_host = check.media.as_ref().is_some_and(|media| is_host_of(media, &requested));
    if path.starts_with("/v1/") || request.method() != http::Method::GET || is_media_host {
        let message = format!("Send this request to {}.", expected.origin());
        return ApiError(Problem::new(421, "wrong_host", message)).into_response();
    }
    let target = expected.at(request.uri().path_and_query().map_or("/", |path| path.as_str()));
    match HeaderValue::from_str(&target) {
        Ok(location) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Returns `true` for JSON. Media is never compressed, and web files are compressed at build time.
fn json_only(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// Handles a known path with an unsupported method; the router adds the Allow header.
async fn method_not_allowed() -> ApiError {
    ApiError(Problem::new(405, "method_not_allowed", "This method is not allowed here."))
}

fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    ApiError(Problem::internal()).into_response()
}
