//! `POST /uploads/tus/{id}` with `X-HTTP-Method-Override`: for clients whose network blocks other methods.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use httpkit::{Path, Reply};
use kernel::Problem;

use super::{Wrong, append, end, read};
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
    State(room): State<Content>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Reply<Response> {
    let meant = headers.get("x-http-method-override").and_then(|value| value.to_str().ok());
    Ok(match meant {
        Some("HEAD") => read::read(&room, &id).await?,
        Some("PATCH") => append::append(&room, &id, &headers, body).await?,
        Some("DELETE") => end::end(&room, &id).await?,
        _ => return Err(Error::from(Wrong::Method).into()),
    })
}
