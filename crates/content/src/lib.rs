#![doc = include_str!("../README.md")]

mod access;
mod api;
mod backup;
mod captions;
mod decode_permits;
mod delivery;
mod deps;
mod dto;
mod embed;
mod entity;
mod erasure;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod grant;
mod images;
mod item;
mod jobs;
mod migrations;
mod model;
mod objects;
mod ops;
mod org_data;
mod orphans;
mod ports;
mod poster;
mod quota;
mod reject_reason;
mod schedule;
mod settings;
pub mod storage_identity;
mod store;
mod tus_error;
mod upload;
mod upload_slots;
mod verify;
mod visibility;

use std::sync::Arc;

use ::jobs::Jobs;
use db::{Db, Migration};
use decode_permits::DecodePermits;
use httpkit::Api;
use kernel::{Ambient, PublicUrl, Signer};
use media::Media;
use orgs::Orgs;
use storage::Storage;
use upload_slots::UploadSlots;

pub use api::{ItemFilter, ItemPlace, ItemStats, OpenItem, StorageUse, titles};
pub use backup::{NamedObject, forget_partial_uploads, named_objects};
pub use deps::ContentDeps;
pub use dto::{ContentOut, ContentStats, FileOut, UploadOut};
pub use embed::EmbedLookup;
pub use erasure::UploaderErasure;
pub use error::{Error, ImageDecodeError, MismatchError};
pub use images::ImageLookup;
pub use model::{ContentKind, Origin, PAGES, Processing, UploadStatus};
pub use orphans::SweepError;
pub use ports::{Announcer, Limits, PlaylistLookup, Quota};
pub use schedule::{Schedule, ScheduleChange, ScheduleError};
pub use settings::ContentSettings;
pub use verify::Findings;
pub use visibility::{
    PlaylistAccess, State, Viewer, VisibilityAliases, VisibilityInput, may_see, may_see_sql,
    open_playlist_sql, viewer_of, within_dates,
};

/// The handle of this crate. Clones share the same state.
#[derive(Clone)]
pub struct Content {
    db: Db,
    ambient: Ambient,
    /// Public address of the server.
    public: PublicUrl,
    /// Origin from which uploaded files are served.
    files: PublicUrl,
    signer: Signer,
    jobs: Jobs,
    storage: Storage,
    media: Media,
    orgs: Arc<Orgs>,
    playlists: Arc<dyn PlaylistLookup>,
    quota: Option<Arc<dyn Quota>>,
    settings: Arc<ContentSettings>,
    /// Limits concurrent uploads.
    upload_slots: UploadSlots,
    /// Limits image decoding to one at a time per person.
    decode_permits: DecodePermits,
    /// Announces new content to app users.
    announcer: Option<Arc<dyn Announcer>>,
    /// Asks the hosts of embedded videos.
    embed_lookup: Option<Arc<EmbedLookup>>,
}

impl Content {
    /// Creates the handle; announcements are off until [`with_announcer`](Self::with_announcer), and
    /// video hosts are not asked until [`with_embed_lookup`](Self::with_embed_lookup).
    pub fn new(deps: ContentDeps) -> Self {
        let ContentDeps {
            db,
            ambient,
            public,
            signer,
            jobs,
            storage,
            media,
            orgs,
            playlists,
            quota,
            settings,
        } = deps;
        Self {
            db,
            ambient,
            files: PublicUrl::parse(&settings.content_url).unwrap_or_else(|| public.clone()),
            public,
            signer,
            jobs,
            storage,
            media,
            orgs: orgs.into(),
            playlists,
            quota,
            upload_slots: UploadSlots::new(&settings),
            settings: Arc::new(settings),
            decode_permits: DecodePermits::default(),
            announcer: None,
            embed_lookup: None,
        }
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns the routes at the root: uploaded files and public images.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }
}

/// Returns the migrations of this crate, in order.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
