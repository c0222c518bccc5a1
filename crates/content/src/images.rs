//! Public images: their storage keys, and whom they belong to. Crates below store only a path.

use db::WriteTx;
use kernel::{OrgId, PersonId};
use media::{IconShape, ImageError, Target};
use sea_orm::{ConnectionTrait, DbErr};
use storage::{Key, StorageError};

use crate::{Content, Error, store};

/// Path prefix of public images.
pub const PATH_PREFIX: &str = "/images/";

/// Implements the image lookups of `identity` and `orgs`.
pub struct ImageLookup;

#[async_trait::async_trait]
impl identity::PhotoOwnership for ImageLookup {
    async fn is_owned_by(&self, tx: &WriteTx, person: PersonId, path: &str) -> Result<bool, DbErr> {
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
    async fn is_owned_by(&self, tx: &WriteTx, org: OrgId, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }
}

impl Content {
    /// Returns whether a path is that of an image uploaded for this organisation. The caller must have begun
    /// `tx` on the organisation.
    pub async fn is_image_of(&self, tx: &WriteTx, org: OrgId, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }

    /// Draws an app icon in PNG from a public image. Returns `None` if there is no such image any more, or if it
    /// cannot be decoded.
    pub async fn icon_of(&self, path: &str, shape: IconShape) -> Result<Option<Vec<u8>>, Error> {
        let Some(name) = path.strip_prefix(PATH_PREFIX) else { return Ok(None) };
        let Some((_, widths)) = store::image::by_name(self.db.read(), name).await? else { return Ok(None) };
        let width = widths.into_iter().find(|width| *width >= shape.side);
        let Some(key) = image_key(name, width) else { return Ok(None) };
        let folder = self.media.folder().await.map_err(StorageError::from)?;
        let input = if let Some(path) = self.storage.local_path(&key) {
            path
        } else {
            let copy = folder.path().join("image");
            match self.storage.fetch_to(&key, &copy).await {
                Err(StorageError::Missing) => return Ok(None),
                fetched => fetched?,
            }
            copy
        };
        match self.media.reencode_image(&input, Target::Icon(shape), &[]).await {
            Ok(icon) => Ok(Some(icon.bytes)),
            Err(ImageError::Machine(error)) => Err(StorageError::from(error).into()),
            Err(error) => {
                tracing::warn!(%error, image = name, "no icon can be made from an image");
                Ok(None)
            }
        }
    }

    /// Checks that a thumbnail, if there is one, is an image uploaded for this organisation.
    pub(crate) async fn check_preview(
        &self,
        tx: &WriteTx,
        org: OrgId,
        path: Option<&str>,
    ) -> Result<(), Error> {
        match path {
            Some(path) if !self.is_image_of(tx, org, path).await? => Err(Error::ForeignImage),
            _ => Ok(()),
        }
    }
}

/// Returns the random bytes that an image is named after; `None` if this server did not create the name.
pub fn random_of(name: &str) -> Option<[u8; 16]> {
    let mut random = [0; 16];
    hex::decode_to_slice(name, &mut random).ok()?;
    Some(random)
}

/// Returns the storage key of an image, or of its smaller version of a width.
pub fn image_key(name: &str, width: Option<u32>) -> Option<Key> {
    let random = random_of(name)?;
    Some(width.map_or_else(|| Key::image(random), |width| Key::image_of_width(random, width)))
}

async fn is_of(conn: &impl ConnectionTrait, org: OrgId, path: &str) -> Result<bool, DbErr> {
    match path.strip_prefix(PATH_PREFIX) {
        Some(name) => store::image::is_of(conn, org, name).await,
        None => Ok(false),
    }
}
