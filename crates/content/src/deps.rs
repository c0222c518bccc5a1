//! What the handle of this crate is created from.

use std::sync::Arc;

use db::Db;
use jobs::Jobs;
use kernel::{Ambient, PublicUrl, Signer};
use media::Media;
use orgs::Orgs;
use storage::Storage;

use crate::{Announcer, Content, ContentSettings, EmbedLookup, PlaylistLookup, Quota};

/// The dependencies of [`Content`].
pub struct ContentDeps {
    /// Database of this process.
    pub db: Db,
    /// Source of time, randomness and ids.
    pub ambient: Ambient,
    /// Public address of the server.
    pub public: PublicUrl,
    /// Signs ingest and playback addresses.
    pub signer: Signer,
    /// Job queue.
    pub jobs: Jobs,
    /// Storage for files and everything derived from them.
    pub storage: Storage,
    /// Media tools such as ffmpeg, run in confinement.
    pub media: Media,
    /// Grants access to organisations.
    pub orgs: Orgs,
    /// Looks up playlists.
    pub playlists: Arc<dyn PlaylistLookup>,
    /// Looks up plan limits; if absent, only the settings limit a file.
    pub quota: Option<Arc<dyn Quota>>,
    /// Settings of this crate.
    pub settings: ContentSettings,
}

impl Content {
    /// Sets the receiver of announcements to app users.
    #[must_use]
    pub fn with_announcer(mut self, announcer: Arc<dyn Announcer>) -> Self {
        self.announcer = Some(announcer);
        self
    }

    /// Sets the client that asks the hosts of embedded videos for titles and posters; `None` if they are not asked.
    #[must_use]
    pub fn with_embed_lookup(mut self, lookup: Option<EmbedLookup>) -> Self {
        self.embed_lookup = lookup.map(Arc::new);
        self
    }
}
