//! `GET /images/{name}`: public images under unguessable names.

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};
use httpkit::{ApiResult, Path, Query};
use kernel::Problem;
use serde::Deserialize;

use crate::delivery::{ServedFile, serve};
use crate::images::image_key;
use crate::{Content, Error, store};

/// The size of an image.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImageQuery {
    /// Width in pixels at which it is shown. The response is the narrowest version that is at least as wide, or the
    /// whole image.
    width: Option<u32>,
}

/// Get a public image
#[utoipa::path(get, path = "/images/{name}", tag = "content", params(("name" = String, Path), ImageQuery),
    responses(
    (status = 200, description = "The image", content_type = "image/*"),
    (status = 304, description = "Not modified"), (status = 400, body = Problem), (status = 404, body = Problem),
))]
pub async fn serve_image(
    State(content): State<Content>,
    Path(name): Path<String>,
    Query(query): Query<ImageQuery>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let image = store::image::by_name(content.db.read(), &name).await?;
    let (media_type, widths) = image.ok_or_else(|| Problem::not_found("Image"))?;
    let width = query.width.and_then(|wanted| widths.into_iter().find(|width| *width >= wanted));
    let served = ServedFile {
        key: image_key(&name, width).ok_or(Error::NotFound)?,
        media_type: &media_type,
        // A name is used only once, for one image.
        etag: width.map_or_else(|| name.clone(), |width| format!("{name}-{width}")),
        file_name: None,
        download: false,
        cache: "public, max-age=31536000, immutable".into(),
        // Emails show an organisation's logo, in mail clients of any origin.
        other_origin: true,
    };
    Ok(serve(&content.storage, &method, &headers, served, None).await?)
}
