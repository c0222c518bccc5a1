//! Tells crates below, which store only a path, whom an image belongs to.

use db::WriteTx;
use kernel::Uid;
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Content, store};

/// Path prefix of public images.
pub const PATH_PREFIX: &str = "/images/";

/// Implements the image lookups of `identity` and `orgs`.
pub struct ImageLookup;

#[async_trait::async_trait]
impl identity::PhotoOwnership for ImageLookup {
    async fn is_owned_by(&self, tx: &WriteTx, person: Uid, path: &str) -> Result<bool, DbErr> {
        // Keeps the purge from removing the image before it is in use.
        tx.lock(person).await?;
        match path.strip_prefix(PATH_PREFIX) {
            Some(name) => store::image::is_photo_of(tx, person, name).await,
            None => Ok(false),
        }
    }
}

#[async_trait::async_trait]
impl orgs::ImageOwnership for ImageLookup {
    async fn is_owned_by(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }
}

impl Content {
    /// Returns whether a path is that of an image uploaded for this organisation. The caller must have begun
    /// `tx` on the organisation.
    pub async fn is_image_of(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }
}

async fn is_of(conn: &impl ConnectionTrait, org: Uid, path: &str) -> Result<bool, DbErr> {
    match path.strip_prefix(PATH_PREFIX) {
        Some(name) => store::image::is_of(conn, org, name).await,
        None => Ok(false),
    }
}
