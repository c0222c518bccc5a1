//! Compares the id of the storage with that in the database, so that no process works on files that are not those of its
//! rows.

use std::time::Duration;

use content::SweepError;
use content::storage_identity::{StorageMatch, claim, compare};
use db::{ConnectError, Db, ExclusiveLock};
use kernel::Ambient;
use storage::Storage;
use tokio::time::timeout;

use crate::bootstrap::Bootstrap;
use crate::settings::Settings;
use crate::storage_check;

type BoxError = Box<dyn std::error::Error>;

/// Checks that the storage responds and is that of the database. Gives a new database and its storage an id.
///
/// # Errors
/// Fails with a sentence that says what differs and what to do if the storage is not that of the database, and if it cannot
/// be used with these settings.
pub async fn require(bootstrap: &Bootstrap, storage: &Storage) -> Result<(), BoxError> {
    if !storage_check::is_reachable(storage).await? {
        return Ok(());
    }
    let Bootstrap { settings, db, ambient, .. } = bootstrap;
    let skipped = "the id of the storage was not compared with that in the database";
    let url = settings.database_url();
    match timeout(storage_check::TIMEOUT, claim_alone(&url, db, storage, ambient)).await {
        Ok(Ok(found)) => problem(&location(settings), found).map_or(Ok(()), |sentence| Err(sentence.into())),
        // The rest of the product works without storage.
        Ok(Err(ClaimError::Sweep(SweepError::Storage(error)))) if error.is_transient() => {
            tracing::warn!(%error, "{skipped}");
            Ok(())
        }
        Ok(Err(error)) => Err(error.into()),
        Err(_) => {
            tracing::warn!("{skipped}: the storage does not respond in time");
            Ok(())
        }
    }
}

/// Compares the ids, and gives one to a database and a storage that have none, while no other process does: two with different
/// folders would give both the id of the database.
async fn claim_alone(
    url: &str,
    db: &Db,
    storage: &Storage,
    ambient: &Ambient,
) -> Result<StorageMatch, ClaimError> {
    let found = compare(db.read(), storage).await?;
    // An id that another process gives both between the two reads looks like that of a storage of another database.
    if !matches!(found, StorageMatch::Unclaimed | StorageMatch::OnlyStorage(_)) {
        return Ok(found);
    }
    let _lock = loop {
        if let Some(lock) = ExclusiveLock::try_take(url, "storage").await? {
            break lock;
        }
        tokio::time::sleep(RETRY).await;
    };
    Ok(claim(db, storage, ambient).await?)
}

/// Why the ids could not be compared.
#[derive(Debug, thiserror::Error)]
enum ClaimError {
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
}

/// How long to wait before another look whether another process has finished.
const RETRY: Duration = Duration::from_millis(100);

/// Returns what differs and what to do if the storage at `location` is not that of the database.
pub fn problem(location: &str, found: StorageMatch) -> Option<String> {
    let has = match found {
        StorageMatch::Same | StorageMatch::Unclaimed => return None,
        StorageMatch::OnlyDatabase(database) => {
            format!("the database belongs to the storage {database}, but this one has no id")
        }
        StorageMatch::OnlyStorage(storage) => {
            format!("it is the storage {storage}, which belongs to another database")
        }
        StorageMatch::Different { database, storage } => {
            format!("the database belongs to the storage {database}, but this is {storage}")
        }
    };
    Some(format!(
        "{location} is not the storage of this database: {has}. Set VITRINE_STORAGE_URL, or VITRINE_DATA_DIR, and \
         VITRINE_DATABASE_URL to a storage and a database that belong together. If the files of this database were \
         moved there, or are lost, use it with: vitrine admin storage adopt"
    ))
}

/// Returns where the settings look for files.
pub fn location(settings: &Settings) -> String {
    match settings.storage.storage_url.trim() {
        "" => settings.server.data_dir.join("objects").display().to_string(),
        url => url.to_owned(),
    }
}
