//! The `job` table.

use sea_orm::entity::prelude::*;

/// A job or a schedule.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub kind: String,
    pub payload: Json,
    /// `ready`, `running`, `done` or `dead`.
    pub state: String,
    pub due_at: i64,
    pub attempt: i32,
    /// How often a worker may die while running it before it is given up.
    pub max_crashes: i32,
    pub lease_until: Option<i64>,
    pub worker: Option<String>,
    pub last_error: Option<String>,
    pub created_at: i64,
    pub finished_at: Option<i64>,
    /// Name of the schedule, if this row is one.
    pub schedule: Option<String>,
    /// When the first attempt began.
    pub first_attempt_at: Option<i64>,
    /// How often a worker died while running it.
    pub crashes: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
