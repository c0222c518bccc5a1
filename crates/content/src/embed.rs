//! Videos of YouTube and Vimeo, and the addresses by which these hosts know them.

mod lookup;

use kernel::WebUrl;

pub use lookup::{EmbedLookup, LookupError};

/// A host of embedded videos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoHost {
    YouTube,
    Vimeo,
}

/// A video that the players of both apps embed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedVideo {
    pub host: VideoHost,
    /// Its address at its host, made from its id: nothing else of a stored address is sent there.
    pub address: String,
}

impl EmbeddedVideo {
    /// Returns the video of an address; `None` if the players show a plain link instead. They apply the same rule;
    /// `testdata/embeds.json` holds the cases that both are tested with.
    pub fn parse(link: &str) -> Option<Self> {
        let link = WebUrl::parse(link)?;
        let url = link.url();
        let query = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value);
        let parts: Vec<&str> = url.path_segments()?.filter(|part| !part.is_empty()).collect();
        match (url.host_str()?, &parts[..]) {
            ("youtu.be", [id, ..]) => youtube(id),
            (host, ["watch", ..]) if is_youtube(host) => youtube(&query("v")?),
            (host, ["shorts" | "live" | "embed", id, ..]) if is_youtube(host) => youtube(id),
            ("vimeo.com" | "www.vimeo.com" | "player.vimeo.com", parts) => {
                let at = parts.iter().position(|part| is_vimeo_id(part))?;
                let key = query("h").or_else(|| parts.get(at + 1).map(|part| (*part).into()));
                Some(vimeo(parts.get(at)?, key.filter(|key| is_vimeo_key(key)).as_deref()))
            }
            _ => None,
        }
    }
}

fn is_youtube(host: &str) -> bool {
    ["youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com", "www.youtube-nocookie.com"]
        .contains(&host)
}

fn youtube(id: &str) -> Option<EmbeddedVideo> {
    let is_id =
        id.len() == 11 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let address = format!("https://www.youtube.com/watch?v={id}");
    is_id.then_some(EmbeddedVideo { host: VideoHost::YouTube, address })
}

fn is_vimeo_id(part: &str) -> bool {
    (1..=12).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a text can be the key of an unlisted video.
fn is_vimeo_key(text: &str) -> bool {
    (6..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn vimeo(id: &str, key: Option<&str>) -> EmbeddedVideo {
    let key = key.map(|key| format!("/{key}")).unwrap_or_default();
    EmbeddedVideo { host: VideoHost::Vimeo, address: format!("https://vimeo.com/{id}{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_and_player_know_the_same_videos() {
        #[derive(serde::Deserialize)]
        struct Case {
            address: String,
            video: Option<String>,
        }
        let cases = include_str!("../../../testdata/embeds.json");
        for case in serde_json::from_str::<Vec<Case>>(cases).unwrap() {
            let video = EmbeddedVideo::parse(&case.address);
            assert_eq!(video.map(|video| video.address), case.video, "{}", case.address);
        }
    }
}
