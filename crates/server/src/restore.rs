//! Restores backups into empty installations.

use std::io;
use std::path::{Path, PathBuf};

use backup::{Manifest, Restore, Source, Totals};
use db::WriteTx;
use orgs::removals::Removal;
use storage::{Storage, StorageSettings};

use crate::bootstrap::Bootstrap;
use crate::removals::Reapplied;
use crate::settings::Settings;
use crate::{compose, removals};

type BoxError = Box<dyn std::error::Error>;

/// What is restored that a copy must not use to act for the people of the original.
#[derive(Clone, Debug)]
pub struct RestoreOptions {
    /// Whether people stay signed in.
    pub keep_sessions: bool,
    /// Whether the emails that were waiting are sent.
    pub keep_mail: bool,
    /// A copy of the list of what people had removed, for a backup that has none beside it.
    pub removals: Option<PathBuf>,
}

/// What was restored.
#[derive(Debug)]
pub struct Restored {
    /// What the backup consists of.
    pub totals: Totals,
    /// What was removed again; `None` without a list of removals.
    pub removals: Option<Reapplied>,
}

/// Restores a backup into the empty database and the empty storage of the settings, removes again what people had removed after
/// it, and gives both a new id.
///
/// # Errors
/// Fails with a sentence that says what to do.
pub async fn restore(
    settings: Settings,
    source: &Source,
    manifest: &Manifest,
    options: RestoreOptions,
) -> Result<Restored, BoxError> {
    let opened = Bootstrap::connect(settings).await?;
    // Before anything is restored.
    let list = removals::lists_for(source, options.removals.as_deref(), &opened.signer).await?;
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
    let (opened, reapplied) = Box::pin(remove_again(opened, list.as_deref(), manifest)).await?;
    // Not the id of the original: a copy must not work on the files of the original, nor the original on those of the copy.
    // Nothing serves it before, because its storage has no id.
    let tx = opened.db.write_tx().await?;
    orgs::removals::add(&tx, &list.unwrap_or_default()).await?;
    content::storage_identity::renew(&tx, &ambient).await?;
    tx.commit().await?;
    content::storage_identity::write(&opened.db, &storage).await?;
    opened.db.close().await;
    Ok(Restored { totals, removals: reapplied })
}

/// Does again in a restored database what was removed after the backup.
async fn remove_again(
    opened: Bootstrap,
    list: Option<&[Removal]>,
    manifest: &Manifest,
) -> Result<(Bootstrap, Option<Reapplied>), BoxError> {
    let Some(list) = list else { return Ok((opened, None)) };
    if list.is_empty() {
        return Ok((opened, Some(Reapplied::default())));
    }
    let reapplied = async {
        let bootstrap = opened.prepare().await?;
        let reapplied = removals::reapply(&bootstrap, list, manifest).await?;
        Ok::<_, BoxError>((bootstrap, Some(reapplied)))
    };
    reapplied.await.map_err(|error| {
        format!(
            "the backup was restored, but what people had removed after it could not be removed again: {error}. This copy is \
             refused at the start; empty the database and the storage before another attempt"
        )
        .into()
    })
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
