//! `GET /media/{grant}/{name}`: bytes of a content item.

use std::borrow::Cow;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};
use httpkit::{ApiResult, Path, Permission, Query};
use kernel::{HOUR, Problem, SECOND, Timestamp};
use serde::Deserialize;
use storage::{Key, Name};

use crate::access::{authorised_item, visible_item};
use crate::delivery::{CAPTIONS, PLAYLIST, ServedFile, serve};
use crate::grant::Grant;
use crate::item::{Captions, Item, Rendition};
use crate::visibility::Viewer;
use crate::{Content, Error};

/// How to serve the file.
#[derive(Clone, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MediaQuery {
    /// If present, the file is served as a download.
    download: Option<String>,
    /// Tag of the processing run whose file is meant, as in generated playlists. The response can then be
    /// cached for an hour.
    v: Option<String>,
    /// Width in pixels at which a poster is shown. The response is the narrowest version that is at least as wide, or
    /// the whole poster.
    width: Option<u32>,
}

/// Get media bytes
///
/// Returns a file of a content item, whole or one range. Responses that list or read content contain the
/// address. It is valid for one hour, can be renewed, and stops working when its holder may no longer see the
/// content. App users cannot download (403 `not_downloadable`) what staff did not allow.
#[utoipa::path(get, path = "/media/{grant}/{name}", tag = "content",
    params(("grant" = String, Path), ("name" = String, Path, description = "source, poster, master.m3u8, {rung}.m3u8, {rung}-init.mp4, {rung}-{n}.m4s, storyboard.vtt, \
    storyboard.jpg, waveform.json or captions-{language}.vtt"), MediaQuery),
    responses(
    (status = 200, description = "The whole file", content_type = "application/octet-stream"),
    (status = 206, description = "The requested range", content_type = "application/octet-stream"),
    (status = 304, description = "Not modified"), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 416, body = Problem),
))]
pub async fn serve_media(
    State(content): State<Content>,
    Path((token, name)): Path<(String, String)>,
    Query(query): Query<MediaQuery>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let grant = Grant::read(&content.signer, &token).ok_or(Error::GrantExpired)?;
    let visible = authorised_item(&content, &grant).await?;
    let mut served = served(&content, &visible.item, &name, &query)?;
    let may_save = visible.viewer == Viewer::Staff || visible.item.is_downloadable();
    if served.is_attachment() && !may_save {
        return Err(Error::NotDownloadable.into());
    }
    if served.cache == CACHE_FOR_AN_HOUR {
        served.cache = cache_until(visible.closes_at, content.ambient.now());
    }
    let permission = recheck(&content, grant, name.clone(), query.clone(), served.key.clone());
    Ok(serve(&content.storage, &method, &headers, served, Some(permission)).await?)
}

/// Returns a check of whether a response in progress may continue: its reader may still see the item, and the
/// file is still the one that is served. The expiry of the address applies only to new requests, or every
/// long download would break.
fn recheck(content: &Content, grant: Grant, name: String, query: MediaQuery, key: Key) -> Permission {
    let content = content.clone();
    Permission::new(move || {
        let (content, name, query, key) = (content.clone(), name.clone(), query.clone(), key.clone());
        async move {
            match visible_item(&content, &grant).await {
                Ok(visible) => {
                    Some(served(&content, &visible.item, &name, &query).is_ok_and(|served| served.key == key))
                }
                Err(Error::NotFound | Error::GrantExpired) => Some(false),
                Err(error) => {
                    tracing::warn!(%error, "could not check whether a response may continue");
                    None
                }
            }
        }
    })
}

/// Revalidation costs a response without a body and lets a withdrawn permission take effect at once.
const REVALIDATE: &str = "private, no-cache";
/// For files that never change under the address in their playlist. On the server a withdrawn permission
/// takes effect at once here too; only the browser's own copy remains, for as long as its address would have
/// been valid.
const CACHE_FOR_AN_HOUR: &str = "private, max-age=3600";

/// Returns [`CACHE_FOR_AN_HOUR`], shortened if the item closes before the hour is over.
fn cache_until(closes_at: Option<Timestamp>, now: Timestamp) -> Cow<'static, str> {
    match closes_at.map(|at| (at - now) / SECOND).filter(|seconds| *seconds < HOUR / SECOND) {
        Some(seconds) => format!("private, max-age={}", seconds.max(0)).into(),
        None => CACHE_FOR_AN_HOUR.into(),
    }
}

/// Returns the file that a name refers to, if the item has it.
fn served<'a>(
    content: &Content,
    item: &'a Item,
    name: &str,
    query: &MediaQuery,
) -> Result<ServedFile<'a>, Error> {
    let other_origin = content.files != content.public;
    let plain = |key, media_type, etag| ServedFile {
        key,
        media_type,
        etag,
        file_name: None,
        download: false,
        cache: REVALIDATE.into(),
        other_origin,
    };
    match (name, &item.source, &item.poster) {
        ("source", Some(source), _) => {
            let (Some(media_type), Some(hash)) = (&source.media_type, source.sha256.as_deref()) else {
                return Err(db::unreadable("content", "media_type and sha256", item.uid).into());
            };
            let etag = hex::encode(hash.get(..16).unwrap_or(hash));
            Ok(ServedFile {
                file_name: item.file.as_ref().map(|file| file.name.as_str()),
                download: query.download.is_some(),
                ..plain(item.source_key(source.version), media_type, etag)
            })
        }
        ("poster", _, Some(poster)) => {
            let width = query.width.and_then(|wanted| poster.width_for(wanted));
            let whole = format!("poster-{}", poster.version.as_simple());
            let etag = width.map_or_else(|| whole.clone(), |width| format!("{whole}-{width}"));
            Ok(plain(poster.key(item.org, item.uid, width), "image/jpeg", etag))
        }
        _ => {
            if let Some(captions) = captions_of(item, name) {
                let key = Captions::key(item.org, item.uid, captions.version).ok_or(Error::NotFound)?;
                return Ok(plain(key, CAPTIONS, captions.version.as_simple().to_string()));
            }
            let media_type = generated_type(name).ok_or(Error::NotFound)?;
            let run = item.shown_rendition().ok_or(Error::NotFound)?.run;
            // A player with a playlist of an older processing run must reload it.
            if query.v.as_ref().is_some_and(|tag| *tag != Rendition::tag(run)) {
                return Err(Error::NotFound);
            }
            let key = Key::rendition(item.org, item.uid, run, &Name::parse(name).ok_or(Error::NotFound)?);
            let cache = if query.v.is_some() { CACHE_FOR_AN_HOUR } else { REVALIDATE };
            Ok(ServedFile {
                cache: cache.into(),
                ..plain(key, media_type, format!("{}-{name}", run.as_simple()))
            })
        }
    }
}

/// Returns the captions that `captions-{language}.vtt` refers to.
fn captions_of<'a>(item: &'a Item, name: &str) -> Option<&'a Captions> {
    let language = name.strip_prefix("captions-")?.strip_suffix(".vtt")?;
    item.captions.iter().find(|captions| captions.language == language)
}

/// Returns the type of a generated file; `None` if no generated file has this name.
fn generated_type(name: &str) -> Option<&'static str> {
    match name {
        "master.m3u8" => return Some(PLAYLIST),
        "storyboard.vtt" => return Some(CAPTIONS),
        "storyboard.jpg" => return Some("image/jpeg"),
        "waveform.json" => return Some("application/json"),
        _ => {}
    }
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (rung, rest) = name.split_at(name.find(['.', '-'])?);
    let is_audio = rung == "audio";
    if !is_audio && !digits(rung, 4) {
        return None;
    }
    let number = rest.strip_prefix('-').and_then(|rest| rest.strip_suffix(".m4s"));
    match rest {
        ".m3u8" => Some(PLAYLIST),
        "-init.mp4" => Some(if is_audio { "audio/mp4" } else { "video/mp4" }),
        _ if number.is_some_and(|number| digits(number, 6)) => {
            Some(if is_audio { "audio/mp4" } else { "video/mp4" })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::generated_type;

    #[test]
    fn only_names_of_generated_files_have_a_type() {
        for (name, expected) in [
            ("master.m3u8", Some("application/vnd.apple.mpegurl")),
            ("720.m3u8", Some("application/vnd.apple.mpegurl")),
            ("audio.m3u8", Some("application/vnd.apple.mpegurl")),
            ("720-init.mp4", Some("video/mp4")),
            ("1080-12.m4s", Some("video/mp4")),
            ("audio-init.mp4", Some("audio/mp4")),
            ("audio-0.m4s", Some("audio/mp4")),
            ("storyboard.jpg", Some("image/jpeg")),
            ("storyboard.vtt", Some("text/vtt; charset=utf-8")),
            ("waveform.json", Some("application/json")),
            ("", None),
            ("x.m3u8", None),
            ("72000.m3u8", None),
            ("720-.m4s", None),
            ("720--1.m4s", None),
            ("720-0.m4s.", None),
            ("../720.m3u8", None),
            ("720/../x.m3u8", None),
            ("audio-init.m4s", None),
            ("peaks.txt", None),
        ] {
            assert_eq!(generated_type(name), expected, "{name}");
        }
    }
}
