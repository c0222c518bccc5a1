//! What this room asks of the rooms above it.

use db::WriteTx;
use kernel::Uid;
use sea_orm::DbErr;

/// Who tells app users what is new; the audience's room answers.
#[async_trait::async_trait]
pub trait News: Send + Sync + 'static {
    /// A playlist of which app users are to be told has been made, as part of `tx`.
    async fn came(&self, tx: &WriteTx, org: Uid, playlist: Uid) -> Result<(), DbErr>;

    /// What app users of `org` may see may have changed, as part of `tx`.
    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr>;
}
