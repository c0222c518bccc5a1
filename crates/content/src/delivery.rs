//! Serves stored bytes over HTTP: ranges, conditional requests, and headers that prevent uploaded files from
//! acting on our pages.

use std::borrow::Cow;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use headers::{HeaderMapExt as _, IfRange};
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use httpkit::{ApiError, FilePart, Permission};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use storage::{ByteRange, Key, Storage, StorageError};

use crate::Error;

/// Types that a browser may display; everything else is only offered as a download.
const INLINE_TYPES: [&str; 23] = [
    "video/mp4",
    "video/webm",
    "video/quicktime",
    "video/ogg",
    "video/x-matroska",
    "video/mp2t",
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/wav",
    "audio/ogg",
    "audio/flac",
    "audio/webm",
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/bmp",
    "application/pdf",
    // Only generated files have these types; no upload is served as one of them.
    PLAYLIST,
    CAPTIONS,
    "application/json",
];
/// Type of HLS playlists.
pub const PLAYLIST: &str = "application/vnd.apple.mpegurl";
/// Type of captions and of the list of preview images.
pub const CAPTIONS: &str = "text/vtt; charset=utf-8";

/// What is encoded in the exact file name of Content-Disposition: everything but the unreserved characters of
/// RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A stored file and how to serve it.
pub struct ServedFile<'a> {
    /// Key in the storage.
    pub key: Key,
    /// Value of Content-Type.
    pub media_type: &'a str,
    /// Changes whenever the bytes do; without quotes.
    pub etag: String,
    /// File name for downloads.
    pub file_name: Option<&'a str>,
    /// Offer it as a download regardless of its type.
    pub download: bool,
    /// Value of Cache-Control.
    pub cache: Cow<'static, str>,
    /// Whether pages of another origin may use it, such as the portal when files have a separate origin.
    pub other_origin: bool,
}

impl ServedFile<'_> {
    /// Returns whether browsers save it instead of showing it.
    pub fn is_attachment(&self) -> bool {
        self.download || !is_inline(self.media_type)
    }
}

/// Returns whether a browser may display files of this type.
pub fn is_inline(media_type: &str) -> bool {
    INLINE_TYPES.contains(&media_type)
}

/// Answers GET and HEAD. A permission, if given, is checked again while the bytes are being sent.
pub async fn serve(
    storage: &Storage,
    method: &Method,
    headers: &HeaderMap,
    served: ServedFile<'_>,
    permission: Option<Permission>,
) -> Result<Response, Error> {
    let etag = format!("\"{}\"", served.etag);
    let mut out = common(&served, &etag);
    if httpkit::is_not_modified(headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, out).into_response());
    }
    let range = requested_range(headers, &etag);
    if *method == Method::HEAD {
        let len = storage.stat(&served.key).await.map_err(missing)?;
        out.insert(CONTENT_LENGTH, len.into());
        return Ok((StatusCode::OK, out).into_response());
    }
    let object = match storage.open_object(&served.key, range).await {
        Ok(object) => object,
        Err(StorageError::OutsideObject { len }) => {
            let mut refusal = ApiError::from(Error::RangeOutside(len)).into_response();
            if let Ok(value) = HeaderValue::from_str(&format!("bytes */{len}")) {
                refusal.headers_mut().insert(CONTENT_RANGE, value);
            }
            return Ok(refusal);
        }
        Err(error) => return Err(missing(error)),
    };
    let (first, end) = (object.range.start, object.range.end);
    out.insert(CONTENT_LENGTH, (end - first).into());
    let status = if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    if range.is_some() {
        let value = format!("bytes {first}-{}/{}", end - 1, object.len);
        if let Ok(value) = HeaderValue::from_str(&value) {
            out.insert(CONTENT_RANGE, value);
        }
    }
    let body = match permission.clone() {
        Some(permission) => Body::from_stream(permission.guard(object.stream)),
        None => Body::from_stream(object.stream),
    };
    let mut answer = (status, out, body).into_response();
    if let Some(file) = object.file {
        answer.extensions_mut().insert(FilePart { file, range: object.range, permission });
    }
    Ok(answer)
}

fn missing(error: StorageError) -> Error {
    match error {
        StorageError::Missing => Error::NotFound,
        other => Error::Storage(other),
    }
}

/// Returns the requested range, or `None` for the whole file. A failed If-Range also means the whole file.
fn requested_range(headers: &HeaderMap, etag: &str) -> Option<ByteRange> {
    let same = match headers.typed_try_get::<IfRange>() {
        Ok(None) => true,
        Ok(Some(condition)) => etag.parse().is_ok_and(|etag| !condition.is_modified(Some(&etag), None)),
        // A condition that cannot be read is not met.
        Err(_) => false,
    };
    let range = headers.get(RANGE).filter(|_| same)?;
    ByteRange::parse(range.to_str().ok()?)
}

fn common(served: &ServedFile<'_>, etag: &str) -> HeaderMap {
    let kind = if served.is_attachment() { "attachment" } else { "inline" };
    let disposition = disposition(kind, served.file_name);
    let resource_policy = if served.other_origin { "cross-origin" } else { "same-origin" };
    let mut out = HeaderMap::new();
    let pairs = [
        (CONTENT_TYPE, served.media_type),
        (ETAG, etag),
        (ACCEPT_RANGES, "bytes"),
        (CACHE_CONTROL, &served.cache),
        (CONTENT_DISPOSITION, &disposition),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox; frame-ancestors 'self'"),
        (HeaderName::from_static("cross-origin-resource-policy"), resource_policy),
    ];
    for (name, value) in pairs {
        if let Ok(value) = HeaderValue::from_str(value) {
            out.insert(name, value);
        }
    }
    if served.other_origin {
        // The address is the only credential and cookies are ignored, so any page that has it may read.
        out.insert(http::header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    out
}

/// Formats Content-Disposition as in RFC 6266: an ASCII name for old clients and the exact name in UTF-8.
fn disposition(kind: &str, name: Option<&str>) -> String {
    let Some(name) = name else { return kind.to_owned() };
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || " ._-()".contains(c) { c } else { '_' })
        .collect();
    let exact = utf8_percent_encode(name, ENCODED);
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

#[cfg(test)]
mod tests {
    use http::header::IF_RANGE;

    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn names_cannot_break_out_of_their_header() {
        assert_eq!(disposition("inline", None), "inline");
        assert_eq!(
            disposition("attachment", Some("a\"; x=\r\nb ü.mp4")),
            "attachment; filename=\"a__ x___b _.mp4\"; filename*=UTF-8''a%22%3B%20x%3D%0D%0Ab%20%C3%BC.mp4"
        );
    }

    #[test]
    fn conditions_are_read_as_the_standard_says() {
        let range = (RANGE, "bytes=0-1");
        assert!(requested_range(&headers(std::slice::from_ref(&range)), "\"a\"").is_some());
        assert!(requested_range(&headers(&[range.clone(), (IF_RANGE, "\"a\"")]), "\"a\"").is_some());
        assert!(requested_range(&headers(&[range, (IF_RANGE, "\"old\"")]), "\"a\"").is_none());
    }

    #[test]
    fn a_condition_that_cannot_be_read_is_not_met() {
        for odd in ["a", "\"a b\"", "\"a", "W/\"a\"", ""] {
            let range = [(RANGE, "bytes=0-1"), (IF_RANGE, odd)];
            assert!(requested_range(&headers(&range), "\"a\"").is_none(), "{odd}");
        }
    }
}
