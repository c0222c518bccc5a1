//! `POST /uploads/tus/{id}` with `X-HTTP-Method-Override`: for clients whose network blocks other methods.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use httpkit::{ApiResult, Path};
use kernel::Problem;

use super::actions;
use crate::tus_error::TusError;
use crate::{Content, Error};

/// Override the request method
///
/// Does what HEAD, PATCH or DELETE would do, as named in X-HTTP-Method-Override.
#[utoipa::path(post, path = "/uploads/tus/{id}", tag = "content",
    params(("id" = String, Path), ("X-HTTP-Method-Override" = String, Header)),
    request_body(content = String, content_type = "application/offset+octet-stream", description = "As for the method named."),
    responses(
    (status = 200, description = "As for HEAD"), (status = 204, description = "As for PATCH and DELETE"),
    (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 410, body = Problem), (status = 412, body = Problem),
))]
pub async fn override_resumable(
    State(content): State<Content>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let method = headers.get("x-http-method-override").and_then(|value| value.to_str().ok());
    Ok(match method {
        Some("HEAD") => actions::read_offset(&content, &id).await?,
        Some("PATCH") => actions::append_chunk(&content, &id, &headers, body).await?,
        Some("DELETE") => actions::cancel(&content, &id).await?,
        _ => return Err(Error::from(TusError::Method).into()),
    })
}
