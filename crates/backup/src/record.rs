//! What is remembered of the last scheduled backups and of their checks. It is not part of a backup: a copy has made none.

use kernel::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait as _};

use crate::entity::backup_record::{ActiveModel, Column, Entity, Model};

/// What is done on a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduledWork {
    /// Backups are made.
    Backup,
    /// The newest backup is checked.
    Check,
}

impl ScheduledWork {
    /// Returns the key of its row.
    const fn number(self) -> i32 {
        match self {
            Self::Backup => 1,
            Self::Check => 2,
        }
    }
}

/// The last runs of scheduled work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupRecord {
    /// Place of the backups at the last one that succeeded; empty if none did.
    pub repository: String,
    /// When it began.
    pub began_at: Option<Timestamp>,
    /// When it was complete.
    pub succeeded_at: Option<Timestamp>,
    /// When the last one failed that failed after it, and why.
    pub failure: Option<(Timestamp, String)>,
}

/// Returns what is remembered of the work.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn read_record(conn: &impl ConnectionTrait, of: ScheduledWork) -> Result<BackupRecord, DbErr> {
    let Some(Model { repository, began_at, succeeded_at, failed_at, failure, .. }) =
        Entity::find_by_id(of.number()).one(conn).await?
    else {
        return Ok(BackupRecord::default());
    };
    let failure = failed_at.map(|at| (at, failure));
    Ok(BackupRecord { repository, began_at, succeeded_at, failure })
}

/// Remembers that the work succeeded, when it began and when it was complete.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn record_success(
    tx: &impl ConnectionTrait,
    of: ScheduledWork,
    repository: &str,
    (began_at, now): (Timestamp, Timestamp),
) -> Result<(), DbErr> {
    let row = ActiveModel {
        number: Set(of.number()),
        repository: Set(repository.to_owned()),
        began_at: Set(Some(began_at)),
        succeeded_at: Set(Some(now)),
        failed_at: Set(None),
        failure: Set(String::new()),
    };
    let all = [Column::Repository, Column::BeganAt, Column::SucceededAt, Column::FailedAt, Column::Failure];
    upsert(tx, row, &all).await
}

/// Remembers that the work failed.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn record_failure(
    tx: &impl ConnectionTrait,
    of: ScheduledWork,
    why: &str,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        number: Set(of.number()),
        repository: Set(String::new()),
        began_at: Set(None),
        succeeded_at: Set(None),
        failed_at: Set(Some(now)),
        failure: Set(why.to_owned()),
    };
    upsert(tx, row, &[Column::FailedAt, Column::Failure]).await
}

async fn upsert(tx: &impl ConnectionTrait, row: ActiveModel, changed: &[Column]) -> Result<(), DbErr> {
    let instead = OnConflict::column(Column::Number).update_columns(changed.iter().copied()).to_owned();
    Entity::insert(row).on_conflict(instead).exec_without_returning(tx).await.map(drop)
}
