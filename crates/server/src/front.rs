//! What stands in front of every route: ids, limits, the right host, headers, compression, panics.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Router};
use http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use httpkit::{BodyPace, Refusal, RequestIds, TrustedHops};
use identity::Identity;
use kernel::{Ambient, Problem, PublicUrl};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate as _, SizeAbove};

use crate::limits::{self, Limits};
use crate::settings::ServerSettings;

/// Bodies of JSON calls; files go to the ingest address, which sets its own limit.
const BODY_LIMIT: usize = 1024 * 1024;

/// Captions, which may be longer than other bodies, have this long to arrive.
const CAPTIONS_TIME: Duration = Duration::from_secs(600);

/// What the layers need.
pub struct Front<'a> {
    /// Chance for request ids.
    pub ambient: Ambient,
    /// The address that must stand in the Host header.
    pub public: PublicUrl,
    /// Origin of people's files, if it is another one.
    pub media_origin: String,
    /// Who.
    pub identity: Identity,
    /// Limits and proxies.
    pub settings: &'a ServerSettings,
}

/// Puts the layers around the routes; the first one listed runs last.
pub fn around(routes: Router, front: Front<'_>) -> Router {
    let ids = RequestIds(front.ambient);
    let media_origin: Arc<str> = front.media_origin.into();
    let secure = front.public.is_secure();
    let media = PublicUrl::parse(&media_origin).filter(|media| *media != front.public);
    let host = Host { public: front.public, media };
    routes
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new().compress_when(SizeAbove::new(860).and(json_only)))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(paced))
        .layer(middleware::from_fn_with_state(Limits::new(front.settings), limits::limit))
        .layer(Extension(front.identity))
        .layer(middleware::from_fn_with_state(host, right_host))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(Extension(TrustedHops(front.settings.trusted_proxies)))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let (ids, media_origin) = (ids.clone(), Arc::clone(&media_origin));
            async move {
                let is_call = request.uri().path().starts_with("/v1/");
                let mut response = httpkit::trace_requests(ids, request, next).await;
                httpkit::security_headers(response.headers_mut(), &media_origin, secure);
                if is_call {
                    keep_out_of_caches(response.headers_mut());
                }
                response
            }
        }))
}

/// Holds a body to its pace. Uploads of files have a rate of their own, which their handlers see to.
async fn paced(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path.starts_with("/v1/ingest/") || path.starts_with("/v1/uploads/tus") {
        return next.run(request).await;
    }
    let mut pace = BodyPace::default();
    if path.contains("/captions/") {
        pace.whole = CAPTIONS_TIME;
    }
    httpkit::pace_bodies(pace, request, next).await
}

/// Forbids browsers and proxies to keep an answer, unless its handler says otherwise: most hold personal data.
fn keep_out_of_caches(headers: &mut HeaderMap) {
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[derive(Clone)]
struct Host {
    public: PublicUrl,
    /// The second origin, if people's files have one.
    media: Option<PublicUrl>,
}

impl Host {
    /// The origin that must have been asked for this path. People's files come from their own, so that nothing
    /// in them can act as a page of ours; public pictures were drawn anew and come from both.
    fn of(&self, path: &str, asked: &str) -> &PublicUrl {
        match &self.media {
            Some(media) if path.starts_with("/media/") => media,
            Some(media) if path.starts_with("/images/") && is(media, asked) => media,
            _ => &self.public,
        }
    }
}

/// Whether the Host header names this origin.
fn is(origin: &PublicUrl, asked: &str) -> bool {
    asked.eq_ignore_ascii_case(origin.authority())
}

/// Paths that machines come to by any name: health checks, signed webhooks, and the stand-in for the card provider,
/// which the server calls at the address it listens on.
fn is_machines(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
        || path.starts_with("/v1/webhooks/")
        || path.starts_with("/sandbox/stripe/")
}

/// A path of another host than the one asked is sent there (pages, files) or refused (calls): R-48. Health
/// checks of machines may come by any name.
///
/// A request that names two hosts means another one to each machine on its way.
async fn right_host(State(host): State<Host>, request: Request, next: Next) -> Response {
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        let message = "A request must have one Host header.";
        return Refusal(Problem::bad_request("two_hosts", message)).into_response();
    }
    let asked = request
        .uri()
        .authority()
        .map(|authority| authority.as_str().to_owned())
        .or_else(|| request.headers().get(header::HOST)?.to_str().ok().map(str::to_owned))
        .unwrap_or_default();
    let path = request.uri().path();
    let right = host.of(path, &asked);
    if is(right, &asked) || is_machines(path) {
        return next.run(request).await;
    }
    // No page may be led out of the origin of people's files: it holds nothing else.
    let among_files = host.media.as_ref().is_some_and(|media| is(media, &asked));
    if path.starts_with("/v1/") || request.method() != http::Method::GET || among_files {
        let message = format!("This is reached at {}.", right.origin());
        return Refusal(Problem::new(421, "wrong_host", message)).into_response();
    }
    let target = right.at(request.uri().path_and_query().map_or("/", |path| path.as_str()));
    match HeaderValue::from_str(&target) {
        Ok(location) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Only JSON is compressed here: media never, web files when they are built.
fn json_only(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// A known path by a method it does not have; the router adds the Allow header.
async fn wrong_method() -> Refusal {
    Refusal(Problem::new(405, "method_not_allowed", "This method is not allowed here."))
}

fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Refusal(Problem::internal()).into_response()
}
