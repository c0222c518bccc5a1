//! The stand-in for YouTube and Vimeo: describes any video, and draws its thumbnail. As at the hosts, a private video is
//! refused and an unknown one is not found: those whose id starts with `private` and `missing`, or with 403 and 404.

use std::io::Cursor;

use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderMap, StatusCode};
use image::{ImageFormat, Rgb, RgbImage};
use serde::Deserialize;
use serde_json::json;
use url::Url;

/// The thumbnail that YouTube names: it is small, and a wide video has black bars in it.
const SMALL: (&str, u32, u32) = ("hqdefault.jpg", 480, 360);
/// The thumbnail in the format of the video.
const LARGE: (&str, u32, u32) = ("maxresdefault.jpg", 1_280, 720);

pub(crate) fn routes() -> Router {
    Router::new()
        .route(
            "/sandbox/videos/youtube",
            get(async |asked, headers: HeaderMap| describe(asked, &headers, SMALL)),
        )
        .route(
            "/sandbox/videos/vimeo",
            get(async |asked, headers: HeaderMap| describe(asked, &headers, LARGE)),
        )
        .route("/sandbox/videos/thumbnails/{id}/{name}", get(thumbnail))
}

#[derive(Deserialize)]
struct VideoQuery {
    /// Address of the video.
    url: String,
}

fn describe(
    Query(asked): Query<VideoQuery>,
    headers: &HeaderMap,
    (name, width, height): (&str, u32, u32),
) -> Response {
    let Some(id) = id_of(&asked.url) else { return StatusCode::NOT_FOUND.into_response() };
    if id.starts_with("private") || id.starts_with("403") {
        return StatusCode::FORBIDDEN.into_response();
    }
    if id.starts_with("missing") || id.starts_with("404") {
        return StatusCode::NOT_FOUND.into_response();
    }
    // At the address by which the server asked.
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let thumbnail = format!("http://{host}/sandbox/videos/thumbnails/{id}/{name}");
    let description = json!({ "type": "video", "version": "1.0", "title": format!("Video {id}"),
        "thumbnail_url": thumbnail, "thumbnail_width": width, "thumbnail_height": height });
    Json(description).into_response()
}

/// Returns the id in the address of a video.
fn id_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let in_query = url.query_pairs().find(|(key, _)| key == "v").map(|(_, id)| id.into_owned());
    in_query.or_else(|| url.path_segments()?.next().map(str::to_owned)).filter(|id| !id.is_empty())
}

async fn thumbnail(Path((id, name)): Path<(String, String)>) -> Response {
    let Some((_, width, height)) = [SMALL, LARGE].into_iter().find(|size| size.0 == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut png = Cursor::new(Vec::new());
    match draw(&id, width, height).write_to(&mut png, ImageFormat::Png) {
        Ok(()) => ([(CONTENT_TYPE, "image/png")], png.into_inner()).into_response(),
        Err(error) => {
            tracing::error!(%error, "a thumbnail could not be drawn");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Draws hills before a sky, in colors and shapes of the id.
fn draw(id: &str, width: u32, height: u32) -> RgbImage {
    let bar = (height - width * 9 / 16) / 2;
    let seed = id.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let color = |shift: u32| {
        let level = |at: u32| 70.0 + (seed >> ((shift + at) % 24) & 0x7f) as f32;
        [level(0), level(5), level(11)]
    };
    let (sky, far, near) = (color(3), color(8), color(13));
    let phase = (seed % 628) as f32 / 100.0;
    RgbImage::from_fn(width, height, |x, y| {
        if y < bar || y >= height - bar {
            return Rgb([0; 3]);
        }
        let (across, down) = (x as f32 / width as f32, (y - bar) as f32 / (height - 2 * bar) as f32);
        let hill = |base: f32, waves: f32| base + 0.08 * (across * waves + phase).sin();
        let (color, light) = if down > hill(0.75, 7.0) {
            (near, 0.55)
        } else if down > hill(0.55, 11.0) {
            (far, 0.8)
        } else {
            (sky, 1.3 - 0.5 * down)
        };
        Rgb(color.map(|level| (level * light).clamp(0.0, 255.0) as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_video_is_in_the_query_or_the_path() {
        assert_eq!(id_of("https://www.youtube.com/watch?v=dQw4w9WgXcQ").as_deref(), Some("dQw4w9WgXcQ"));
        assert_eq!(id_of("https://vimeo.com/76979871/8272103f6e").as_deref(), Some("76979871"));
        assert_eq!(id_of("https://vimeo.com/"), None);
    }

    #[test]
    fn two_videos_have_different_thumbnails() {
        let draw = |id: &str| draw(id, 48, 36);
        assert_ne!(draw("dQw4w9WgXcQ"), draw("76979871"));
        assert_eq!(draw("76979871"), draw("76979871"));
    }
}
