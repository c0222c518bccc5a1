//! Removal of everything that belongs to an organisation.

use db::Db;
use kernel::OrgId;
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

/// Batches of events removed in one transaction.
const BATCHES: i64 = 500;

/// The tables whose key begins with the organisation, and their keys.
const TABLES: [(&str, &str); 9] = [
    ("viewing", "org, uid"),
    ("coverage", "org, viewer, content"),
    ("visitor", "org, person"),
    ("interaction", "org, uid"),
    ("activity", "org, person, at, uid"),
    ("watch_org", "org, hour"),
    ("watch_content", "org, day, content"),
    ("watch_playlist", "org, playlist"),
    ("watch_person", "org, person, hour, content, playlist"),
];

/// Removes all rows of an organisation, a page per transaction.
pub async fn remove(db: &Db, org: OrgId) -> Result<(), DbErr> {
    for (table, key) in TABLES {
        db::rows::remove_all(db, table, key, "org", org).await?;
    }
    let mut after = 0;
    while let Some(last) = remove_batches(db, org, after).await? {
        after = last;
    }
    Ok(())
}

/// Removes a page of the batches of events. They have no index by organisation, so they are looked for outside the
/// transaction, once. Returns the number of the last one.
async fn remove_batches(db: &Db, org: OrgId, after: i64) -> Result<Option<i64>, DbErr> {
    let engine = db.read().get_database_backend();
    let select = "SELECT number FROM event_batch WHERE number > $1 AND org = $2 ORDER BY number LIMIT $3";
    let select = Statement::from_sql_and_values(engine, select, [after.into(), org.into(), BATCHES.into()]);
    let rows = db.read().query_all_raw(select).await?;
    let mut last = None;
    let tx = db.write_tx_on(org).await?;
    for row in &rows {
        let number: i64 = row.try_get_by_index(0)?;
        last = Some(number);
        let delete = "DELETE FROM event_batch WHERE number = $1";
        tx.execute_raw(Statement::from_sql_and_values(engine, delete, [number.into()])).await?;
    }
    tx.commit().await?;
    Ok(last)
}
