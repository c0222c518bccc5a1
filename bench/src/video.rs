//! A typical uploaded video, and its processing by the server.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::api::{path_of, text, wait_up_to};
use crate::seed::{SeedData, md5_of};
use crate::server_process::Server;
use crate::{BoxError, process};

/// Length in seconds.
const SECONDS: u64 = 12;
const NAME: &str = "upload.mp4";
/// Time limit for processing on a machine that is busy.
const PROCESSING_TIMEOUT: Duration = Duration::from_mins(5);

/// 1280x720 at 30 frames per second, with audio and enough noise that each size is close to its maximum
/// bit rate.
pub struct SampleVideo {
    /// Path of the file.
    pub path: PathBuf,
    /// Length in seconds.
    pub seconds: u64,
    /// Number of sizes that the server produces.
    pub sizes: usize,
}

/// A processed video.
pub struct ProcessedVideo {
    /// Id of the content item.
    pub uid: String,
    /// Time from the response to the upload until all sizes could be played.
    pub took: Duration,
}

impl SampleVideo {
    /// Creates the file unless it exists.
    pub fn make(folder: &Path) -> Result<Self, BoxError> {
        let path = folder.join(NAME);
        let video = Self { path: path.clone(), seconds: SECONDS, sizes: 3 };
        if path.exists() {
            return Ok(video);
        }
        let mut command = Command::new("ffmpeg");
        command
            .args(["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30,noise=alls=9:allf=t"])
            .args(["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=48000", "-t", &SECONDS.to_string()])
            .args(["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "8M", "-maxrate", "8M"])
            .args(["-bufsize", "16M", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-y"])
            .arg(&path);
        process::timed(&mut command)?;
        Ok(video)
    }

    /// Returns the video repeated `times` times, so that processing takes accordingly longer.
    pub fn repeated(&self, times: u64) -> Result<Self, BoxError> {
        let path = self.path.with_file_name(format!("{times}-times.mp4"));
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-stream_loop", &(times - 1).to_string(), "-i"]).arg(&self.path);
        command.args(["-c", "copy", "-movflags", "+faststart", "-y"]).arg(&path);
        process::timed(&mut command)?;
        Ok(Self { path, seconds: self.seconds * times, ..*self })
    }

    /// Uploads the video and returns the id of the content item.
    pub async fn upload(&self, seed: &SeedData) -> Result<String, BoxError> {
        let bytes = std::fs::read(&self.path)?;
        let file = json!({
            "name": NAME, "size": bytes.len(), "type": "video/mp4", "checksum": md5_of(&self.path)?,
        });
        let request = json!({ "content": { "title": "A video" }, "orgId": seed.orgs[0].uid, "file": file });
        let upload = seed.owner.post("/v1/content", &request).await?;
        let address = text(&upload["ingest"], "url")?;
        seed.owner.put(path_of(&address)?, "video/mp4", bytes).await?;
        text(&upload, "uid")
    }

    /// Uploads the video and waits until the server has processed it.
    pub async fn processed_by(&self, server: &Server, seed: &SeedData) -> Result<ProcessedVideo, BoxError> {
        let uid = self.upload(seed).await?;
        let started = Instant::now();
        let path = format!("/v1/content/{uid}");
        let state = wait_up_to(PROCESSING_TIMEOUT, "processed video", async || {
            let content = seed.owner.get(&path).await?;
            let state = content["processing"].as_str().unwrap_or_default().to_owned();
            Ok(["done", "failed"].contains(&state.as_str()).then_some(state))
        })
        .await?;
        let took = started.elapsed();
        if state == "done" {
            Ok(ProcessedVideo { uid, took })
        } else {
            Err(format!("{}: processing {state}", server.address).into())
        }
    }
}
