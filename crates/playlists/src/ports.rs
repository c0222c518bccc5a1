//! Traits that crates above implement.

use db::WriteTx;
use kernel::{OrgId, PlaylistId};
use sea_orm::DbErr;

/// Announces new playlists to app users; implemented by the audience crate.
#[async_trait::async_trait]
pub trait Announcer: Send + Sync + 'static {
    /// Records, in `tx`, that a playlist was created that app users should be told about.
    async fn published(&self, tx: &WriteTx, org: OrgId, playlist: PlaylistId) -> Result<(), DbErr>;

    /// Records, in `tx`, that what app users of `org` may see could have changed.
    async fn changed(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr>;
}
