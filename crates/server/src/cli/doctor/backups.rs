//! The check of the last backup, and of the place to which the server makes them.

use backup::{BackupRecord, BackupState, Repository, ScheduledWork, read_record};
use kernel::{Ambient, Clock as _, DAY, HOUR, Millis, SystemClock, Timestamp};

use super::CheckResult;
use super::database::DatabaseState;
use crate::settings::Settings;
use crate::{bootstrap, last_backup};

/// Hours after which a backup made every night is late.
const NIGHTLY_HOURS: i64 = 26;

/// Checks the age of the last backup, and whether the server can make the next one.
pub(super) async fn check(settings: &Settings, stored: &DatabaseState) -> CheckResult {
    match settings.backup.scheduled_to() {
        Some(to) => check_scheduled(settings, to, stored).await,
        None => check_made_by_hand(settings),
    }
}

/// Checks the age of the last backup of the command line. A sandbox needs none.
fn check_made_by_hand(settings: &Settings) -> CheckResult {
    let last = last_backup::read(&settings.server.data_dir);
    let hours = last.map(|at| (SystemClock.now() - at) / HOUR);
    match hours {
        Some(hours) if hours <= NIGHTLY_HOURS => CheckResult::Pass(format!("made {hours} hours ago")),
        _ if settings.server.sandbox => CheckResult::Pass("not needed in the sandbox".to_owned()),
        Some(hours) => CheckResult::Warning(format!("the last one was made {hours} hours ago")),
        None => CheckResult::Warning(
            "none was made with this data folder; set VITRINE_BACKUP_TO, or schedule vitrine backup every night"
                .to_owned(),
        ),
    }
}

async fn check_scheduled(settings: &Settings, to: &str, stored: &DatabaseState) -> CheckResult {
    let newest = match newest(settings, to).await {
        Ok(newest) => newest,
        Err(problem) => return CheckResult::Fail(problem),
    };
    let failure = match stored {
        DatabaseState::Open(snapshot) => {
            read_record(snapshot.conn(), ScheduledWork::Backup).await.ok().and_then(|one| one.failure)
        }
        _ => None,
    };
    let failed = failure.map(|(at, why)| format!("; the one at {} failed: {why}", kernel::iso(at)));
    let failed = failed.unwrap_or_default();
    let Some(at) = newest else {
        return CheckResult::Warning(format!("{to} is writable and has no backup yet{failed}"));
    };
    let hours = (SystemClock.now() - at) / HOUR;
    let (checked, is_unchecked) = match (stored, settings.backup.check_period()) {
        (DatabaseState::Open(snapshot), Some(period)) => {
            let record = read_record(snapshot.conn(), ScheduledWork::Check).await.unwrap_or_default();
            described_check(&record, period, SystemClock.now())
        }
        _ => (String::new(), false),
    };
    let text =
        format!("the last one in {to}, which is writable, was made {hours} hours ago{failed}{checked}");
    let is_late = hours > 2 * i64::from(settings.backup.backup_every_hours);
    let is_bad = is_late || is_unchecked || !failed.is_empty();
    if is_bad { CheckResult::Warning(text) } else { CheckResult::Pass(text) }
}

/// Says when the newest backup was last checked, and whether that is a reason to worry. The first check follows the first
/// backup.
fn described_check(record: &BackupRecord, period: Millis, now: Timestamp) -> (String, bool) {
    if let Some((at, why)) = &record.failure {
        return (format!("; its check at {} failed: {why}", kernel::iso(*at)), true);
    }
    let Some(at) = record.succeeded_at else { return ("; none was checked yet".to_owned(), false) };
    let hours = (now - at) / HOUR;
    (format!("; the last check was {hours} hours ago"), now - at > period + DAY)
}

/// Returns when the newest backup was made that can be restored, after a test that the place can be written.
async fn newest(settings: &Settings, to: &str) -> Result<Option<Timestamp>, String> {
    let signer = bootstrap::existing_signer(settings).map_err(|error| error.to_string())?;
    let is_bucket = to.contains("://");
    if !is_bucket && !std::path::Path::new(to).exists() {
        return check_parent(to).map(|()| None);
    }
    let opened = Repository::open(to, &settings.backup, &Ambient::system()).await;
    let repository = opened.map_err(|error| error.to_string())?;
    repository.check_writable().await.map_err(|error| format!("not writable: {error}"))?;
    let all = repository.list(&signer).await.map_err(|error| error.to_string())?;
    Ok(all.into_iter().rev().find_map(|one| match one.state {
        BackupState::Whole(manifest) => kernel::from_iso(&manifest.created_at),
        _ => None,
    }))
}

/// Checks that the server can create the folder.
fn check_parent(to: &str) -> Result<(), String> {
    let path = std::path::absolute(to).map_err(|error| format!("{to}: {error}"))?;
    let Some(parent) = path.parent() else { return Ok(()) };
    let probe = tempfile::Builder::new().prefix(".vitrine-backup-").tempfile_in(parent);
    probe.map(drop).map_err(|error| format!("cannot create {to}: {error}. Is the disk mounted?"))
}
