#![doc = include_str!("../README.md")]

mod access;
mod card;
mod dto;
mod entity;
mod error;
mod glimpse;
mod jobs;
mod lookup;
mod migrations;
mod model;
mod ops;
mod org_data;
mod placements;
mod ports;
mod store;
mod titles;
mod verify;

use std::collections::HashMap;
use std::sync::Arc;

use ::jobs::{Handlers, JobError, Queue};
use content::{Content, Schedule};
use db::rows::WriteSet;
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, ContentId, DAY, Millis, OrgId, PlaylistId, PublicUrl};
use orgs::{OrgOf, Orgs};
use sea_orm::{ConnectionTrait, DbErr};

pub use card::Card;
pub use dto::{PlaylistOut, ShownItemOut};
pub use error::Error;
pub use lookup::Lookup;
pub use model::Playlist;
pub use placements::ItemPlacement;
pub use ports::Announcer;
pub use titles::PlaylistTitles;

/// The handle of this crate. Clones share the same state.
#[derive(Clone)]
pub struct Playlists {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    orgs: Arc<Orgs>,
    content: Arc<Content>,
    announcer: Option<Arc<dyn Announcer>>,
}

impl Playlists {
    /// Creates the handle; announcements are off until [`with_announcer`](Self::with_announcer).
    pub fn new(db: Db, ambient: Ambient, public: PublicUrl, orgs: Orgs, content: Content) -> Self {
        Self { db, ambient, public, orgs: orgs.into(), content: content.into(), announcer: None }
    }

    /// Sets the receiver of announcements to app users.
    #[must_use]
    pub fn with_announcer(mut self, announcer: Arc<dyn Announcer>) -> Self {
        self.announcer = Some(announcer);
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Registers the daily removal of playlists that were deleted 30 days ago.
    pub fn register(&self, handlers: &mut Handlers) {
        let (asked, playlists) = (self.clone(), self.clone());
        let has_work = move || {
            let playlists = asked.clone();
            async move { jobs::purge_playlists::has_work(&playlists).await }
        };
        handlers.every_if("purge_playlists", DAY, Queue::Quick, has_work, move || {
            let playlists = playlists.clone();
            async move { playlists.purge_deleted().await }
        });
    }

    /// Removes playlists that were deleted 30 days ago. Runs as the schedule `purge_playlists`.
    pub async fn purge_deleted(&self) -> Result<(), JobError> {
        jobs::purge_playlists::run(self).await
    }

    /// Fails unless the path is that of an image uploaded for this organisation.
    async fn check_preview(&self, tx: &WriteTx, org: OrgId, path: &str) -> Result<(), Error> {
        if self.content.is_image_of(tx, org, path).await? { Ok(()) } else { Err(Error::ForeignImage) }
    }

    /// Returns the playlists of the organisation among `ids`, in no particular order.
    pub async fn by_ids(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        ids: &[PlaylistId],
    ) -> Result<Vec<Playlist>, DbErr> {
        store::by_ids(conn, org, ids).await
    }

    /// The organisation of a playlist, for callers who enter it.
    pub fn owner(&self, uid: PlaylistId) -> OrgOf {
        store::owner(uid)
    }

    /// Returns the organisation a playlist belongs to. Use it only to check rights, never to return data.
    pub async fn org_of(&self, conn: &impl ConnectionTrait, uid: PlaylistId) -> Result<Option<OrgId>, DbErr> {
        store::org_of(conn, uid).await
    }

    /// Returns, by item, the public playlists of the organisation that contain it, oldest first, with their dates.
    /// Items in none are left out.
    pub async fn public_with(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        items: &[ContentId],
    ) -> Result<HashMap<ContentId, Vec<(PlaylistId, Schedule)>>, DbErr> {
        store::public_with(conn, org, items).await
    }

    /// Adds watch time to the totals of playlists, as part of what analytics writes in a transaction. Each playlist may
    /// occur once.
    ///
    /// # Errors
    /// None are expected.
    pub fn add_watch_time(
        &self,
        writes: &mut WriteSet,
        watched: &[(OrgId, PlaylistId, Millis)],
    ) -> Result<(), DbErr> {
        store::add_watch_time(writes, watched)
    }
}

/// Returns the migrations of this crate, in order.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
