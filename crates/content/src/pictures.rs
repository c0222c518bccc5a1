//! Whose picture is it? Answers the rooms below, which store nothing but a path.

use db::WriteTx;
use kernel::Uid;
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Content, store};

/// Where public pictures are served.
pub const FOLDER: &str = "/images/";

/// Answers identity's and orgs' question whose a picture is.
pub struct PictureFacts;

#[async_trait::async_trait]
impl identity::Photos for PictureFacts {
    async fn is_of(&self, tx: &WriteTx, person: Uid, path: &str) -> Result<bool, DbErr> {
        // Holds off the purge, which takes what nobody shows.
        tx.lock(person).await?;
        match path.strip_prefix(FOLDER) {
            Some(name) => store::image::is_photo_of(tx, person, name).await,
            None => Ok(false),
        }
    }
}

#[async_trait::async_trait]
impl orgs::Pictures for PictureFacts {
    async fn is_of(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }
}

impl Content {
    /// Whether a path is that of a picture uploaded for this organisation; the caller has begun its
    /// transaction on the organisation.
    ///
    /// # Errors
    /// The database's own.
    pub async fn is_picture_of(&self, tx: &WriteTx, org: Uid, path: &str) -> Result<bool, DbErr> {
        is_of(tx, org, path).await
    }
}

async fn is_of(conn: &impl ConnectionTrait, org: Uid, path: &str) -> Result<bool, DbErr> {
    match path.strip_prefix(FOLDER) {
        Some(name) => store::image::is_of(conn, org, name).await,
        None => Ok(false),
    }
}
