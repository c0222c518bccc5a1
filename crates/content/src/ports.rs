//! What this room asks of the rooms above it.

use db::WriteTx;
use kernel::{Privacy, Uid};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{DatabaseConnection, DbErr};

use crate::Content;

/// Facts about playlists; the playlists' room answers.
#[async_trait::async_trait]
pub trait Shelves: Send + Sync + 'static {
    /// The privacy of a playlist of `org` as long as it holds `content`; `None` otherwise.
    async fn shelf(
        &self,
        conn: &DatabaseConnection,
        org: Uid,
        playlist: Uid,
        content: Uid,
    ) -> Result<Option<Privacy>, DbErr>;

    /// The playlists of `org` that hold `content`, read in the transaction that is about to delete it.
    async fn holding(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<Vec<Uid>, DbErr>;

    /// Takes a content that went out of the playlists of `org` that hold it, as part of `tx`.
    async fn forget(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr>;

    /// Those of the pictures' paths that a playlist shows.
    async fn previews_among(&self, tx: &WriteTx, paths: &[String]) -> Result<Vec<String>, DbErr>;

    /// A query for one column, the ids of all contents that lie in a playlist of `org`.
    fn shelved(&self, org: Uid) -> SelectStatement;
}

/// Who tells app users what is new; the audience's room answers.
#[async_trait::async_trait]
pub trait News: Send + Sync + 'static {
    /// A content of which app users are to be told has become available, as part of `tx`.
    async fn came(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr>;

    /// What app users of `org` may see may have changed, as part of `tx`.
    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr>;
}

/// What a plan allows to store; billing answers.
#[async_trait::async_trait]
pub trait Quota: Send + Sync + 'static {
    /// The limits of an organisation's plan, read in the transaction that is about to use them.
    async fn limits(&self, tx: &WriteTx, org: Uid) -> Result<Limits, DbErr>;

    /// The other organisations whose files count against the same total; none by default.
    async fn sharing(&self, _tx: &WriteTx, _org: Uid) -> Result<Vec<Uid>, DbErr> {
        Ok(Vec::new())
    }
}

/// Limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files together; `None` without limit.
    pub total_bytes: Option<u64>,
}

impl Content {
    /// Has app users told of a content that became available.
    pub(crate) async fn tell(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr> {
        match &self.news {
            Some(news) => news.came(tx, org, content).await,
            None => Ok(()),
        }
    }

    /// Has what waits to be told looked at again, after app users may see more than before.
    pub(crate) async fn opened(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        match &self.news {
            Some(news) => news.changed(tx, org).await,
            None => Ok(()),
        }
    }
}
