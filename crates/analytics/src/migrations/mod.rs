//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261124_01_viewer_index;
mod m20261125_01_recountable;
mod m20261125_02_scale;
mod m20261126_01_archive;
mod m20261126_02_periods;
mod m20261126_03_view_packs;
mod m20261127_01_person_packs;
mod m20261127_02_packed_days;
mod m20261127_03_days_by_item;
mod m20261127_04_packs_by_number;
mod m20261127_05_returning_viewers;
mod m20261128_01_listed_items;
mod m20261128_02_total_packs;
mod m20261130_01_refused;
mod m20261130_02_zone_cut;
mod m20261130_03_packs_in_place;
mod m20261130_04_two_weeks;

use db::Migration;
use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261124_01_viewer_index::Step),
        Box::new(m20261125_01_recountable::Step),
        Box::new(m20261125_02_scale::Step),
        Box::new(m20261126_01_archive::Step),
        Box::new(m20261126_02_periods::Step),
        Box::new(m20261126_03_view_packs::Step),
        Box::new(m20261127_01_person_packs::Step),
        Box::new(m20261127_02_packed_days::Step),
        Box::new(m20261127_03_days_by_item::Step),
        Box::new(m20261127_04_packs_by_number::Step),
        Box::new(m20261127_05_returning_viewers::Step),
        Box::new(m20261128_01_listed_items::Step),
        Box::new(m20261128_02_total_packs::Step),
        Box::new(m20261130_01_refused::Step),
        Box::new(m20261130_02_zone_cut::Step),
        Box::new(m20261130_03_packs_in_place::Step),
        Box::new(m20261130_04_two_weeks::Step),
    ]
}

/// Creates a table that is stored in primary key order where the engine supports it. Its rows must be small: SQLite reads
/// all of a row to compare its key.
async fn create_by_key(manager: &SchemaManager<'_>, table: &TableCreateStatement) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let sql = match connection.get_database_backend() {
        DbBackend::Sqlite => format!("{} WITHOUT ROWID", table.to_string(SqliteQueryBuilder)),
        _ => table.to_string(PostgresQueryBuilder),
    };
    connection.execute_unprepared(&sql).await.map(drop)
}
