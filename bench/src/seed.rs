//! Data on the server during the measurements: organisations, playlists, videos, viewers. All of it is
//! created through the public API.

use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::api::{Api, path_of, text, wait_for};
use crate::server_process::Server;
use crate::{BoxError, process};

/// Number of organisations.
pub const ORGS: usize = 4;
/// Playlists per organisation; the measured list has ten of them.
const PLAYLISTS: usize = 50;
/// Videos per organisation.
const VIDEOS: usize = 4;
/// Viewers per organisation, all of whom have consented.
pub const VIEWERS: usize = 16;
/// Length of a video in seconds.
pub const VIDEO_SECONDS: u64 = 1_800;

/// An organisation.
pub struct Org {
    /// Organisation id.
    pub uid: String,
    /// Its videos, played from the playlist.
    pub videos: Vec<String>,
    /// A playlist with all of them.
    pub playlist: String,
    /// Authorization headers of its viewers.
    pub viewers: Vec<String>,
}

/// All seeded data.
pub struct SeedData {
    /// The super admin of every organisation.
    pub owner: Api,
    /// All organisations.
    pub orgs: Vec<Org>,
}

impl SeedData {
    /// Creates empty organisations with one owner.
    pub async fn create(server: &Server, count: usize) -> Result<Self, BoxError> {
        let owner = Api::of(server)?.sign_in("owner@bench.example", "portal").await?;
        let account = json!({ "account": { "friendlyName": "Bench", "billingName": "Bench",
            "billingEmail": "owner@bench.example", "billingPhone": "+44 20 7946 0958", "type": "agency" } });
        owner.post("/v1/accounts", &account).await?;
        let mut orgs = Vec::with_capacity(count);
        for number in 1..=count {
            let request = json!({ "organisation": { "name": format!("Organisation {number}") } });
            let uid = text(&owner.post("/v1/organizations", &request).await?, "uid")?;
            let public = json!({ "organisation": { "privacy": "public" } });
            owner.patch(&format!("/v1/organizations/{uid}"), &public).await?;
            orgs.push(Org { uid, videos: Vec::new(), playlist: String::new(), viewers: Vec::new() });
        }
        Ok(Self { owner, orgs })
    }

    /// Creates videos, and playlists that contain them.
    pub async fn add_content(&mut self, server: &Server, folder: &Path) -> Result<(), BoxError> {
        let video = make_video(folder)?;
        let md5 = md5_of(&folder.join(VIDEO_NAME))?;
        for org in &mut self.orgs {
            for number in 1..=VIDEOS {
                let file =
                    json!({ "name": VIDEO_NAME, "size": video.len(), "type": "video/mp4", "checksum": md5 });
                let request = json!({ "content": { "title": format!("Video {number}") }, "orgId": org.uid, "file": file });
                let upload = self.owner.post("/v1/content", &request).await?;
                let address = text(&upload["ingest"], "url")?;
                self.owner.put(path_of(&address)?, "video/mp4", video.clone()).await?;
                org.videos.push(text(&upload, "uid")?);
            }
            for number in 1..=PLAYLISTS {
                let playlist = json!({
                    "title": format!("Playlist {number}"), "privacy": "public", "items": org.videos,
                    "description": "What we show to the people who work with us, and in which order.",
                    "contact": { "email": "help@bench.example", "phoneNumber": "" },
                });
                let request = json!({ "playlist": playlist, "orgId": org.uid });
                org.playlist = text(&self.owner.post("/v1/playlists", &request).await?, "uid")?;
            }
        }
        self.wait_for_lengths(server).await
    }

    /// Waits until the length of every video is known; without it, coverage would cost nothing.
    async fn wait_for_lengths(&self, server: &Server) -> Result<(), BoxError> {
        for video in self.orgs.iter().flat_map(|org| &org.videos) {
            let path = format!("/v1/content/{video}");
            let length = wait_for("length of a video", async || {
                let content = self.owner.get(&path).await?;
                match content["processing"].as_str() {
                    Some("done") => Ok(Some(content["durationMs"].as_u64())),
                    Some("failed") => Ok(Some(None)),
                    _ => Ok(None),
                }
            })
            .await?;
            if length.is_none_or(|ms| ms.abs_diff(VIDEO_SECONDS * 1_000) > 2_000) {
                return Err(format!("the length of a video is {length:?} at {}", server.address).into());
            }
        }
        Ok(())
    }

    /// Creates viewers of each organisation who joined by the link and consented.
    pub async fn add_viewers(&mut self, server: &Server, count: usize) -> Result<(), BoxError> {
        let anonymous = Api::of(server)?;
        for (index, org) in self.orgs.iter_mut().enumerate() {
            let link = self.owner.post(&format!("/v1/organizations/{}/joinUrl", org.uid), &json!({})).await?;
            let link = text(&link, "joinUrl")?;
            let code = link.rsplit('/').next().unwrap_or_default();
            let path = format!("/v1/join/{code}");
            let page = anonymous.get(&path).await?;
            let yes = json!({ "consent": true, "noticeVersion": page["notice"]["version"] });
            for number in 0..count {
                let email = format!("viewer-{index}-{number}@bench.example");
                let viewer = anonymous.sign_in(&email, "viewer").await?;
                viewer.post(&path, &yes).await?;
                org.viewers.push(viewer.bearer());
            }
        }
        Ok(())
    }
}

const VIDEO_NAME: &str = "video.mp4";

/// Creates a video of one frame per second.
fn make_video(folder: &Path) -> Result<Vec<u8>, BoxError> {
    let path = folder.join(VIDEO_NAME);
    let length = VIDEO_SECONDS.to_string();
    let mut command = Command::new("ffmpeg");
    command
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=1", "-t", &length])
        .args(["-pix_fmt", "yuv420p", "-preset", "ultrafast", "-movflags", "+faststart", "-y"])
        .arg(&path);
    process::timed(&mut command)?;
    Ok(std::fs::read(path)?)
}

/// Returns the MD5 of a file in the format of the API.
pub fn md5_of(path: &Path) -> Result<String, BoxError> {
    let output = Command::new("md5sum").arg(path).output()?;
    let text = String::from_utf8(output.stdout)?;
    let hex =
        text.split_whitespace().next().filter(|hex| hex.len() == 32).ok_or("md5sum printed no checksum")?;
    Ok(STANDARD.encode(u128::from_str_radix(hex, 16)?.to_be_bytes()))
}
