//! Removal of one person from an organisation's rows.

use db::WriteTx;
use kernel::{DAY, OrgId, PersonId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

/// Removes the rows that contain the person's id, and what was seen under the name `named`.
pub async fn remove(
    tx: &WriteTx,
    org: OrgId,
    person: PersonId,
    named: Option<ViewerId>,
) -> Result<(), DbErr> {
    for delete in [
        "DELETE FROM watch_person WHERE org = $1 AND person = $2",
        "DELETE FROM person_pack WHERE org = $1 AND person = $2",
        "DELETE FROM activity WHERE org = $1 AND person = $2",
        "DELETE FROM visitor WHERE org = $1 AND person = $2",
        "DELETE FROM viewer_key WHERE org = $1 AND person = $2",
    ] {
        run(tx, delete, [org.into(), person.into()]).await?;
    }
    if let Some(named) = named {
        run(tx, "DELETE FROM coverage WHERE org = $1 AND viewer = $2", [org.into(), named.into()]).await?;
    }
    Ok(())
}

/// Returns the UTC days on which views of a viewer began.
pub async fn view_days(tx: &WriteTx, org: OrgId, named: ViewerId) -> Result<Vec<i64>, DbErr> {
    let select = "SELECT DISTINCT began_at / $3 FROM viewing WHERE org = $1 AND viewer = $2 ORDER BY 1";
    days(tx, select, [org.into(), named.into(), DAY.into()]).await
}

/// Moves a viewer's views that began on a UTC day from the name `named` to `other`.
pub async fn rename_views(
    tx: &WriteTx,
    org: OrgId,
    named: ViewerId,
    (other, day): (ViewerId, i64),
) -> Result<(), DbErr> {
    let update =
        "UPDATE viewing SET viewer = $3 WHERE org = $1 AND viewer = $2 AND began_at >= $4 AND began_at < $5";
    run(tx, update, [org.into(), named.into(), other.into(), start(day), start(day + 1)]).await
}

/// Returns the UTC days on which events of a viewer were received.
pub async fn event_days(tx: &WriteTx, org: OrgId, named: ViewerId) -> Result<Vec<i64>, DbErr> {
    let select = "SELECT DISTINCT day FROM event_batch WHERE org = $1 AND viewer = $2 ORDER BY 1";
    days(tx, select, [org.into(), named.into()]).await
}

/// Moves a viewer's events received on a UTC day from the name `named` to `other`, which has no consent.
pub async fn rename_events(
    tx: &WriteTx,
    org: OrgId,
    named: ViewerId,
    (other, day): (ViewerId, i64),
) -> Result<(), DbErr> {
    let update = "UPDATE event_batch SET viewer = $3, since = 0 WHERE org = $1 AND viewer = $2 AND day = $4";
    run(tx, update, [org.into(), named.into(), other.into(), day.into()]).await
}

async fn days<const N: usize>(
    tx: &WriteTx,
    select: &'static str,
    values: [Value; N],
) -> Result<Vec<i64>, DbErr> {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), select, values);
    let day = |row: &QueryResult| row.try_get_by_index(0);
    tx.query_all_raw(statement).await?.iter().map(day).collect()
}

/// Returns the start of a UTC day.
fn start(day: i64) -> Value {
    Timestamp::from_ms(day * DAY).into()
}

async fn run<const N: usize>(tx: &WriteTx, sql: &'static str, values: [Value; N]) -> Result<(), DbErr> {
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.map(drop)
}
