//! `GET /media/{grant}/{name}`: bytes of a content (V-06, R-08, R-37).

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};
use httpkit::{Path, Query, Reply};
use kernel::Problem;
use serde::Deserialize;

use crate::delivery::{Served, serve};
use crate::grant::Grant;
use crate::item::Item;
use crate::visibility::{Facts, Viewer, may_see};
use crate::{Content, Error, store};

/// How the file is wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MediaQuery {
    /// Present: to be saved under its name.
    download: Option<String>,
}

/// Bytes of a content, whole or one range. The address is made by the calls that list and read content, holds
/// for an hour, can be renewed, and dies when its holder may no longer see the content.
#[utoipa::path(get, path = "/media/{grant}/{name}", tag = "content",
    params(("grant" = String, Path), ("name" = String, Path, description = "source or poster"), MediaQuery),
    responses(
    (status = 200, description = "All of it", content_type = "application/octet-stream"),
    (status = 206, description = "The range asked for", content_type = "application/octet-stream"),
    (status = 304, description = "The browser has it"), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 416, body = Problem),
))]
pub async fn serve_media(
    State(room): State<Content>,
    Path((token, name)): Path<(String, String)>,
    Query(query): Query<MediaQuery>,
    method: Method,
    headers: HeaderMap,
) -> Reply<Response> {
    let grant = Grant::read(&room.signer, &token).ok_or(Error::GrantExpired)?;
    let item = opened(&room, &grant).await?;
    let served = served(&room, &item, &name, query.download.is_some())?;
    Ok(serve(&room.storage, &method, &headers, served).await?)
}

/// The content behind a grant, as long as the grant's time has not come and its holder may see the content.
/// Nothing is remembered between requests.
pub async fn opened(room: &Content, grant: &Grant) -> Result<Item, Error> {
    let facts = store::delivery::facts(room.db.read(), grant).await?.ok_or(Error::NotFound)?;
    let until = grant.expires_at.max(facts.prolonged.unwrap_or(grant.expires_at));
    if room.ambient.now() >= until {
        return Err(Error::GrantExpired);
    }
    let item = facts.item;
    let shelf = match grant.playlist {
        None => None,
        Some(playlist) => room.shelves.shelf(room.db.read(), item.org, playlist, item.uid).await?,
    };
    let seen = may_see(Facts {
        standing: facts.standing,
        org: facts.org,
        shelf,
        content: item.privacy,
        state: item.state(),
        viewer: Viewer::of(facts.role),
    });
    if seen { Ok(item) } else { Err(Error::NotFound) }
}

fn served<'a>(room: &Content, item: &'a Item, name: &str, download: bool) -> Result<Served<'a>, Error> {
    let file_name = item.file.as_ref().map_or("", |file| &file.name);
    let other_origin = room.files != room.public;
    // Asking again each time costs an answer without bytes and lets a withdrawn permission count at once.
    let cache = "private, no-cache";
    match (name, &item.source, item.poster) {
        ("source", Some(source), _) => Ok(Served {
            key: item.source_key(source.version),
            media_type: &source.media_type,
            etag: hex(&source.sha256),
            file_name,
            download,
            cache,
            other_origin,
        }),
        ("poster", _, Some(version)) => Ok(Served {
            key: item.poster_key(version),
            media_type: "image/jpeg",
            etag: format!("poster-{}", version.as_simple()),
            file_name: "",
            download: false,
            cache,
            other_origin,
        }),
        _ => Err(Error::NotFound),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
