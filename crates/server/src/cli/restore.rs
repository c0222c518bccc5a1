//! `vitrine restore`.

use std::process::ExitCode;

use backup::{Restore, Totals};
use clap::Args;
use db::WriteTx;
use kernel::Ambient;
use storage::{Storage, StorageSettings};

use super::{BoxError, admin, folder, print_line};
use crate::bootstrap::{self, Bootstrap};
use crate::compose;
use crate::settings::Settings;

/// What to restore.
#[derive(Args)]
pub struct RestoreCommand {
    /// The tar file or folder to restore from, or a place with several backups, of which the newest is restored, or
    /// `backups/NAME` in it.
    source: String,
    /// Leave people signed in. Only for moving an installation, not for a copy of it.
    #[arg(long)]
    keep_sessions: bool,
    /// Send the emails that were waiting. Only for moving an installation, not for a copy of it.
    #[arg(long)]
    keep_mail: bool,
    /// Print findings of the check at the end as one JSON object per line.
    #[arg(long)]
    json: bool,
}
/// Restores a backup into an empty database and an empty storage, and checks the result.
pub async fn restore(settings: Settings, command: RestoreCommand) -> Result<ExitCode, BoxError> {
    let signer = bootstrap::existing_signer(&settings)?;
    let (source, known) = (&command.source, compose::migrations());
    let system = Ambient::system();
    let (source, manifest) = backup::open(source, &settings.backup, &signer, &known, &system).await?;
    settings.check()?;
    folder::restrict_to_owner(&settings.server.data_dir);
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
    let (keep_sessions, keep_mail) = (command.keep_sessions, command.keep_mail);
    let adapt = async |tx: &WriteTx| {
        content::forget_partial_uploads(tx).await?;
        if !keep_sessions {
            identity::backup::end_all_sessions(tx, ambient.now()).await?;
        }
        if !keep_mail {
            mail::withdraw_waiting(tx).await?;
        }
        Ok(())
    };
    let totals = Box::pin(backup::restore(&target, &source, &manifest, adapt)).await?;
    // Not the id of the original: a copy must not work on the files of the original, nor the original on those of the copy.
    let tx = opened.db.write_tx().await?;
    content::storage_identity::renew(&tx, &ambient).await?;
    tx.commit().await?;
    content::storage_identity::write(&opened.db, &storage).await?;
    print_line(&format!("restored {} of {}", described(totals), manifest.created_at));
    let settings = opened.settings.clone();
    opened.db.close().await;
    let check = crate::admin::Command::Verify { deep: false, repair: false };
    admin::run(settings, check, command.json).await
}

/// Restores a backup into a temporary folder, with an SQLite database, checks the result and removes the folder.
pub async fn check(mut settings: Settings, source: String, json: bool) -> Result<ExitCode, BoxError> {
    let folder = tempfile::Builder::new().prefix("vitrine-check-").tempdir()?;
    let secret = settings.server.data_dir.join("secret");
    if secret.exists() {
        std::fs::copy(secret, folder.path().join("secret"))?;
    }
    settings.server.data_dir.clone_from(&folder.path().to_owned());
    settings.server.database_url = String::new();
    settings.storage =
        StorageSettings { reserve_bytes: settings.storage.reserve_bytes, ..Default::default() };
    let command = RestoreCommand { source, keep_sessions: true, keep_mail: true, json };
    let checked = restore(settings, command).await;
    if let Err(error) = folder.close() {
        tracing::warn!(%error, "a temporary folder cannot be removed");
    }
    checked
}

/// Describes what a backup consists of.
pub(super) fn described(totals: Totals) -> String {
    let Totals { tables, rows, files, bytes } = totals;
    format!("{tables} tables with {rows} rows, and {files} files with {bytes} bytes")
}
