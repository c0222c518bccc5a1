//! `vitrine restore`.

use std::path::PathBuf;
use std::process::ExitCode;

use backup::Totals;
use clap::Args;
use kernel::Ambient;
use orgs::removals::Removal;

use super::{BoxError, admin, folder, print_line};
use crate::removals::Reapplied;
use crate::restore::{RestoreOptions, copy_in};
use crate::settings::Settings;
use crate::{bootstrap, compose};

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
    /// A copy of `removals.jsonl`, the list of what people withdrew or had erased, for a backup that was moved away from it.
    #[arg(long, value_name = "FILE")]
    removals: Option<PathBuf>,
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
    let RestoreCommand { keep_sessions, keep_mail, removals, .. } = command;
    let options = RestoreOptions { keep_sessions, keep_mail, removals };
    let restored = crate::restore::restore(settings.clone(), &source, &manifest, options).await?;
    print_line(&format!("restored {} of {}", described(restored.totals), manifest.created_at));
    print_reapplied(restored.removals.as_ref());
    let check = crate::admin::Command::Verify { deep: false, repair: false };
    admin::run(settings, check, command.json).await
}

/// Says what was removed again.
fn print_reapplied(reapplied: Option<&Reapplied>) {
    let Some(Reapplied { later, done, staying }) = reapplied else {
        return print_line(
            "there is no list of removals beside it: what people withdrew or had erased after it is in the copy again, unless \
             you restore it with --removals",
        );
    };
    for Removal { org, person, .. } in staying {
        let org = org.map(|org| org.to_string()).unwrap_or_default();
        print_line(&format!("{person} left {org} after it, but stays there as the only super admin"));
    }
    print_line(&format!("removed again: {done} of {later} that people withdrew or had erased after it"));
}

/// Restores a backup into a temporary folder, with an SQLite database, checks the result and removes the folder.
pub async fn check(settings: Settings, source: String, json: bool) -> Result<ExitCode, BoxError> {
    let folder = tempfile::Builder::new().prefix("vitrine-check-").tempdir()?;
    let copy = copy_in(folder.path(), &settings)?;
    let command = RestoreCommand { source, keep_sessions: true, keep_mail: true, removals: None, json };
    let checked = restore(copy, command).await;
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
