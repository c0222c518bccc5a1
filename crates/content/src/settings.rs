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
    /// The same for the files of one person.
    pub uploads_at_once_person: usize,
    /// The same for the files of one organisation.
    pub uploads_at_once_org: usize,
    /// Public pictures one person may announce in 24 hours.
    pub pictures_per_day: u64,
}

impl Default for ContentSettings {
    fn default() -> Self {
        Self {
            content_url: String::new(),
            file_max_bytes: 20 * 1024 * 1024 * 1024,
            upload_idle_seconds: 30,
            upload_min_rate: 4096,
            uploads_at_once: 64,
            uploads_at_once_person: 8,
            uploads_at_once_org: 16,
            pictures_per_day: 100,
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
        let limits =
            [self.file_max_bytes, self.upload_idle_seconds, self.upload_min_rate, self.pictures_per_day];
        let places = [self.uploads_at_once, self.uploads_at_once_person, self.uploads_at_once_org];
        if limits.contains(&0) || places.contains(&0) {
            return Err(
                "the limits of uploads (file_max_bytes, upload* and pictures_per_day) must be at least 1"
                    .into(),
            );
        }
        Ok(())
    }
}
