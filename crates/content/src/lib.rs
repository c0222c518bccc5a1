//! What an organisation shows: files and embedded films, their upload, processing and delivery.
//!
//! A reference room. `model` and `visibility` hold the rules, `store` all SQL (the organisation is always a
//! filter, except where a signed address is the proof), each file of `ops` one operation from request to
//! answer, each file of `jobs` one background job. Bytes become visible in two steps: the storage commits
//! them under a key nobody reads yet, then one transaction makes the content available and enqueues its
//! processing; only then is the upload acknowledged.

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

/// What the room is built from.
pub struct Parts {
    /// The database.
    pub db: Db,
    /// Time, chance and ids.
    pub ambient: Ambient,
    /// Where the server is reached.
    pub public: PublicUrl,
    /// Signs ingest and playback addresses.
    pub signer: Signer,
    /// The queue.
    pub jobs: Jobs,
    /// Where the bytes lie.
    pub storage: Storage,
    /// ffmpeg behind walls.
    pub media: Media,
    /// The door of organisations.
    pub orgs: Orgs,
    /// Who knows playlists.
    pub shelves: Arc<dyn Shelves>,
    /// Who knows plans; without, only the settings limit a file.
    pub quota: Option<Arc<dyn Quota>>,
    /// The room's settings.
    pub settings: ContentSettings,
}

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Content {
    parts: Arc<Parts>,
    /// Where people's files are served.
    files: PublicUrl,
    /// Places for files that are coming in.
    places: Places,
    /// Whose image is being decoded.
    image_turns: ImageTurns,
    /// Who tells app users what is new.
    news: Option<Arc<dyn News>>,
}

impl std::ops::Deref for Content {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Content {
    /// Opens the room.
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

    /// Says who tells app users what is new; without, nobody is told.
    #[must_use]
    pub fn with_news(mut self, news: Arc<dyn News>) -> Self {
        self.news = Some(news);
        self
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// The operations at the root: people's files and public pictures.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }

    /// Clears up now what the schedules clear up every hour and every day: for the command line and for tests.
    ///
    /// # Errors
    /// The database's and the storage's own; what was interrupted is done the next time.
    pub async fn purge(&self) -> Result<(), Failure> {
        jobs::purge(self.clone()).await?;
        jobs::purge_pictures(self.clone()).await
    }

    /// Says how this room's jobs are done.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
