//! The two embedded web apps. A debug build reads them from their output folders, so that rebuilding an app
//! does not require rebuilding the server; if they are missing, a page says what to do.

use std::borrow::Cow;
use std::io::Read as _;

use axum::body::Body;
use axum::response::{Html, IntoResponse as _, Response};
use brotli_decompressor::Decompressor;
use flate2::Compression;
use flate2::read::GzEncoder;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use httpkit::ApiError;
use kernel::Problem;
use rust_embed::{EmbeddedFile, Metadata, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/portal/dist"]
#[exclude = ".vite/*"]
#[allow_missing = true]
struct Portal;

#[derive(RustEmbed)]
#[folder = "../../web/viewer/dist"]
#[exclude = ".vite/*"]
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
    if path == TYPEFACE {
        return typeface(&headers);
    }
    match path.strip_prefix("/app") {
        Some("") => redirect("/app/"),
        Some(inner) if inner.starts_with('/') => app::<Viewer>(inner.trim_start_matches('/'), &headers),
        _ => app::<Portal>(path.trim_start_matches('/'), &headers),
    }
}

/// Address of the product's typeface for pages that the server renders. It does not change with the build.
const TYPEFACE: &str = "/fonts/inter.woff2";

/// Returns the Latin part of the typeface from the build of the portal.
fn typeface(headers: &HeaderMap) -> Response {
    let is_latin =
        |name: &str| name.starts_with("assets/inter-latin-wght-normal-") && name.ends_with(".woff2");
    let found = Portal::iter().find(|name| is_latin(name)).and_then(|name| file::<Portal>(&name, headers));
    let Some(mut response) = found else {
        return ApiError(Problem::new(404, "not_found", "Not found")).into_response();
    };
    let cache = HeaderValue::from_static("public, max-age=86400");
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
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

/// Returns one file, compressed if the client accepts it.
fn file<A: RustEmbed>(path: &str, headers: &HeaderMap) -> Option<Response> {
    let representation = representation::<A>(path, headers)?;
    let Representation { etag, encoding, .. } = &representation;
    let mut response = if httpkit::is_not_modified(headers, etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(representation.bytes()?))
    };
    let response_headers = response.headers_mut();
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response_headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let media_type = mime_guess::from_path(path).first_or_octet_stream();
    for (name, value) in [
        (header::ETAG, Some(etag.as_str())),
        (header::CONTENT_TYPE, Some(media_type.as_ref())),
        (header::CONTENT_ENCODING, *encoding),
    ] {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            response_headers.insert(name, value);
        }
    }
    Some(response)
}

/// Bytes read at a time from a compressed file.
const BUFFER: usize = 64 * 1024;

/// A file as one client gets it.
struct Representation {
    data: Cow<'static, [u8]>,
    /// Whether the data is Brotli, which this client does not accept.
    decompress: bool,
    etag: String,
    /// `None` if what is sent is not compressed.
    encoding: Option<&'static str>,
}

impl Representation {
    /// Returns the bytes to send.
    fn bytes(&self) -> Option<Cow<'static, [u8]>> {
        if !self.decompress {
            return Some(self.data.clone());
        }
        let mut plain = Decompressor::new(self.data.as_ref(), BUFFER);
        let mut bytes = Vec::new();
        if self.encoding == Some("gzip") {
            GzEncoder::new(plain, Compression::fast()).read_to_end(&mut bytes).ok()?;
        } else {
            plain.read_to_end(&mut bytes).ok()?;
        }
        Some(bytes.into())
    }
}

/// Returns the file in the best encoding of the client. Large files are in the build as Brotli only; for the few
/// clients that do not accept it they are decompressed, and compressed as gzip if the client accepts that.
fn representation<A: RustEmbed>(path: &str, headers: &HeaderMap) -> Option<Representation> {
    if let Some(EmbeddedFile { data, metadata }) = A::get(path) {
        let etag = format!("\"{}\"", short_hash(&metadata));
        return Some(Representation { data, decompress: false, etag, encoding: None });
    }
    let EmbeddedFile { data, metadata } = A::get(&format!("{path}.br"))?;
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let encoding = ["br", "gzip"].into_iter().find(|encoding| accepts(accepted, encoding));
    let etag = format!("\"{}-{}\"", short_hash(&metadata), encoding.unwrap_or("plain"));
    Some(Representation { data, decompress: encoding != Some("br"), etag, encoding })
}

fn short_hash(metadata: &Metadata) -> String {
    hex::encode(&metadata.sha256_hash()[..16])
}

/// Whether an Accept-Encoding header allows an encoding. A weight of zero forbids it.
fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
        name.trim() == encoding && weight != Some(Ok(0.0))
    })
}

fn not_built() -> Response {
    let page = "<!doctype html><meta charset=utf-8><title>Vitrine</title><p>The web apps are not built yet. Run \
                <code>make web</code> and reload.</p>";
    (StatusCode::SERVICE_UNAVAILABLE, Html(page)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A build with one large text file and one small one.
    struct Built;

    const TEXT: &[u8] = b"export const answer = 42;";
    /// The same text as Node's `brotliCompressSync` writes it.
    const BROTLI: &[u8] = b"\x0b\x0c\x80export const answer = 42;\x03";

    impl RustEmbed for Built {
        fn get(path: &str) -> Option<EmbeddedFile> {
            let data: Vec<u8> = match path {
                "small.js" => TEXT.to_vec(),
                "large.js.br" => BROTLI.to_vec(),
                _ => return None,
            };
            let metadata = Metadata::__rust_embed_new(
                data.len().to_le_bytes().repeat(4).try_into().unwrap(),
                None,
                None,
            );
            Some(EmbeddedFile { data: data.into(), metadata })
        }

        fn iter() -> impl Iterator<Item = Cow<'static, str>> + 'static {
            std::iter::empty()
        }
    }

    fn asked(path: &str, accepted: &str) -> Option<(Option<&'static str>, Vec<u8>)> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accepted.parse().unwrap());
        representation::<Built>(path, &headers)
            .map(|found| (found.encoding, found.bytes().unwrap().into_owned()))
    }

    #[test]
    fn a_large_file_is_sent_in_the_best_encoding_of_the_client() {
        assert_eq!(asked("large.js", "gzip, deflate, br;q=1.0").unwrap().0, Some("br"));
        assert_eq!(asked("large.js", "br;q=0, gzip").unwrap().0, Some("gzip"));
        let (encoding, bytes) = asked("large.js", "gzip").unwrap();
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).unwrap();
        assert_eq!((encoding, text.as_slice()), (Some("gzip"), TEXT));
        for accepted in ["", "identity", "gzip;q=0, br; q=0", "deflate, zstd"] {
            assert_eq!(asked("large.js", accepted), Some((None, TEXT.to_vec())), "{accepted}");
        }
    }

    #[test]
    fn a_small_file_is_sent_as_it_is() {
        assert_eq!(asked("small.js", "br, gzip"), Some((None, TEXT.to_vec())));
        assert_eq!(asked("missing.js", "br, gzip"), None);
    }

    #[test]
    fn each_representation_has_its_own_tag_and_the_type_of_the_file() {
        let tags = ["br", "gzip", "identity"].map(|accepted| {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            let response = file::<Built>("large.js", &headers).unwrap();
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/javascript");
            response.headers()[header::ETAG].clone()
        });
        assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2], "{tags:?}");
    }
}
