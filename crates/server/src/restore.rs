//! Restores backups into empty installations.

use std::io;
use std::path::Path;

use backup::{Manifest, Restore, Source, Totals};
use db::WriteTx;
use storage::{Storage, StorageSettings};

use crate::bootstrap::Bootstrap;
use crate::compose;
use crate::settings::Settings;

type BoxError = Box<dyn std::error::Error>;

/// What is restored that a copy must not use to act for the people of the original.
#[derive(Clone, Copy, Debug)]
pub struct RestoreOptions {
    /// Whether people stay signed in.
    pub keep_sessions: bool,
    /// Whether the emails that were waiting are sent.
    pub keep_mail: bool,
}

/// Restores a backup into the empty database and the empty storage of the settings, and gives both a new id.
///
/// # Errors
/// Fails with a sentence that says what to do.
pub async fn restore(
    settings: Settings,
    source: &Source,
    manifest: &Manifest,
    options: RestoreOptions,
) -> Result<Totals, BoxError> {
    let opened = Bootstrap::connect(settings).await?;
    let ambient = opened.ambient.clone();
    let storage = Storage::open(&opened.settings.storage, &opened.settings.server.data_dir, ambient.clone())?;
    let (name, remedy) = opened.settings.named_database();
    let target = Restore {
        db: &opened.db,
        named: (name, remedy.to_owned()),
        storage: &storage,
        migrations: compose::migrations,
        ambient: &ambient,
    };
    let adapt = async |tx: &WriteTx| {
        content::forget_partial_uploads(tx).await?;
        jobs::give_back_running(tx, ambient.now()).await?;
        analytics::unpack_restored(tx).await?;
        if !options.keep_sessions {
            identity::backup::end_all_sessions(tx, ambient.now()).await?;
        }
        if !options.keep_mail {
            mail::withdraw_waiting(tx).await?;
        }
        Ok(())
    };
    let totals = Box::pin(backup::restore(&target, source, manifest, adapt)).await?;
    // Not the id of the original: a copy must not work on the files of the original, nor the original on those of the copy.
    let tx = opened.db.write_tx().await?;
    content::storage_identity::renew(&tx, &ambient).await?;
    tx.commit().await?;
    content::storage_identity::write(&opened.db, &storage).await?;
    opened.db.close().await;
    Ok(totals)
}

/// Returns the settings of a copy in the folder, with an SQLite database, files on the disk and the same secret.
///
/// # Errors
/// Fails if the secret of a sandbox cannot be copied.
pub fn copy_in(folder: &Path, settings: &Settings) -> io::Result<Settings> {
    let mut copy = settings.clone();
    let secret = settings.server.data_dir.join("secret");
    if secret.exists() {
        std::fs::copy(secret, folder.join("secret"))?;
    }
    copy.server.data_dir = folder.to_owned();
    copy.server.database_url = String::new();
    copy.storage = StorageSettings { reserve_bytes: settings.storage.reserve_bytes, ..Default::default() };
    Ok(copy)
}
