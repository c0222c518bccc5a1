//! Playlists, the order of their items, and what may be pinned.
//!
//! A reference room: `model` holds the rules, `store` all SQL (the organisation is always a filter), each
//! file of `ops` one operation from request to answer. The items stand in the playlist's own row, in order;
//! `playlist_item` is the way back from a content to the playlists that show it, written in the same
//! statement's transaction and nowhere else.

mod entity;
mod error;
mod facts;
mod migrations;
mod model;
mod ops;
mod ports;
mod store;
mod wire;

use std::sync::Arc;

use content::Content;
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, Millis, PublicUrl, Uid};
use orgs::Orgs;
use sea_orm::{ConnectionTrait, DbErr};

pub use error::Error;
pub use facts::Facts;
pub use model::Playlist;
pub use ports::News;
pub use wire::PlaylistOut;

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Playlists {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    orgs: Orgs,
    content: Content,
    news: Option<Arc<dyn News>>,
}

impl Playlists {
    /// Opens the room.
    pub fn new(db: Db, ambient: Ambient, public: PublicUrl, orgs: Orgs, content: Content) -> Self {
        Self { db, ambient, public, orgs, content, news: None }
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

    /// A thumbnail is none, or a picture that was uploaded for this organisation.
    async fn check_preview(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<(), Error> {
        let fine = path.is_empty() || self.content.is_picture_of(tx, org, path).await?;
        if fine { Ok(()) } else { Err(Error::ForeignImage) }
    }

    /// Those of `ids` that are playlists of the organisation, in no order.
    ///
    /// # Errors
    /// The database's own.
    pub async fn by_ids(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        ids: &[Uid],
    ) -> Result<Vec<Playlist>, DbErr> {
        store::by_ids(conn, org, ids).await
    }

    /// The oldest public playlist of the organisation that holds the content.
    ///
    /// # Errors
    /// The database's own.
    pub async fn public_with(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        content: Uid,
    ) -> Result<Option<Uid>, DbErr> {
        store::public_with(conn, org, content).await
    }

    /// Adds watch time to a playlist's total, as part of analytics' `tx`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn add_watch_time(
        &self,
        tx: &WriteTx,
        org: Uid,
        playlist: Uid,
        by: Millis,
    ) -> Result<(), DbErr> {
        store::add_watch_time(tx, org, playlist, by).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
