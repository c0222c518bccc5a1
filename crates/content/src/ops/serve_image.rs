//! `GET /images/{name}`: public pictures under unguessable names.

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};
use httpkit::{Path, Reply};
use kernel::Problem;

use crate::delivery::{Served, serve};
use crate::ops::ingest_file::image_key;
use crate::{Content, Error, store};

/// A public picture.
#[utoipa::path(get, path = "/images/{name}", tag = "content", params(("name" = String, Path)),
    responses(
    (status = 200, description = "The picture", content_type = "image/*"),
    (status = 304, description = "The browser has it"), (status = 404, body = Problem),
))]
pub async fn serve_image(
    State(room): State<Content>,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Reply<Response> {
    let media_type = store::image::media_type(room.db.read(), &name).await?;
    let media_type = media_type.ok_or_else(|| Problem::not_found("Image"))?;
    let served = Served {
        key: image_key(&name).ok_or(Error::NotFound)?,
        media_type: &media_type,
        // A name is used once, for one picture.
        etag: name.clone(),
        file_name: "",
        download: false,
        cache: "public, max-age=31536000, immutable",
        // Letters show an organisation's logo, in mail programs of any origin.
        other_origin: true,
    };
    Ok(serve(&room.storage, &method, &headers, served, None).await?)
}
