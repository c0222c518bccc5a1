//! Resumable uploads: tus 1.0.0 with creation, creation-with-upload, termination, checksum and expiration.
//!
//! The ingest address authorises the creation, and the unguessable address of the resumable upload everything
//! after it. Bytes are acknowledged once they and the state of their hashes are safe, so nothing is hashed
//! twice. The last request completes the upload as a PUT would. A sender that asks for the offset has given
//! up on its earlier request, which saves what it received and stops.

mod actions;
mod append;
mod append_session;
mod begin;
mod checksum;
mod end;
mod metadata;
mod method_override;
mod options;
mod read;

use std::time::{Duration, UNIX_EPOCH};

use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use httpkit::ApiError;
use kernel::{ResumableId, Timestamp};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use metadata::Metadata;

use crate::model::UploadStatus;
use crate::store::resumable::Resumable;
use crate::store::upload::Upload;
use crate::tus_error::TusError;
use crate::{Content, Error, store};

/// Signing purpose of the addresses of resumable uploads.
const PURPOSE: &str = "tus";
const VERSION: &str = "1.0.0";

const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");

/// Content-Type of a chunk.
const CHUNK_TYPE: &str = "application/offset+octet-stream";

pub fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .routes(routes!(options::options_resumable, begin::begin_resumable))
        .routes(routes!(
            read::read_resumable,
            append::append_resumable,
            end::end_resumable,
            method_override::override_resumable
        ))
        .layer(middleware::from_fn(check_version))
}

/// Refuses other protocol versions, and names ours in every response.
async fn check_version(request: Request, next: Next) -> Response {
    let ours = request.headers().get(TUS_RESUMABLE).is_some_and(|version| version == VERSION);
    let mut response = if ours || request.method() == Method::OPTIONS {
        next.run(request).await
    } else {
        let mut refused = ApiError::from(Error::from(TusError::Version)).into_response();
        refused.headers_mut().insert(TUS_VERSION, HeaderValue::from_static(VERSION));
        refused
    };
    response.headers_mut().insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// A resumable upload that was found by its address.
struct ResumableUpload {
    resumable: Resumable,
    upload: Upload,
}

/// Returns the signed address of a resumable upload.
fn resumable_address(content: &Content, uid: ResumableId) -> String {
    content.public.at(&format!("/v1/uploads/tus/{}", content.signer.sign(PURPOSE, uid.as_bytes())))
}

/// Returns the resumable upload of a signed address.
async fn find_resumable(content: &Content, id: &str) -> Result<ResumableUpload, Error> {
    let uid = content.signer.verify(PURPOSE, id).and_then(|bytes| ResumableId::from_slice(&bytes).ok());
    let uid = uid.ok_or(Error::NoUpload)?;
    let resumable = store::resumable::by_uid(content.db.read(), uid).await?.ok_or(Error::NoUpload)?;
    let upload = store::upload::by_uid(content.db.read(), resumable.upload).await?.ok_or(Error::NoUpload)?;
    if upload.status == UploadStatus::Rejected || content.ambient.now() >= resumable.expires_at {
        return Err(TusError::Gone.into());
    }
    Ok(ResumableUpload { resumable, upload })
}

/// Parses a required header as a number.
fn parse_number(headers: &HeaderMap, name: &HeaderName) -> Result<u64, Error> {
    let text = headers.get(name).and_then(|value| value.to_str().ok());
    // Digits only, because other parsers read signs and spaces differently.
    let digits = text.filter(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    digits.and_then(|text| text.parse().ok()).ok_or_else(|| TusError::Header(name.clone()).into())
}

fn header_value(bytes: u64) -> HeaderValue {
    HeaderValue::from(bytes)
}

/// Formats a time after 1970 as an HTTP date.
fn http_date(at: Timestamp) -> Option<HeaderValue> {
    let since_epoch = Duration::from_millis(u64::try_from(at.ms()).ok()?);
    HeaderValue::from_str(&httpdate::fmt_http_date(UNIX_EPOCH + since_epoch)).ok()
}

/// Sets the headers for offset and expiry.
fn set_offset_headers(headers: &mut HeaderMap, offset: u64, expires_at: Timestamp) {
    headers.insert(UPLOAD_OFFSET, header_value(offset));
    if let Some(date) = http_date(expires_at) {
        headers.insert(UPLOAD_EXPIRES, date);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_as_http_dates() {
        // The example in RFC 9110, section 5.6.7.
        assert_eq!(http_date(Timestamp::from_ms(784_111_777_999)).unwrap(), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn numbers_are_digits_and_nothing_else() {
        let read = |text: &'static str| {
            let headers = HeaderMap::from_iter([(UPLOAD_OFFSET, HeaderValue::from_static(text))]);
            parse_number(&headers, &UPLOAD_OFFSET).ok()
        };
        assert_eq!((read("0"), read("18446744073709551615")), (Some(0), Some(u64::MAX)));
        for bad in ["", "-1", "+1", " 1", "1 ", "1,2", "0x1", "18446744073709551616"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert!(parse_number(&HeaderMap::new(), &UPLOAD_OFFSET).is_err());
    }
}
