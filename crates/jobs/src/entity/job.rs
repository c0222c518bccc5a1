//! The `job` table.

use db::Stored;
use kernel::{JobId, Timestamp};
use sea_orm::entity::prelude::*;

/// How far a job has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum JobState {
    /// Waits until it is due.
    #[sea_orm(string_value = "ready")]
    Ready,
    /// A worker runs it, or died while it did.
    #[sea_orm(string_value = "running")]
    Running,
    /// Succeeded.
    #[sea_orm(string_value = "done")]
    Done,
    /// Given up.
    #[sea_orm(string_value = "dead")]
    Dead,
}

/// A job or a schedule.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: JobId,
    pub kind: String,
    pub payload: Json,
    pub state: Stored<JobState>,
    pub due_at: Timestamp,
    pub attempt: i32,
    /// How often a worker may die while running it before it is given up.
    pub max_crashes: i32,
    pub lease_until: Option<Timestamp>,
    pub worker: Option<String>,
    pub last_error: Option<String>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Name of the schedule, if this row is one.
    pub schedule: Option<String>,
    /// When the first attempt began.
    pub first_attempt_at: Option<Timestamp>,
    /// How often a worker died while running it.
    pub crashes: i32,
    /// The span that enqueued it, as a `traceparent`, if that was recorded.
    pub trace: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_never_change() {
        assert_eq!(JobState::values(), ["ready", "running", "done", "dead"]);
    }
}
