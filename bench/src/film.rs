//! A film as people upload it, and what the server makes of it.

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
/// How long its making may take on a machine that has much else to do.
const LONGEST: Duration = Duration::from_secs(300);

/// 1280x720, 30 pictures a second, with sound and so much noise that its sizes come near their highest rate.
pub struct Film {
    /// Where it lies.
    pub path: PathBuf,
    /// Its length.
    pub seconds: u64,
    /// In how many sizes the server makes it.
    pub sizes: usize,
}

/// A film that the server has made.
pub struct Made {
    /// The content.
    pub uid: String,
    /// From the answer to the upload until it could be played in all sizes.
    pub took: Duration,
}

impl Film {
    /// Makes it, unless it is there.
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

    /// The same film so many times in a row, so that its making takes as much longer.
    pub fn repeated(&self, times: u64) -> Result<Self, Failure> {
        let path = self.path.with_file_name(format!("{times}-times.mp4"));
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-stream_loop", &(times - 1).to_string(), "-i"]).arg(&self.path);
        command.args(["-c", "copy", "-movflags", "+faststart", "-y"]).arg(&path);
        process::timed(&mut command)?;
        Ok(Self { path, seconds: self.seconds * times, ..*self })
    }

    /// Uploads it; returns the content.
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

    /// Uploads it and waits until the server has made it.
    pub async fn made_by(&self, server: &Server, town: &Town) -> Result<Made, Failure> {
        let uid = self.upload(town).await?;
        let began = Instant::now();
        let path = format!("/v1/content/{uid}");
        let state = wait_up_to(LONGEST, "the film", async || {
            let content = town.owner.get(&path).await?;
            let state = content["processing"].as_str().unwrap_or_default().to_owned();
            Ok(["done", "failed"].contains(&state.as_str()).then_some(state))
        })
        .await?;
        let took = began.elapsed();
        if state == "done" {
            Ok(Made { uid, took })
        } else {
            Err(format!("{}: the film {state}", server.address).into())
        }
    }
}
