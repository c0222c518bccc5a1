//! The two embedded web apps. A debug build reads them from their output folders, so that rebuilding an app
//! does not require rebuilding the server; if they are missing, a page says what to do.

use axum::body::Body;
use axum::response::{Html, IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use httpkit::ApiError;
use kernel::Problem;
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/portal/dist"]
#[allow_missing = true]
struct Portal;

#[derive(RustEmbed)]
#[folder = "../../web/viewer/dist"]
#[allow_missing = true]
struct Viewer;

/// Paths that are never a page of an app.
const NON_PAGE_PREFIXES: [&str; 6] =
    ["/v1/", "/media/", "/images/", "/sandbox/", "/.well-known/", "/openapi.json"];

/// Serves files and pages of the apps; everything else gets a problem.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if NON_PAGE_PREFIXES.iter().any(|prefix| path.starts_with(prefix)) || path == "/v1" {
        return ApiError(Problem::new(404, "unknown_route", "Unknown route")).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError(Problem::new(405, "method_not_allowed", "This method is not allowed here."))
            .into_response();
    }
    match path.strip_prefix("/app") {
        Some("") => redirect("/app/"),
        Some(inner) if inner.starts_with('/') => app::<Viewer>(inner.trim_start_matches('/'), &headers),
        _ => app::<Portal>(path.trim_start_matches('/'), &headers),
    }
}

fn redirect(to: &'static str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response()
}

/// Returns a file of the app, or its index page for every other path.
fn app<A: RustEmbed>(path: &str, headers: &HeaderMap) -> Response {
    if !path.is_empty()
        && let Some(response) = file::<A>(path, headers)
    {
        return response;
    }
    // Never answer a missing asset with a page: an old tab would run HTML as a script.
    let last = path.rsplit('/').next().unwrap_or_default();
    if path.starts_with("assets/") || last.ends_with(".js") || last.ends_with(".css") {
        return ApiError(Problem::new(404, "not_found", "Not found")).into_response();
    }
    file::<A>("index.html", headers).unwrap_or_else(not_built)
}

/// Returns one file, compressed if the client accepts it and the build contains a compressed variant.
fn file<A: RustEmbed>(path: &str, headers: &HeaderMap) -> Option<Response> {
    let plain = A::get(path)?;
    let (served, encoding) = variant::<A>(path, headers).unwrap_or((plain.clone(), ""));
    let hash: String = served.metadata.sha256_hash()[..16].iter().map(|b| format!("{b:02x}")).collect();
    let etag = format!("\"{hash}\"");
    let is_unchanged =
        headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == etag.as_bytes());
    let mut response = if is_unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(served.data))
    };
    let response_headers = response.headers_mut();
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response_headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    for (name, value) in [
        (header::ETAG, etag.as_str()),
        (header::CONTENT_TYPE, plain.metadata.mimetype()),
        (header::CONTENT_ENCODING, encoding),
    ] {
        if let Some(value) = Some(value).filter(|v| !v.is_empty()).and_then(|v| HeaderValue::from_str(v).ok())
        {
            response_headers.insert(name, value);
        }
    }
    Some(response)
}

fn variant<A: RustEmbed>(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, &'static str)> {
    let accepted = headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let accepts = |name: &str| {
        accepted
            .split(',')
            .any(|part| part.trim().split(';').next().is_some_and(|token| token.trim() == name))
    };
    [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(encoding))
        .find_map(|(encoding, ending)| Some((A::get(&format!("{path}.{ending}"))?, encoding)))
}

fn not_built() -> Response {
    let page = "<!doctype html><meta charset=utf-8><title>Vitrine</title><p>The web apps are not built yet. Run \
                <code>make web</code> and reload.</p>";
    (StatusCode::SERVICE_UNAVAILABLE, Html(page)).into_response()
}
