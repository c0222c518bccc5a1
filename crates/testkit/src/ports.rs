//! Implementations of the ports of orgs and identity for tests without the crates that implement them.

use db::WriteTx;
use kernel::{OrgId, PersonId, PlaylistId};
use orgs::{ImageOwnership, OrgPlaylists, Provisions};
use sea_orm::DbErr;

/// Reports that no playlists exist.
pub struct NoPlaylists;

#[async_trait::async_trait]
impl OrgPlaylists for NoPlaylists {
    async fn public_among(&self, _: &WriteTx, _: OrgId, _: &[PlaylistId]) -> Result<Vec<PlaylistId>, DbErr> {
        Ok(Vec::new())
    }

    async fn exists(&self, _: &WriteTx, _: OrgId, _: PlaylistId) -> Result<bool, DbErr> {
        Ok(false)
    }
}

/// Accepts every path below `/images/` as the caller's own image.
pub struct AnyImage;

#[async_trait::async_trait]
impl ImageOwnership for AnyImage {
    async fn is_owned_by(&self, _: &WriteTx, _: OrgId, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

#[async_trait::async_trait]
impl identity::PhotoOwnership for AnyImage {
    async fn is_owned_by(&self, _: &WriteTx, _: PersonId, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

/// Always has a free provision.
pub struct AlwaysFree;

#[async_trait::async_trait]
impl Provisions for AlwaysFree {
    async fn assign(&self, _: &WriteTx, _: PersonId, _: OrgId) -> Result<bool, DbErr> {
        Ok(true)
    }
}
