//! A typical uploaded video, and its processing by the server.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::api::{path_of, text, wait_up_to};
use crate::house::Server;
use crate::seed::{Town, md5_of};
use crate::{Failure, process};

/// Length in seconds.
const SECONDS: u64 = 12;
const NAME: &str = "upload.mp4";
/// Time limit for processing on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(300);

/// 1280x720 at 30 frames per second, with audio and enough noise that each size comes close to its maximum
/// bit rate.
pub struct Film {
    /// Path of the file.
    pub path: PathBuf,
    /// Length in seconds.
    pub seconds: u64,
    /// Number of sizes that the server produces.
    pub sizes: usize,
}

/// A processed video.
pub struct Made {
    /// Id of the content item.
    pub uid: String,
    /// Time from the response to the upload until all sizes could be played.
    pub took: Duration,
}

impl Film {
    /// Creates the file unless it exists.
    pub fn make(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let film = Self { path: path.clone(), seconds: SECONDS, sizes: 3 };
        if path.exists() {
            return Ok(film);
        }
        let mut command = Command::new("ffmpeg");
        command
            .args(["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30,noise=alls=9:allf=t"])
            .args(["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=48000", "-t", &SECONDS.to_string()])
            .args(["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "8M", "-maxrate", "8M"])
            .args(["-bufsize", "16M", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-y"])
            .arg(&path);
        process::timed(&mut command)?;
        Ok(film)
    }

    /// Returns the video repeated `times` times, so that processing takes accordingly longer.
    pub fn repeated(&self, times: u64) -> Result<Self, Failure> {
        let path = self.path.with_file_name(format!("{times}-times.mp4"));
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-stream_loop", &(times - 1).to_string(), "-i"]).arg(&self.path);
        command.args(["-c", "copy", "-movflags", "+faststart", "-y"]).arg(&path);
        process::timed(&mut command)?;
        Ok(Self { path, seconds: self.seconds * times, ..*self })
    }

    /// Uploads the video and returns the id of the content item.
    pub async fn upload(&self, town: &Town) -> Result<String, Failure> {
        let bytes = std::fs::read(&self.path)?;
        let file = json!({
            "name": NAME, "size": bytes.len(), "type": "video/mp4", "checksum": md5_of(&self.path)?,
        });
        let wish = json!({ "content": { "title": "A film" }, "orgId": town.orgs[0].uid, "file": file });
        let upload = town.owner.post("/v1/content", &wish).await?;
        let address = text(&upload["ingest"], "url")?;
        town.owner.put(path_of(&address)?, "video/mp4", bytes).await?;
        text(&upload, "uid")
    }

    /// Uploads the video and waits until the server has processed it.
    pub async fn made_by(&self, server: &Server, town: &Town) -> Result<Made, Failure> {
        let uid = self.upload(town).await?;
        let began = Instant::now();
        let path = format!("/v1/content/{uid}");
        let state = wait_up_to(LONGEST, "processed video", async || {
            let content = town.owner.get(&path).await?;
            let state = content["processing"].as_str().unwrap_or_default().to_owned();
            Ok(["done", "failed"].contains(&state.as_str()).then_some(state))
        })
        .await?;
        let took = began.elapsed();
        if state == "done" {
            Ok(Made { uid, took })
        } else {
            Err(format!("{}: processing {state}", server.address).into())
        }
    }
}
