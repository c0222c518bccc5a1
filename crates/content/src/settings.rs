//! Settings of content.

use serde::{Deserialize, Serialize};

/// Limits of uploads and where people's files are served from.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct ContentSettings {
    /// Second origin from which uploaded files are served, such as `https://files.example.com`. It must reach
    /// the same server. Empty: the public address.
    pub content_url: String,
    /// Whether the server asks YouTube and Vimeo for the titles and posters of embedded videos. Set it to false on a
    /// server without Internet access. Nothing but the id of a video is sent, and browsers are not involved.
    pub embed_lookups: bool,
    /// Maximum file size in bytes, regardless of the plan.
    pub file_max_bytes: u64,
    /// Seconds without data after which an upload is aborted.
    pub upload_idle_seconds: u64,
    /// Minimum average speed of an upload in bytes per second; a slower one is aborted.
    pub upload_min_rate: u64,
    /// Maximum number of concurrent uploads; further ones are asked to try again.
    pub uploads_at_once: usize,
    /// Maximum number of concurrent uploads of one person.
    pub uploads_at_once_person: usize,
    /// Maximum number of concurrent uploads for one organisation.
    pub uploads_at_once_org: usize,
    /// Maximum number of public images one person may start to upload in 24 hours.
    pub images_per_day: u64,
}

impl Default for ContentSettings {
    fn default() -> Self {
        Self {
            content_url: String::new(),
            embed_lookups: true,
            file_max_bytes: 20 * 1024 * 1024 * 1024,
            upload_idle_seconds: 30,
            upload_min_rate: 4096,
            uploads_at_once: 64,
            uploads_at_once_person: 8,
            uploads_at_once_org: 16,
            images_per_day: 100,
        }
    }
}

impl ContentSettings {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns a message for the operator if a setting is invalid.
    pub fn check(&self) -> Result<(), String> {
        if !self.content_url.is_empty() && kernel::PublicUrl::parse(&self.content_url).is_none() {
            return Err("content_url must be an origin such as https://files.example.com".into());
        }
        let limits =
            [self.file_max_bytes, self.upload_idle_seconds, self.upload_min_rate, self.images_per_day];
        let slots = [self.uploads_at_once, self.uploads_at_once_person, self.uploads_at_once_org];
        if limits.contains(&0) || slots.contains(&0) {
            return Err(
                "the upload limits (file_max_bytes, upload* and images_per_day) must be at least 1".into()
            );
        }
        Ok(())
    }
}
