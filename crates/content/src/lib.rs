//! Content of an organisation: files and embedded videos, their upload, processing and delivery.
//!
//! `model` and `visibility` hold the rules, `store` all SQL (always filtered by organisation, except where a
//! signed address is the proof), each file of `ops` one operation from request to response, and each file of
//! `jobs` one background job. Bytes become visible in two steps: the storage commits them under a key that no
//! row refers to yet, then one transaction makes the item available and enqueues its processing. Only then is
//! the upload acknowledged.

mod captions;
mod delivery;
mod doors;
mod entity;
mod error;
mod grant;
mod image_turns;
mod item;
mod jobs;
mod migrations;
mod model;
mod objects;
mod ops;
mod orphans;
mod pictures;
mod places;
mod ports;
mod release;
mod settings;
mod store;
mod verify;
mod visibility;
mod wire;

use std::sync::Arc;

use ::jobs::{Failure, Handlers, Jobs};
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, PublicUrl};
use media::Media;
use orgs::Orgs;
use storage::{Signer, Storage};

use image_turns::ImageTurns;
use places::Places;

pub use doors::{EventContent, Open, StorageUse};
pub use error::{Error, ImageFault, Mismatch};
pub use model::{ContentKind, Origin, Processing, UploadStatus};
pub use orphans::SweepError;
pub use pictures::PictureFacts;
pub use ports::{Limits, News, Quota, Shelves};
pub use settings::ContentSettings;
pub use verify::Findings;
pub use visibility::{Facts, State, Viewer, may_see};
pub use wire::{ContentOut, ContentStats, FileOut, UploadOut};

/// The dependencies of [`Content`].
pub struct Parts {
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
    pub shelves: Arc<dyn Shelves>,
    /// Looks up plan limits; if absent, only the settings limit a file.
    pub quota: Option<Arc<dyn Quota>>,
    /// Settings of this crate.
    pub settings: ContentSettings,
}

/// The handle of this crate. Clones share the same state.
#[derive(Clone)]
pub struct Content {
    parts: Arc<Parts>,
    /// Origin from which uploaded files are served.
    files: PublicUrl,
    /// Limits concurrent uploads.
    places: Places,
    /// Limits image decoding to one at a time per person.
    image_turns: ImageTurns,
    /// Announces new content to app users.
    news: Option<Arc<dyn News>>,
}

impl std::ops::Deref for Content {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Content {
    /// Creates the handle; announcements are off until [`with_news`](Self::with_news).
    pub fn new(parts: Parts) -> Self {
        let files = PublicUrl::parse(&parts.settings.content_url).unwrap_or_else(|| parts.public.clone());
        Self {
            files,
            places: Places::new(&parts.settings),
            image_turns: ImageTurns::default(),
            news: None,
            parts: Arc::new(parts),
        }
    }

    /// Sets the receiver of announcements to app users.
    #[must_use]
    pub fn with_news(mut self, news: Arc<dyn News>) -> Self {
        self.news = Some(news);
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns the routes at the root: uploaded files and public images.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }

    /// Runs the hourly and daily cleanup now, for the command line and for tests. What fails is retried next
    /// time.
    pub async fn purge(&self) -> Result<(), Failure> {
        jobs::purge(self.clone()).await?;
        jobs::purge_pictures(self.clone()).await
    }

    /// Registers the job handlers of this crate.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }
}

/// Returns the migrations of this crate, in order.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
