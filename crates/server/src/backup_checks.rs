//! Checks of the newest scheduled backup by a worker: it is restored into a temporary folder and verified there.

use std::path::Path;

use backup::{
    BackupRecord, BackupState, Manifest, Repository, ScheduledWork, StoredBackup, Totals, read_record,
    record_failure, record_success,
};
use db::Db;
use jobs::{Handlers, JobError, Queue};
use kernel::{DAY, Millis, Timestamp};
use media::{Media, WorkFolder};
use nix::unistd::geteuid;
use sea_orm::DbErr;
use tokio::sync::mpsc;

use crate::admin::{Command, Line, user_name};
use crate::backups::{LOOK, Original, has_passed, on_another_thread};
use crate::bootstrap::Bootstrap;
use crate::restore::{RestoreOptions, copy_in, restore};
use crate::settings::Settings;
use crate::{compose, memory};

/// How long a failed check waits, because the next one reads everything again.
const AGAIN: Millis = DAY;

type BoxError = Box<dyn std::error::Error>;

/// Why a backup did not pass.
#[derive(Debug, thiserror::Error)]
enum CheckError {
    /// It cannot be restored.
    #[error("{0} cannot be restored: {1}")]
    Damaged(String, String),
    /// What was restored is not consistent.
    #[error("{0} was restored, but vitrine verify has {1} findings in it, the first one: {2}")]
    Findings(String, u64, String),
    /// It could not be tried.
    #[error("no backup could be checked: {0}")]
    Failed(String),
    /// It was removed as too old while it was read, so that it says nothing.
    #[error("{0} was removed while it was being checked")]
    Removed(String),
    /// The process is stopping.
    #[error("the check was interrupted")]
    Interrupted,
}

impl CheckError {
    /// Returns the label of the metric, if this tells anything about the backup or the machine.
    const fn outcome(&self) -> Option<&'static str> {
        match self {
            Self::Damaged(..) => Some("damaged"),
            Self::Findings(..) => Some("findings"),
            Self::Failed(_) => Some("failed"),
            Self::Removed(_) | Self::Interrupted => None,
        }
    }
}

/// The checks that one of the workers makes by itself.
#[derive(Clone)]
pub struct BackupChecks {
    original: Original,
    db: Db,
    media: Media,
}

impl BackupChecks {
    /// Creates those of this process. The copies are made beside the working folders of media tools.
    pub fn new(bootstrap: &Bootstrap, media: Media) -> Self {
        Self { original: Original::of(bootstrap), db: bootstrap.db.clone(), media }
    }

    /// Registers the schedule, if backups are made and checked by themselves. The job is heavy, because it may take hours. It
    /// is one job for all servers, so that only one backup is checked at a time.
    pub fn register(self, handlers: &mut Handlers) {
        if self.original.settings.backup.check_period().is_none() {
            return;
        }
        let asked = self.clone();
        let has_work = move || {
            let asked = asked.clone();
            async move { Ok(asked.due().await?.is_some()) }
        };
        handlers.every_if("check_backup", LOOK, Queue::Heavy, has_work, move || self.clone().run());
    }

    /// Returns where a backup is due for a check.
    async fn due(&self) -> Result<Option<String>, DbErr> {
        let backup = &self.original.settings.backup;
        let (Some(to), Some(period)) = (backup.scheduled_to(), backup.check_period()) else {
            return Ok(None);
        };
        let made = read_record(self.db.read(), ScheduledWork::Backup).await?;
        let checked = read_record(self.db.read(), ScheduledWork::Check).await?;
        let is_due = is_due(&made, &checked, (to, period), self.original.ambient.now());
        Ok(is_due.then(|| to.to_owned()))
    }

    async fn run(self) -> Result<(), JobError> {
        // Another worker may have checked it since this one looked.
        let Some(to) = self.due().await? else { return Ok(()) };
        let began_at = self.original.ambient.now();
        let (original, media, place) = (self.original.clone(), self.media.clone(), to.clone());
        let check = move || async move {
            let folder = media.folder().await.map_err(failed)?;
            check_newest(&original, &place, &folder).await
        };
        let checked = on_another_thread(check).await.unwrap_or(Err(CheckError::Interrupted));
        memory::release_unused();
        let now = self.original.ambient.now();
        let error = match checked {
            Ok((name, Totals { rows, files, bytes, .. })) => {
                let seconds = (now - began_at) / 1000;
                tracing::info!(to, name, rows, files, bytes, seconds, "a backup was checked");
                count("done");
                let tx = self.db.write_tx().await?;
                record_success(&tx, ScheduledWork::Check, &to, (began_at, now)).await?;
                return Ok(tx.commit().await?);
            }
            Err(error) => error,
        };
        let Some(outcome) = error.outcome() else { return Err(error.into()) };
        tracing::error!(%error, to, outcome, "the newest backup did not pass its check");
        count(outcome);
        let tx = self.db.write_tx().await?;
        record_failure(&tx, ScheduledWork::Check, &error.to_string(), now).await?;
        Ok(tx.commit().await?)
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("vitrine_backup_checks_total", "outcome" => outcome).increment(1);
}

fn failed(error: impl ToString) -> CheckError {
    CheckError::Failed(error.to_string())
}

/// Returns whether a check is due: at once after the first backup in a place, then each period after the last one that
/// succeeded, or [`AGAIN`] after one that failed.
fn is_due(made: &BackupRecord, checked: &BackupRecord, (to, period): (&str, Millis), now: Timestamp) -> bool {
    if made.repository != to {
        return false;
    }
    if let Some((failed_at, _)) = checked.failure {
        return has_passed(failed_at, period.min(AGAIN), now);
    }
    let began_at = checked.began_at.filter(|_| checked.repository == to);
    began_at.is_none_or(|at| has_passed(at, period, now))
}

/// Checks the newest backup, and returns its name and what it consists of.
async fn check_newest(
    original: &Original,
    to: &str,
    folder: &WorkFolder,
) -> Result<(String, Totals), CheckError> {
    let (name, manifest) = newest(original, to).await?;
    check_space(&original.settings, (&name, manifest.file_bytes), folder.path())?;
    let checked = check_one(original, &format!("{to}/backups/{name}"), folder.path()).await;
    let problem = match checked {
        Ok(Restored { totals, findings: 0, .. }) => return Ok((name, totals)),
        Ok(Restored { findings, first, .. }) => CheckError::Findings(name.clone(), findings, first),
        Err(error) => match error.downcast_ref::<backup::Error>() {
            Some(damage) if damage.is_of_backup() => CheckError::Damaged(name.clone(), damage.to_string()),
            _ => failed(error),
        },
    };
    // A schedule that keeps few backups may have removed it meanwhile.
    let is_there = listed(original, to).await?.iter().any(|one| one.name == name && is_complete(one));
    Err(if is_there { problem } else { CheckError::Removed(name) })
}

fn is_complete(one: &StoredBackup) -> bool {
    one.state != BackupState::Incomplete
}

async fn listed(original: &Original, to: &str) -> Result<Vec<StoredBackup>, CheckError> {
    let Original { settings, signer, ambient } = original;
    let repository = Repository::open(to, &settings.backup, ambient).await.map_err(failed)?;
    repository.list(signer).await.map_err(failed)
}

/// Returns the newest backup that was completed. One that cannot be read is a finding, and not passed over.
async fn newest(original: &Original, to: &str) -> Result<(String, Manifest), CheckError> {
    let newest = listed(original, to).await?.into_iter().rev().find(is_complete);
    let Some(StoredBackup { name, state }) = newest else {
        return Err(failed(backup::Error::NoBackup(to.to_owned())));
    };
    match state {
        BackupState::Whole(manifest) => Ok((name, *manifest)),
        BackupState::Unreadable(reason) => Err(CheckError::Damaged(name, reason)),
        BackupState::Incomplete => Err(CheckError::Removed(name)),
    }
}

/// Fails if the files of the backup do not fit into the folder, which is known before any is read.
fn check_space(settings: &Settings, (name, bytes): (&str, u64), folder: &Path) -> Result<(), CheckError> {
    let reserve = settings.storage.reserve_bytes;
    let free = storage::disk_space(folder).map_err(failed)?.free;
    if free >= bytes.saturating_add(reserve) {
        return Ok(());
    }
    let work_dir = folder.parent().unwrap_or(folder).display();
    Err(failed(format!(
        "the files of {name} have {bytes} bytes, but {work_dir} has {free} free bytes, of which {reserve} must stay free. Set \
         VITRINE_MEDIA_WORK_DIR to a folder on a larger disk, or check backups on another machine \
         (vitrine backup --check) and set VITRINE_BACKUP_CHECK_EVERY_DAYS=0"
    )))
}

/// What a restored copy consists of, with the number of its inconsistencies and the first one.
struct Restored {
    totals: Totals,
    findings: u64,
    first: String,
}

/// Restores a backup into the folder, and verifies the copy.
async fn check_one(original: &Original, source: &str, folder: &Path) -> Result<Restored, BoxError> {
    let Original { settings, signer, ambient } = original;
    let known = compose::migrations();
    let (source, manifest) = backup::open(source, &settings.backup, signer, &known, ambient).await?;
    let copy = copy_in(folder, settings)?;
    let options = RestoreOptions { keep_sessions: true, keep_mail: true, removals: None };
    let totals = restore(copy.clone(), &source, &manifest, options).await?.totals;
    let bootstrap = Bootstrap::open(copy).await?;
    let admin = compose::build_app_on_any_storage(&bootstrap).await?.admin;
    let (out, mut lines) = mpsc::channel(64);
    let verify = Command::Verify { deep: false, repair: false };
    let verifying = tokio::spawn(async move { admin.run(verify, user_name(geteuid()), &out).await });
    let (mut findings, mut first, mut problem) = (0, String::new(), None);
    while let Some(line) = lines.recv().await {
        match line {
            Line::Finding(_) if findings == 0 => (findings, first) = (1, line.to_string()),
            Line::Finding(_) => findings += 1,
            Line::Failed { error } => problem = Some(error),
            _ => {}
        }
    }
    verifying.await?;
    bootstrap.db.close().await;
    problem.map_or(Ok(Restored { totals, findings, first }), |problem| Err(problem.into()))
}

#[cfg(test)]
mod tests {
    use kernel::HOUR;

    use super::*;

    #[test]
    fn a_copy_that_does_not_fit_on_the_disk_is_not_begun() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.storage.reserve_bytes = 1;
        let check = |bytes| check_space(&settings, ("000001-x", bytes), folder.path());
        assert!(check(1).is_ok());
        let sentence = check(1 << 60).unwrap_err().to_string();
        assert!(sentence.contains("VITRINE_MEDIA_WORK_DIR"), "{sentence}");
        settings.storage.reserve_bytes = u64::MAX;
        assert!(check_space(&settings, ("000001-x", 1), folder.path()).is_err());
    }

    #[test]
    fn a_check_is_due_after_the_first_backup_each_period_and_a_day_after_a_failure() {
        let at = |hours: i64| Timestamp::from_ms(hours * HOUR);
        let record = |place: &str, hours: i64| BackupRecord {
            repository: place.to_owned(),
            began_at: Some(at(hours)),
            ..BackupRecord::default()
        };
        let (none, made) = (BackupRecord::default(), record("a", 100));
        let due = |made: &BackupRecord, checked: &BackupRecord, now: i64| {
            is_due(made, checked, ("a", 7 * DAY), at(now))
        };
        assert!(!due(&none, &none, 500), "there is no backup");
        assert!(!due(&record("b", 100), &none, 500), "there is none in this place");
        assert!(due(&made, &none, 100) && due(&made, &record("b", 100), 100));
        assert!(!due(&made, &record("a", 100), 267) && due(&made, &record("a", 100), 268));
        let failed = BackupRecord { failure: Some((at(200), String::new())), ..record("a", 100) };
        assert!(!due(&made, &failed, 223) && due(&made, &failed, 224));
        assert!(due(&made, &record("a", 100), 50), "the clock was set back");
    }
}
