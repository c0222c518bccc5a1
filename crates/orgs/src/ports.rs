//! Questions to crates above this one, which implement these traits.

use db::WriteTx;
use kernel::{OrgId, PersonId, PlaylistId};
use sea_orm::DbErr;

/// Facts about playlists; implemented by playlists.
#[async_trait::async_trait]
pub trait OrgPlaylists: Send + Sync + 'static {
    /// Returns the given ids that are public playlists of `org`.
    async fn public_among(
        &self,
        tx: &WriteTx,
        org: OrgId,
        ids: &[PlaylistId],
    ) -> Result<Vec<PlaylistId>, DbErr>;

    /// Returns whether `id` is a playlist of `org`.
    async fn exists(&self, tx: &WriteTx, org: OrgId, id: PlaylistId) -> Result<bool, DbErr>;
}

/// Ownership of images; implemented by content. Only images uploaded here are accepted, never foreign URLs.
#[async_trait::async_trait]
pub trait ImageOwnership: Send + Sync + 'static {
    /// Returns whether the image at `path` was uploaded for `org`, read in the transaction that puts it to
    /// use.
    async fn is_owned_by(&self, tx: &WriteTx, org: OrgId, path: &str) -> Result<bool, DbErr>;
}

/// Plans without an organisation; implemented by billing.
#[async_trait::async_trait]
pub trait Provisions: Send + Sync + 'static {
    /// Assigns an unused active provision of an account that `person` manages to the new organisation `org`.
    /// Returns false if there is none.
    async fn assign(&self, tx: &WriteTx, person: PersonId, org: OrgId) -> Result<bool, DbErr>;
}
