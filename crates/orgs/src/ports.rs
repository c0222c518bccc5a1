//! What this room asks of the rooms above it.

use db::WriteTx;
use kernel::Uid;
use sea_orm::DbErr;

/// Facts about playlists; the playlists' room answers.
#[async_trait::async_trait]
pub trait PlaylistFacts: Send + Sync + 'static {
    /// Those of `ids` that are public playlists of `org`.
    async fn public_among(&self, tx: &WriteTx, org: Uid, ids: &[Uid]) -> Result<Vec<Uid>, DbErr>;

    /// Whether `id` is a playlist of `org`.
    async fn exists(&self, tx: &WriteTx, org: Uid, id: Uid) -> Result<bool, DbErr>;
}

/// Whose a picture is; the content's room answers.
#[async_trait::async_trait]
pub trait Pictures: Send + Sync + 'static {
    /// Whether `path` is that of a picture uploaded for `org`, read in the transaction that will show it.
    async fn is_of(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<bool, DbErr>;
}

/// Who may make an organisation without buying one first; billing answers (C-07).
#[async_trait::async_trait]
pub trait Provisions: Send + Sync + 'static {
    /// Takes a free active provision of an account that `person` manages for the new organisation `org`;
    /// false when there is none.
    async fn take(&self, tx: &WriteTx, person: Uid, org: Uid) -> Result<bool, DbErr>;
}
