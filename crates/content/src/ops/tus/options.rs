//! `OPTIONS /uploads/tus`: what this server supports.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode};

use super::{TUS_VERSION, VERSION, checksum, header_value};
use crate::Content;

const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
const TUS_CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
const EXTENSIONS: &str = "creation,creation-with-upload,termination,checksum,expiration";

/// Get tus options
///
/// Returns the supported version and extensions of tus, the maximum file size and the checksum algorithms.
#[utoipa::path(options, path = "/uploads/tus", tag = "content", responses(
    (status = 204, description = "Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm"),
))]
pub async fn options_resumable(State(content): State<Content>) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(TUS_VERSION, HeaderValue::from_static(VERSION));
    headers.insert(TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS));
    headers.insert(TUS_MAX_SIZE, header_value(content.settings.file_max_bytes));
    headers.insert(TUS_CHECKSUM_ALGORITHM, HeaderValue::from_static(checksum::ALGORITHMS));
    response
}
