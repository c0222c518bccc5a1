//! `GET /images/{name}`: public images under unguessable names.

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};
use httpkit::{ApiResult, Path};
use kernel::Problem;

use crate::delivery::{ServedFile, serve};
use crate::images::image_key;
use crate::{Content, Error, store};

/// Get a public image
#[utoipa::path(get, path = "/images/{name}", tag = "content", params(("name" = String, Path)),
    responses(
    (status = 200, description = "The image", content_type = "image/*"),
    (status = 304, description = "Not modified"), (status = 404, body = Problem),
))]
pub async fn serve_image(
    State(content): State<Content>,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let media_type = store::image::media_type(content.db.read(), &name).await?;
    let media_type = media_type.ok_or_else(|| Problem::not_found("Image"))?;
    let served = ServedFile {
        key: image_key(&name).ok_or(Error::NotFound)?,
        media_type: &media_type,
        // A name is used only once, for one image.
        etag: name.clone(),
        file_name: None,
        download: false,
        cache: "public, max-age=31536000, immutable",
        // Emails show an organisation's logo, in mail clients of any origin.
        other_origin: true,
    };
    Ok(serve(&content.storage, &method, &headers, served, None).await?)
}
