//! Answers to orgs' questions where the room that answers is not under test.

use db::WriteTx;
use kernel::Uid;
use orgs::{Pictures, PlaylistFacts, Provisions};
use sea_orm::DbErr;

/// There are no playlists.
pub struct NoPlaylists;

#[async_trait::async_trait]
impl PlaylistFacts for NoPlaylists {
    async fn public_among(&self, _: &WriteTx, _: Uid, _: &[Uid]) -> Result<Vec<Uid>, DbErr> {
        Ok(Vec::new())
    }

    async fn exists(&self, _: &WriteTx, _: Uid, _: Uid) -> Result<bool, DbErr> {
        Ok(false)
    }
}

/// Every picture is whoever's asks.
pub struct AnyPicture;

#[async_trait::async_trait]
impl Pictures for AnyPicture {
    async fn is_of(&self, _: &WriteTx, _: Uid, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

#[async_trait::async_trait]
impl identity::Photos for AnyPicture {
    async fn is_of(&self, _: &WriteTx, _: Uid, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

/// Everybody has a free plan.
pub struct AlwaysFree;

#[async_trait::async_trait]
impl Provisions for AlwaysFree {
    async fn take(&self, _: &WriteTx, _: Uid, _: Uid) -> Result<bool, DbErr> {
        Ok(true)
    }
}
