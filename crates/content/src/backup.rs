//! What a backup needs to know about stored objects, and what a restored copy must forget.

use db::WriteTx;
use kernel::Timestamp;
use sea_orm::{ConnectionTrait, DbErr};

use crate::jobs::RESTORABLE;
use crate::store;
use crate::store::backup::NamedRow;
use crate::store::object::ObjectKind;

/// An object that rows refer to, or a folder of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedObject {
    /// Its key, or the prefix of the keys of everything in it.
    pub path: String,
    /// Whether it is a folder: the output of a processing run.
    pub is_folder: bool,
    /// The length of an uploaded file.
    pub bytes: Option<u64>,
    /// Whether it belongs to a deleted item whose files are being removed.
    pub is_leaving: bool,
}

/// Returns at most `limit` objects that rows refer to and whose paths follow `after` in the order of the database.
///
/// # Errors
/// Fails if the database does not answer or a row cannot be read.
pub async fn named_objects(
    conn: &impl ConnectionTrait,
    after: &str,
    limit: u64,
    now: Timestamp,
) -> Result<Vec<NamedObject>, DbErr> {
    let rows = store::backup::named(conn, after, limit).await?;
    rows.into_iter()
        .map(|NamedRow { path, kind, bytes, deleted_at }| {
            let kind = kind.known("stored_object", "kind", &path)?;
            Ok(NamedObject {
                is_folder: kind == ObjectKind::Rendition,
                bytes: (kind == ObjectKind::Source).then_some(bytes.cast_unsigned()),
                is_leaving: deleted_at.is_some_and(|at| at < now - RESTORABLE),
                path,
            })
        })
        .collect()
}

/// Removes the records of uploads that were interrupted by a backup: the bytes received so far are not part
/// of it.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn forget_partial_uploads(tx: &WriteTx) -> Result<(), DbErr> {
    store::backup::remove_partial(tx).await
}
