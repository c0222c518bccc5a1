//! Public images: their storage keys, and whom they belong to. Crates below store only a path.

use db::WriteTx;
use kernel::Uid;
use sea_orm::{ConnectionTrait, DbErr};
use storage::Key;

use crate::{Content, Error, store};

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

    /// Accepts an empty path or that of an image uploaded for this organisation.
    pub(crate) async fn check_preview(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<(), Error> {
        let fine = path.is_empty() || self.is_image_of(tx, org, path).await?;
        if fine { Ok(()) } else { Err(Error::ForeignImage) }
    }
}

/// Returns the storage key of the image with this name.
pub fn image_key(name: &str) -> Option<Key> {
    u128::from_str_radix(name, 16).ok().map(|random| Key::image(random.to_be_bytes()))
}

async fn is_of(conn: &impl ConnectionTrait, org: Uid, path: &str) -> Result<bool, DbErr> {
    match path.strip_prefix(PATH_PREFIX) {
        Some(name) => store::image::is_of(conn, org, name).await,
        None => Ok(false),
    }
}
