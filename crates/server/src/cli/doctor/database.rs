//! The checks that read the database, without creating or locking it: a server may be running on it.

use content::SweepError;
use db::{ConnectOptions, Db, Engine, Snapshot};
use kernel::FollowingClock;
use mail::DeliveryFailure;
use sea_orm::DbErr;
use storage::Storage;

use super::CheckResult;
use crate::cli::BoxError;
use crate::settings::Settings;
use crate::{compose, database_clock, storage_identity};

/// What to do about a database without tables.
pub(super) const NEW: &str = "On a new database run vitrine migrate.";
/// What is said of the other checks if the database does not answer.
pub(super) const UNREACHABLE: &str = "cannot be checked without the database";

pub(super) enum DatabaseState {
    /// There is none yet: the server creates it.
    New,
    Open(Snapshot),
    Failed(String),
}

impl DatabaseState {
    pub(super) async fn open(settings: &Settings) -> Self {
        let url = settings.database_url();
        let file = url.strip_prefix("sqlite://").map(|rest| rest.split('?').next().unwrap_or_default());
        if file.is_some_and(|file| !std::path::Path::new(file).exists()) {
            return Self::New;
        }
        match Snapshot::open(&url).await {
            Ok(snapshot) => Self::Open(snapshot),
            Err(error) => Self::Failed(error.to_string()),
        }
    }

    pub(super) async fn close(self) {
        if let Self::Open(snapshot) = self
            && let Err(error) = snapshot.close().await
        {
            tracing::warn!(%error, "closing the database failed");
        }
    }
}

/// Checks that the database answers and that this version fits its schema.
pub(super) async fn check(settings: &Settings, stored: &DatabaseState) -> CheckResult {
    let snapshot = match stored {
        DatabaseState::New => return CheckResult::Pass("will be created by the first start".to_owned()),
        DatabaseState::Failed(error) => return CheckResult::Fail(error.clone()),
        DatabaseState::Open(snapshot) => snapshot,
    };
    let engine = match snapshot.engine() {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    };
    let applied = match applied(snapshot).await {
        Ok(Some(applied)) => applied,
        Ok(None) => return CheckResult::Pass(format!("{engine} is reachable and empty")),
        Err(error) => return CheckResult::Warning(format!("{engine} cannot be read: {error}")),
    };
    let known = compose::migrations();
    let is_known = |step: &String| known.iter().any(|one| one.name() == step);
    let unknown: Vec<String> = applied.iter().filter(|step| !is_known(step)).cloned().collect();
    if !unknown.is_empty() {
        return CheckResult::Fail(settings.foreign_database(&unknown));
    }
    match known.len() - applied.len() {
        0 => CheckResult::Pass(format!("{engine} is reachable and up to date")),
        pending => CheckResult::Warning(format!(
            "{engine} is reachable; the next start applies {pending} migrations. Make a backup before."
        )),
    }
}

/// Returns what is wrong with the clock of this machine compared with that of a database which servers share.
pub(super) async fn clock_problem(
    settings: &Settings,
    stored: &DatabaseState,
) -> Result<Option<String>, BoxError> {
    if !matches!(stored, DatabaseState::Open(snapshot) if snapshot.engine() == Engine::Postgres) {
        return Ok(None);
    }
    let options = ConnectOptions { connections: 2, ..ConnectOptions::default() };
    let db = Db::connect_with(&settings.database_url(), options).await?;
    let clock = FollowingClock::default();
    let followed = database_clock::follow(&db, &clock).await;
    db.close().await;
    followed?;
    Ok(database_clock::problem(&clock))
}

/// Returns the migrations that were applied; `None` for a database without tables.
async fn applied(snapshot: &Snapshot) -> Result<Option<Vec<String>>, DbErr> {
    if db::is_new(snapshot.conn()).await? {
        return Ok(None);
    }
    db::applied_steps(snapshot.conn()).await.map(Some)
}

/// Returns what to do if the storage is not that of the database. What cannot be compared is left to the other checks.
pub(super) async fn check_storage_identity(
    settings: &Settings,
    stored: &DatabaseState,
    storage: &Storage,
) -> Option<String> {
    let DatabaseState::Open(snapshot) = stored else { return None };
    match content::storage_identity::compare(snapshot.conn(), storage).await {
        Ok(found) => storage_identity::problem(&storage_identity::location(settings), found),
        Err(SweepError::Storage(error)) => Some(error.to_string()),
        // There is no such table before the migrations.
        Err(SweepError::Database(_)) => None,
    }
}

/// Counts the jobs that were given up.
pub(super) async fn check_jobs(stored: &DatabaseState) -> CheckResult {
    let snapshot = match stored {
        DatabaseState::New => return CheckResult::Pass("none yet".to_owned()),
        DatabaseState::Failed(_) => return CheckResult::Warning(UNREACHABLE.to_owned()),
        DatabaseState::Open(snapshot) => snapshot,
    };
    match jobs::count_dead(snapshot.conn()).await {
        Ok(0) => CheckResult::Pass("none was given up".to_owned()),
        Ok(dead) => CheckResult::Warning(format!(
            "{dead} jobs were given up; see vitrine admin jobs list --dead and repeat them with vitrine admin \
             jobs retry --dead"
        )),
        Err(error) => CheckResult::Warning(format!("cannot be read: {error}. {NEW}")),
    }
}

/// Lists emails whose delivery failed or is delayed.
pub(super) async fn check_mail_delivery(stored: &DatabaseState) -> CheckResult {
    let snapshot = match stored {
        DatabaseState::New => return CheckResult::Pass("no failed or delayed emails".to_owned()),
        DatabaseState::Failed(_) => return CheckResult::Warning(UNREACHABLE.to_owned()),
        DatabaseState::Open(snapshot) => snapshot,
    };
    match mail::delivery_failures(snapshot.conn(), 20).await {
        Ok(list) if list.is_empty() => CheckResult::Pass("no failed or delayed emails".to_owned()),
        Ok(list) => CheckResult::Warning(list.iter().map(describe).collect::<Vec<_>>().join("\n        ")),
        Err(error) => CheckResult::Warning(format!("cannot be read: {error}. {NEW}")),
    }
}

/// Describes an undelivered email without revealing more of the recipient than the domain.
fn describe(failure: &DeliveryFailure) -> String {
    let state = if failure.failed { "failed" } else { "waiting" };
    let DeliveryFailure { uid, kind, domain, code, attempts, time, .. } = failure;
    format!("{uid} {kind} to {domain}: {code} ({attempts} tries, {state}) at {}", kernel::iso(*time))
}
