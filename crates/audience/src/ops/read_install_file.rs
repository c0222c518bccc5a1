//! `GET /install/{token}/{name}`: the manifest of an organisation's app, and its icons.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use httpkit::{ApiResult, Path, Query};
use kernel::Problem;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::install::Icon;
use crate::{Error, Install};

/// Cache-Control of a file whose address changes with its content.
const FOREVER: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "no-cache";

/// Which version is meant.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstallQuery {
    /// Tag of the branding, as in the manifest. The response can then be cached for ever.
    v: Option<String>,
}

/// Get a file to install the app
///
/// Returns the web app manifest of an organization, or one of its icons. The address is in the list of the caller's
/// organizations. It requires no token, because browsers send none, and cannot be guessed.
#[utoipa::path(get, path = "/install/{token}/{name}", tag = "audience",
    params(("token" = String, Path),
        ("name" = String, Path, description = "manifest.webmanifest, icon-192.png, icon-512.png, maskable-512.png or apple-180.png"),
        InstallQuery), responses(
    (status = 200, description = "The file", content_type = "application/manifest+json"),
    (status = 304, description = "Not modified"), (status = 404, body = Problem), (status = 503, body = Problem),
))]
pub async fn read_install_file(
    State(install): State<Install>,
    Path((token, name)): Path<(String, String)>,
    Query(query): Query<InstallQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let org = install.org_of(&token).ok_or_else(|| Problem::not_found("File"))?;
    let found = install.orgs.organisation(install.db.read(), org).await.map_err(Error::from)?;
    let organisation = found.ok_or_else(|| Problem::not_found("File"))?;
    if name == "manifest.webmanifest" {
        let manifest = install.manifest_of(&organisation).to_string().into_bytes();
        return Ok(answer(&headers, manifest, "application/manifest+json", REVALIDATE));
    }
    let icon = Icon::ALL.into_iter().find(|icon| icon.name() == name);
    let icon = icon.ok_or_else(|| Problem::not_found("File"))?;
    let is_current = query.v.is_some_and(|tag| tag == install.tag(&organisation));
    let png = install.icon_of(&organisation, icon).await?;
    Ok(answer(&headers, png, "image/png", if is_current { FOREVER } else { REVALIDATE }))
}

fn answer(headers: &HeaderMap, bytes: Vec<u8>, media_type: &'static str, cache: &'static str) -> Response {
    let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&bytes)[..16]));
    let is_known = httpkit::is_not_modified(headers, &etag);
    let common = [
        (header::ETAG, etag),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(header::CONTENT_TYPE, media_type)], Body::from(bytes)).into_response()
}
