//! The id that the database and its storage share. It keeps a process away from a storage whose files are not those of its
//! rows: such a process would find no files, lose those that it writes, and remove those of others.

use db::{Db, WriteTx};
use kernel::{Ambient, Uid};
use sea_orm::{ConnectionTrait, DbErr};
use storage::Storage;

use crate::{SweepError, store};

/// Whether a storage is that of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageMatch {
    /// Both have the same id.
    Same,
    /// Neither has an id, or that of the database was not written into the storage yet.
    Unclaimed,
    /// The database has this id, the storage none.
    OnlyDatabase(Uid),
    /// The storage has this id, the database none.
    OnlyStorage(Uid),
    /// The ids differ.
    Different {
        /// That of the database.
        database: Uid,
        /// That of the storage.
        storage: Uid,
    },
}

/// Returns the id of the database, if it has one.
///
/// # Errors
/// If the database does not answer.
pub async fn id(conn: &impl ConnectionTrait) -> Result<Option<Uid>, DbErr> {
    Ok(store::storage_identity::read(conn).await?.map(|own| own.id))
}

/// Compares the ids of the database and the storage. Changes nothing.
///
/// # Errors
/// If the database or the storage does not answer.
pub async fn compare(conn: &impl ConnectionTrait, storage: &Storage) -> Result<StorageMatch, SweepError> {
    let (own, stored) = (store::storage_identity::read(conn).await?, storage.id().await?);
    Ok(match (own, stored) {
        (Some(own), Some(stored)) if own.id == stored => StorageMatch::Same,
        (Some(own), Some(stored)) => StorageMatch::Different { database: own.id, storage: stored },
        (Some(own), None) if own.is_stored => StorageMatch::OnlyDatabase(own.id),
        (None, Some(stored)) => StorageMatch::OnlyStorage(stored),
        (_, None) => StorageMatch::Unclaimed,
    })
}

/// Compares the ids, and gives one to a database and a storage that have none. Only one process may do so at a time.
///
/// # Errors
/// If the database or the storage does not answer.
pub async fn claim(db: &Db, storage: &Storage, ambient: &Ambient) -> Result<StorageMatch, SweepError> {
    let found = compare(db.read(), storage).await?;
    if found != StorageMatch::Unclaimed {
        return Ok(found);
    }
    let tx = db.write_tx().await?;
    store::storage_identity::insert_if_absent(&tx, ambient.uid(), ambient.now()).await?;
    tx.commit().await?;
    write(db, storage).await?;
    compare(db.read(), storage).await
}

/// Gives the database a new id as part of `tx`, to be followed by [`write()`]. Returns the id.
///
/// # Errors
/// If the database fails.
pub async fn renew(tx: &WriteTx, ambient: &Ambient) -> Result<Uid, DbErr> {
    let id = ambient.uid();
    store::storage_identity::replace(tx, id, ambient.now()).await?;
    Ok(id)
}

/// Writes the id of the database into the storage, instead of the one that is there.
///
/// # Errors
/// If the database or the storage does not answer.
pub async fn write(db: &Db, storage: &Storage) -> Result<(), SweepError> {
    let Some(own) = store::storage_identity::read(db.read()).await? else { return Ok(()) };
    storage.set_id(own.id).await?;
    let tx = db.write_tx().await?;
    store::storage_identity::set_stored(&tx, own.id).await?;
    Ok(tx.commit().await?)
}
