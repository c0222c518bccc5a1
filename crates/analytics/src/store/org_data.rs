//! Removal of everything that belongs to an organisation.

use db::Db;
use kernel::OrgId;
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

/// Batches of events removed in one transaction.
const BATCHES: u64 = 500;

/// The tables whose key begins with the organisation, and their keys. What is kept under anonymous names for a few days
/// is removed with them.
const TABLES: [(&str, &str); 22] = [
    ("viewer_key", "org, person"),
    ("viewing", "org, uid"),
    ("view_pack", "org, subject, week"),
    ("view_unpacked", "org, subject, day"),
    ("coverage", "org, viewer, content"),
    ("content_length", "org, content"),
    ("visitor", "org, person, since"),
    ("interaction", "org, uid"),
    ("activity", "org, person, since, at, uid"),
    ("watch_hour", "org, subject, hour"),
    ("watch_day", "org, list, day, item"),
    ("watch_period", "org, list, item, period"),
    ("watch_slot", "org, period, slot"),
    ("watch_playlist", "org, playlist"),
    ("watch_playlist_period", "org, playlist, period, content"),
    ("watch_playlist_content", "org, playlist, day, content"),
    ("watch_person", "org, person, since, hour, content, playlist"),
    ("person_pack", "org, person, since, period"),
    ("watch_verdict", "org, day, verdict"),
    ("total_pack", "org"),
    ("total_unpacked", "org, content"),
    ("zone_cut", "org"),
];

/// Removes all rows of an organisation, a page per transaction.
pub async fn remove(db: &Db, org: OrgId) -> Result<(), DbErr> {
    for (table, key) in TABLES {
        db::rows::remove_all(db, table, key, "org", org).await?;
    }
    for table in ["counted_start", "viewer_hour"] {
        remove_short_lived(db, table, org).await?;
    }
    while remove_batches(db, org).await? == BATCHES {}
    Ok(())
}

/// Removes the rows of an organisation from a table that has those of a few days only.
async fn remove_short_lived(db: &Db, table: &'static str, org: OrgId) -> Result<(), DbErr> {
    let tx = db.write_tx_on(org).await?;
    let delete = format!("DELETE FROM {table} WHERE org = $1");
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), delete, [org.into()])).await?;
    tx.commit().await
}

/// Removes a page of the events. Returns their number.
async fn remove_batches(db: &Db, org: OrgId) -> Result<u64, DbErr> {
    let tx = db.write_tx_on(org).await?;
    let delete = format!(
        "DELETE FROM event_batch WHERE number IN (SELECT number FROM event_batch WHERE org = $1 LIMIT {BATCHES})"
    );
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), delete, [org.into()]);
    let removed = tx.execute_raw(statement).await?.rows_affected();
    tx.commit().await?;
    Ok(removed)
}
