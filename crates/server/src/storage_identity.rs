//! Compares the id of the storage with that in the database, so that no process works on files that are not those of its
//! rows.

use content::SweepError;
use content::storage_identity::{StorageMatch, claim};
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
    match timeout(storage_check::TIMEOUT, claim(db, storage, ambient)).await {
        Ok(Ok(found)) => problem(&location(settings), found).map_or(Ok(()), |sentence| Err(sentence.into())),
        // The rest of the product works without storage.
        Ok(Err(SweepError::Storage(error))) if error.is_transient() => {
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
