//! Traits that crates above implement.

use db::WriteTx;
use kernel::{ContentId, OrgId, PlaylistId, Timestamp};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{DatabaseConnection, DbErr};

use crate::Content;
use crate::visibility::PlaylistAccess;

/// Looks up playlists; implemented by the playlists crate.
#[async_trait::async_trait]
pub trait PlaylistLookup: Send + Sync + 'static {
    /// Returns what decides who may open a playlist of `org`, if it contains `content`.
    async fn access_of(
        &self,
        conn: &DatabaseConnection,
        org: OrgId,
        playlist: PlaylistId,
        content: ContentId,
    ) -> Result<Option<PlaylistAccess>, DbErr>;

    /// Returns the playlists of `org` that contain `content`. It is called in the transaction that deletes
    /// the item, because deletion is soft and no foreign key guards the reference.
    async fn containing(
        &self,
        tx: &WriteTx,
        org: OrgId,
        content: ContentId,
    ) -> Result<Vec<PlaylistId>, DbErr>;

    /// Removes a deleted item from the playlists of `org`, in `tx`.
    async fn remove_item(&self, tx: &WriteTx, org: OrgId, content: ContentId) -> Result<(), DbErr>;

    /// Builds a query for the given image paths that a playlist uses as its thumbnail.
    fn previews_among(&self, paths: &[String]) -> SelectStatement;

    /// Builds a query for the ids of all items in a playlist of `org`.
    fn item_ids(&self, org: OrgId) -> SelectStatement;

    /// Builds a query for the ids of all items in a playlist of `org` that app users may open at `now`.
    fn open_item_ids(&self, org: OrgId, now: Timestamp) -> SelectStatement;
}

/// Announces new content to app users; implemented by the audience crate.
#[async_trait::async_trait]
pub trait Announcer: Send + Sync + 'static {
    /// Records, in `tx`, that an item became available that app users should be told about.
    async fn published(&self, tx: &WriteTx, org: OrgId, content: ContentId) -> Result<(), DbErr>;

    /// Records, in `tx`, that what app users of `org` may see could have changed.
    async fn changed(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr>;
}

/// Looks up the storage limits of a plan; the server implements it with the billing crate.
#[async_trait::async_trait]
pub trait Quota: Send + Sync + 'static {
    /// Returns the limits of an organisation's plan, read in the transaction that enforces them.
    async fn limits(&self, tx: &WriteTx, org: OrgId) -> Result<Limits, DbErr>;

    /// Returns the other organisations that share the same total; none by default.
    async fn sharing(&self, _tx: &WriteTx, _org: OrgId) -> Result<Vec<OrgId>, DbErr> {
        Ok(Vec::new())
    }
}

/// Storage limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum bytes of one file.
    pub file_bytes: u64,
    /// Maximum bytes of all files together; `None` for no limit.
    pub total_bytes: Option<u64>,
}

impl Content {
    /// Announces an item that became available.
    pub(crate) async fn announce(&self, tx: &WriteTx, org: OrgId, content: ContentId) -> Result<(), DbErr> {
        match &self.announcer {
            Some(announcer) => announcer.published(tx, org, content).await,
            None => Ok(()),
        }
    }

    /// Triggers a new look at pending announcements, after app users may see more than before.
    pub(crate) async fn visibility_changed(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        match &self.announcer {
            Some(announcer) => announcer.changed(tx, org).await,
            None => Ok(()),
        }
    }
}
