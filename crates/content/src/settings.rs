//! Settings of content.

use serde::{Deserialize, Serialize};

/// Limits of uploads and where people's files are served from.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct ContentSettings {
    /// Second origin from which people's files are served, such as `https://files.example.com`, reaching the
    /// same server. Empty: the public address.
    pub content_url: String,
    /// Largest file in bytes, whatever the plan allows.
    pub file_max_bytes: u64,
    /// Seconds an upload may be silent before it is cut.
    pub upload_idle_seconds: u64,
    /// Bytes a second that an upload must reach on the whole; a slower one is cut.
    pub upload_min_rate: u64,
    /// Files that may come in at the same time; more are asked to try again.
    pub uploads_at_once: usize,
}

impl Default for ContentSettings {
    fn default() -> Self {
        Self {
            content_url: String::new(),
            file_max_bytes: 20 * 1024 * 1024 * 1024,
            upload_idle_seconds: 30,
            upload_min_rate: 4096,
            uploads_at_once: 64,
        }
    }
}

impl ContentSettings {
    /// Says what is wrong with the settings, if anything.
    ///
    /// # Errors
    /// A sentence for the person who wrote them.
    pub fn check(&self) -> Result<(), String> {
        if !self.content_url.is_empty() && kernel::PublicUrl::parse(&self.content_url).is_none() {
            return Err("content_url must be an origin such as https://files.example.com".into());
        }
        let limits = [self.file_max_bytes, self.upload_idle_seconds, self.upload_min_rate];
        if limits.contains(&0) || self.uploads_at_once == 0 {
            return Err("the limits of uploads (file_max_bytes and upload*) must be at least 1".into());
        }
        Ok(())
    }
}
