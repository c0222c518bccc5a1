//! Asks the hosts of embedded videos for title and thumbnail, by their oEmbed interface.
//!
//! The addresses are constants, so that no address that a person entered is ever requested: only the id of a video is
//! sent. A thumbnail is requested only from the host's own image server. Redirects are not followed.

use std::time::Duration;

use kernel::{Millis, SECOND};
use reqwest::{Client, ClientBuilder, Response, StatusCode, Url};
use serde::Deserialize;

use super::{EmbeddedVideo, VideoHost};
use crate::model::{IMAGE_MAX, TITLE_MAX};

/// Time limits for a connection, and for a whole request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const TIMEOUT: Duration = Duration::from_secs(10);
/// Lengths of videos that are believed, in seconds. Live streams have 0.
const SECONDS: std::ops::RangeInclusive<i64> = 1..=24 * 60 * 60;
/// Maximum size of the description of a video in bytes.
const DESCRIPTION_MAX: u64 = 256 * 1024;

/// Looks up embedded videos at their hosts.
pub struct EmbedLookup {
    http: Client,
    youtube: Endpoint,
    vimeo: Endpoint,
}

/// Where a host answers.
struct Endpoint {
    /// Address of the descriptions, without the video's.
    descriptions: Url,
    /// Origin of the thumbnails.
    images: String,
}

/// Why a host did not describe a video.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The host did not answer, or asks to try again later.
    #[error("the video's host did not answer: {0}")]
    Unavailable(String),
    /// The answer is final: the video is private or removed, or the answer is not acceptable.
    #[error("the video's host gave no usable answer: {0}")]
    Refused(String),
}

/// What a host says about a video.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct VideoDescription {
    /// Never blank.
    pub title: Option<String>,
    /// Address of an image, as the host sent it.
    pub thumbnail: Option<String>,
    /// Length of the video, which YouTube does not tell.
    pub duration: Option<Millis>,
}

impl EmbedLookup {
    /// Creates the client for YouTube and Vimeo.
    ///
    /// # Errors
    /// If the HTTP client cannot be created.
    pub fn new() -> Result<Self, String> {
        let youtube = Endpoint::new("https://www.youtube.com/oembed?format=json", "https://i.ytimg.com")?;
        // Without a width, Vimeo answers with a small thumbnail.
        let vimeo = Endpoint::new("https://vimeo.com/api/oembed.json?width=1280", "https://i.vimeocdn.com")?;
        Ok(Self { http: build(Client::builder().https_only(true))?, youtube, vimeo })
    }

    /// Creates a client for a stand-in of both hosts on this machine: `{base}/youtube` and `{base}/vimeo` describe
    /// videos, and the thumbnails have the same origin.
    ///
    /// # Errors
    /// If the HTTP client cannot be created, or the base is not an address.
    pub fn stand_in(base: &str) -> Result<Self, String> {
        let images = Url::parse(base).map_err(|error| error.to_string())?.origin().ascii_serialization();
        let endpoint = |name: &str| Endpoint::new(&format!("{base}/{name}"), &images);
        let (youtube, vimeo) = (endpoint("youtube")?, endpoint("vimeo")?);
        // A proxy set in the environment cannot reach this machine.
        Ok(Self { http: build(Client::builder().no_proxy())?, youtube, vimeo })
    }

    fn endpoint(&self, host: VideoHost) -> &Endpoint {
        match host {
            VideoHost::YouTube => &self.youtube,
            VideoHost::Vimeo => &self.vimeo,
        }
    }

    /// Returns what the host says about a video.
    ///
    /// # Errors
    /// If the host does not answer or refuses, or its answer is too large or cannot be read.
    pub async fn describe(&self, video: &EmbeddedVideo) -> Result<VideoDescription, LookupError> {
        let mut url = self.endpoint(video.host).descriptions.clone();
        url.query_pairs_mut().append_pair("url", &video.address);
        let body = self.get(url, DESCRIPTION_MAX).await?;
        parse(&body).ok_or_else(|| LookupError::Refused("it is not a description".to_owned()))
    }

    /// Returns the bytes behind the address of a thumbnail, whatever they are, or those of a larger version if there is
    /// one.
    ///
    /// # Errors
    /// If it is not an address of the host's image server, that does not answer or refuses, or the image is too large.
    pub async fn thumbnail(&self, host: VideoHost, address: &str) -> Result<Vec<u8>, LookupError> {
        let url = self.endpoint(host).image(address);
        let url = url.ok_or_else(|| LookupError::Refused("the thumbnail is on another host".to_owned()))?;
        if let Some(larger) = larger(host, &url) {
            match self.get(larger, IMAGE_MAX).await {
                Err(LookupError::Refused(_)) => {}
                answer => return answer,
            }
        }
        self.get(url, IMAGE_MAX).await
    }

    async fn get(&self, url: Url, max: u64) -> Result<Vec<u8>, LookupError> {
        let response = self.http.get(url).send().await.map_err(unavailable)?;
        let status = response.status();
        if status.is_success() {
            return read(response, max).await;
        }
        let is_temporary = status.is_server_error()
            || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        let refusal = if is_temporary { LookupError::Unavailable } else { LookupError::Refused };
        Err(refusal(format!("status {}", status.as_u16())))
    }
}

impl Endpoint {
    fn new(descriptions: &str, images: &str) -> Result<Self, String> {
        let descriptions = Url::parse(descriptions).map_err(|error| error.to_string())?;
        Ok(Self { descriptions, images: images.to_owned() })
    }

    /// Returns the address if it is one of the image server.
    fn image(&self, address: &str) -> Option<Url> {
        let url = Url::parse(address).ok()?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        (is_plain && url.origin().ascii_serialization() == self.images).then_some(url)
    }
}

/// Returns the address of a thumbnail in the format of the video, which most videos have at YouTube. The one that YouTube
/// names is 480 pixels wide, and a wide video has black bars in it.
fn larger(host: VideoHost, url: &Url) -> Option<Url> {
    let folder = url.path().strip_suffix("/hqdefault.jpg").filter(|_| host == VideoHost::YouTube)?;
    let mut larger = url.clone();
    larger.set_path(&format!("{folder}/maxresdefault.jpg"));
    Some(larger)
}

fn build(builder: ClientBuilder) -> Result<Client, String> {
    builder
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(TIMEOUT)
        .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("cannot create the HTTP client for embedded videos: {error}"))
}

fn unavailable(error: reqwest::Error) -> LookupError {
    LookupError::Unavailable(error.without_url().to_string())
}

async fn read(mut response: Response, max: u64) -> Result<Vec<u8>, LookupError> {
    let too_large = |len: u64| len > max;
    let refused = || LookupError::Refused(format!("more than {max} bytes"));
    if response.content_length().is_some_and(too_large) {
        return Err(refused());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unavailable)? {
        if too_large((body.len() + chunk.len()) as u64) {
            return Err(refused());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Reads a description. Fields that are missing or of another type count as absent.
fn parse(body: &[u8]) -> Option<VideoDescription> {
    #[derive(Deserialize)]
    struct Description {
        #[serde(default)]
        title: serde_json::Value,
        #[serde(default)]
        thumbnail_url: serde_json::Value,
        #[serde(default)]
        duration: serde_json::Value,
    }
    let sent: Description = serde_json::from_slice(body).ok()?;
    Some(VideoDescription {
        title: sent.title.as_str().and_then(title),
        thumbnail: sent.thumbnail_url.as_str().map(str::to_owned),
        duration: sent.duration.as_i64().filter(|seconds| SECONDS.contains(seconds)).map(|s| s * SECOND),
    })
}

/// Returns a title on one line and not too long; `None` if nothing is left.
fn title(sent: &str) -> Option<String> {
    let plain = sent.replace(char::is_control, " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(TITLE_MAX).collect();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbnails_are_requested_from_the_image_server_only() {
        let lookup = EmbedLookup::new().unwrap();
        let youtube = |address: &str| lookup.youtube.image(address).is_some();
        assert!(youtube("https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"));
        assert!(lookup.vimeo.image("https://i.vimeocdn.com/video/1-d_1280").is_some());
        for bad in [
            "http://i.ytimg.com/vi/x/hqdefault.jpg",
            "https://i.ytimg.com:8443/x.jpg",
            "https://user:secret@i.ytimg.com/x.jpg",
            "https://i.ytimg.com.example.com/x.jpg",
            "https://i.vimeocdn.com/video/1",
            "https://127.0.0.1/x.jpg",
            "file:///etc/passwd",
            "//i.ytimg.com/x.jpg",
            "",
        ] {
            assert!(!youtube(bad), "{bad}");
        }
    }

    #[test]
    fn a_description_is_read_leniently() {
        let read = |text: &str| parse(text.as_bytes());
        let whole = read(
            r#"{"title":" A\n talk ","thumbnail_url":"https://i.ytimg.com/a.jpg","width":1,"duration":62}"#,
        )
        .unwrap();
        assert_eq!(whole.title.as_deref(), Some("A talk"));
        assert_eq!(whole.thumbnail.as_deref(), Some("https://i.ytimg.com/a.jpg"));
        assert_eq!(whole.duration, Some(62_000));
        for strange in ["0", "-5", "1e9", "\"62\"", "null"] {
            let described = read(&format!("{{\"duration\":{strange}}}")).unwrap();
            assert_eq!(described.duration, None, "{strange}");
        }
        assert_eq!(read(r#"{"title":7,"thumbnail_url":null}"#), Some(VideoDescription::default()));
        assert_eq!(read(r#"{"title":"\u0000 "}"#), Some(VideoDescription::default()));
        assert_eq!(read("Unauthorized"), None);
        let long = read(&format!("{{\"title\":\"{}\"}}", "ä".repeat(2_000))).unwrap();
        assert!(crate::model::title(long.title.unwrap()).is_ok());
    }
}
