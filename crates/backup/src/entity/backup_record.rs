//! The `backup_record` table, which has at most two rows.

use kernel::Timestamp;
use sea_orm::entity::prelude::*;

/// The last scheduled backups or checks of them: the one that succeeded and the one that failed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "backup_record")]
pub struct Model {
    /// 1 for backups, 2 for checks.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// Place of the backups at the last one that succeeded.
    #[sea_orm(column_type = "Text")]
    pub repository: String,
    /// When it began.
    pub began_at: Option<Timestamp>,
    /// When it was complete.
    pub succeeded_at: Option<Timestamp>,
    pub failed_at: Option<Timestamp>,
    #[sea_orm(column_type = "Text")]
    pub failure: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
