//! `vitrine backup`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use backup::{Backup, BackupState, Keep, Made, Pruned, Repository, RepositoryLock, StoredBackup};
use clap::Args;
use kernel::{Ambient, Clock as _, SystemClock};
use serde_json::json;

use super::restore::described;
use super::{BoxError, print_line, restore};
use crate::backups::{AllObjects, InRepository, Original};
use crate::settings::Settings;
use crate::{bootstrap, last_backup};

/// What to save, and where.
#[derive(Args)]
pub struct BackupCommand {
    /// A new tar file, or a folder if it ends with a slash or is an empty folder. With --check, what to check.
    #[arg(conflicts_with_all = ["to", "prune", "list"])]
    target: Option<String>,
    /// A place with several backups, which share their files: a folder, or `s3://bucket/prefix`. Without it and without a
    /// target, the one of the settings (`backup_to`).
    #[arg(long, value_name = "PLACE")]
    to: Option<String>,
    /// How many backups to keep there, or such as "7d 4w 12m" for the newest of each of the last 7 days, 4 weeks and 12 months
    /// that have one; others are removed. Without it, none is removed, unless the place is that of the settings, which then
    /// say how many.
    #[arg(long, value_name = "KEEP", conflicts_with_all = ["target", "list"])]
    keep: Option<Keep>,
    /// Make no backup, only remove old ones.
    #[arg(long, conflicts_with = "list")]
    prune: bool,
    /// With --prune, only say what would be removed.
    #[arg(long, requires = "prune")]
    dry: bool,
    /// List the backups that are there instead.
    #[arg(long)]
    list: bool,
    /// Check the backup that is there instead: restore it into a temporary folder, and check the result.
    #[arg(long, conflicts_with_all = ["prune", "list", "keep"])]
    check: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub async fn run(settings: Settings, command: BackupCommand) -> Result<ExitCode, BoxError> {
    let BackupCommand { target, to, keep, prune, dry, list, check, json } = command;
    let configured = settings.backup.scheduled_to().map(str::to_owned);
    let keep = keep.or_else(|| {
        let is_configured = to.is_none() || to == configured;
        (is_configured && configured.is_some()).then_some(settings.backup.backup_keep)
    });
    let nowhere = "say where: vitrine backup TARGET, vitrine backup --to PLACE, or set VITRINE_BACKUP_TO";
    let place = to.or(configured);
    if check {
        let source = target.or(place).ok_or(nowhere)?;
        return Box::pin(restore::check(settings, source, json)).await;
    }
    settings.backup.check()?;
    let signer = bootstrap::existing_signer(&settings)?;
    let original = Original { settings: Arc::new(settings), signer, ambient: Ambient::system() };
    if let Some(target) = target {
        return save(&original, &target, json).await;
    }
    let place = place.ok_or(nowhere)?;
    if list {
        return show(&original, &place, json).await;
    }
    if prune {
        let keep = keep.ok_or("say how many backups to keep: --keep NUMBER, or --keep \"7d 4w 12m\"")?;
        return remove_old(&original, &place, keep, dry, json).await;
    }
    let InRepository { made, listed, pruned } = Box::pin(original.make(&place, false, keep)).await?;
    last_backup::record(&original.settings.server.data_dir, SystemClock.now());
    print_made(&made, &place, json);
    let code = match pruned {
        Some(pruned) => print_pruned(&pruned?, false, json),
        None => ExitCode::SUCCESS,
    };
    listed?;
    Ok(code)
}

/// Saves all rows and files to a tar file or a folder.
async fn save(original: &Original, target: &str, json: bool) -> Result<ExitCode, BoxError> {
    if target.starts_with("s3://") {
        return Err(format!("a bucket holds several backups: vitrine backup --to {target}").into());
    }
    original.check().await?;
    let database = original.settings.database_url();
    let backup = Backup {
        database: &database,
        storage: &original.storage()?,
        objects: &AllObjects(SystemClock.now()),
        signer: &original.signer,
        ambient: &original.ambient,
        version: env!("CARGO_PKG_VERSION"),
    };
    let totals = Box::pin(backup::create(&backup, Path::new(target))).await?;
    last_backup::record(&original.settings.server.data_dir, SystemClock.now());
    let (copied_files, copied_bytes) = (totals.files, totals.bytes);
    print_made(&Made { name: String::new(), totals, copied_files, copied_bytes }, target, json);
    Ok(ExitCode::SUCCESS)
}

fn print_made(made: &Made, place: &str, json: bool) {
    let Made { name, totals, copied_files, copied_bytes } = made;
    if json {
        let line = json!({ "line": "saved", "to": place, "name": name, "tables": totals.tables, "rows": totals.rows,
            "files": totals.files, "bytes": totals.bytes, "copiedFiles": copied_files, "copiedBytes": copied_bytes });
        return print_line(&line.to_string());
    }
    let copied = match name.as_str() {
        "" => String::new(),
        name => format!(" as {name}; copied {copied_files} files with {copied_bytes} bytes"),
    };
    print_line(&format!("saved {} to {place}{copied}", described(*totals)));
}

/// Lists the backups of a repository, oldest first.
async fn show(original: &Original, place: &str, json: bool) -> Result<ExitCode, BoxError> {
    let repository = Repository::open(place, &original.settings.backup, &original.ambient).await?;
    let all = repository.list(&original.signer).await?;
    for StoredBackup { name, state } in &all {
        let (word, text, manifest) = match state {
            BackupState::Whole(manifest) => ("whole", described(manifest.totals()), Some(manifest)),
            BackupState::Incomplete => ("incomplete", "incomplete: it cannot be restored".to_owned(), None),
            BackupState::Unreadable(reason) => ("unreadable", format!("unreadable: {reason}"), None),
        };
        let line = if json {
            let totals = manifest.map(|manifest| manifest.totals());
            json!({ "line": "backup", "name": name, "state": word, "version": manifest.map(|one| &one.version),
                "createdAt": manifest.map(|one| &one.created_at), "rows": totals.map(|totals| totals.rows),
                "files": totals.map(|totals| totals.files), "bytes": totals.map(|totals| totals.bytes) })
            .to_string()
        } else {
            format!("{name}: {text}")
        };
        print_line(&line);
    }
    let line = if json {
        json!({ "line": "listed", "backups": all.len() }).to_string()
    } else {
        format!("{} backups in {place}", all.len())
    };
    print_line(&line);
    Ok(ExitCode::SUCCESS)
}

/// Removes old backups from a repository.
async fn remove_old(
    original: &Original,
    place: &str,
    keep: Keep,
    dry: bool,
    json: bool,
) -> Result<ExitCode, BoxError> {
    let Original { settings, signer, ambient } = original;
    let id = original.check().await?;
    let lock = RepositoryLock::take(&settings.database_url()).await?;
    let repository = Repository::open(place, &settings.backup, ambient).await?;
    match (repository.owner().await?, id) {
        (None, _) => return Err(backup::Error::NoBackup(place.to_owned()).into()),
        (Some(owner), Some(id)) if owner == id => {}
        (Some(owner), _) => return Err(backup::Error::OtherInstallation(place.to_owned(), owner).into()),
    }
    let pruned = backup::prune(&repository, keep, signer, &lock, dry).await?;
    Ok(print_pruned(&pruned, dry, json))
}

/// Prints what was removed. Fails if not everything could be.
fn print_pruned(pruned: &Pruned, dry: bool, json: bool) -> ExitCode {
    let Pruned { backups, files, bytes, kept, unreadable } = pruned;
    for name in backups {
        let line = if json {
            json!({ "line": "removed", "name": name, "dry": dry }).to_string()
        } else {
            format!("{} {name}", if dry { "would remove" } else { "removed" })
        };
        print_line(&line);
    }
    for (name, reason) in unreadable {
        let line = if json {
            json!({ "line": "unreadable", "name": name, "reason": reason }).to_string()
        } else {
            format!("{name} cannot be read, so it and all files stay: {reason}")
        };
        print_line(&line);
    }
    let line = if json {
        json!({ "line": "pruned", "backups": backups.len(), "files": files, "bytes": bytes, "kept": kept, "dry": dry })
            .to_string()
    } else {
        let removed = if dry { "would remove" } else { "removed" };
        let backups = backups.len();
        format!("{removed} {backups} backups and {files} files with {bytes} bytes; {kept} backups stay")
    };
    print_line(&line);
    if unreadable.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
