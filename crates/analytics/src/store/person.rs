//! Removal of one person from an organisation's rows.

use db::WriteTx;
use kernel::{DAY, OrgId, PersonId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

/// Removes the rows that contain the person's id.
pub async fn remove(tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    for delete in [
        "DELETE FROM watch_person WHERE org = $1 AND person = $2",
        "DELETE FROM activity WHERE org = $1 AND person = $2",
        "DELETE FROM visitor WHERE org = $1 AND person = $2",
    ] {
        run(tx, delete, [org.into(), person.into()]).await?;
    }
    Ok(())
}

/// Moves a viewer's views of a UTC day, and what was counted on it, from the name `named` to `anonymous`.
pub async fn make_anonymous(
    tx: &WriteTx,
    org: OrgId,
    named: ViewerId,
    (anonymous, day): (ViewerId, i64),
) -> Result<(), DbErr> {
    let values =
        || -> [Value; 5] { [org.into(), named.into(), anonymous.into(), start(day), start(day + 1)] };
    let views =
        "UPDATE viewing SET viewer = $3 WHERE org = $1 AND viewer = $2 AND began_at >= $4 AND began_at < $5";
    run(tx, views, values()).await?;
    let counted = "UPDATE coverage SET viewer = $3, sections = '', covered = 0, watched_day = 0, since = 0 \
         WHERE org = $1 AND viewer = $2 AND counted_at >= $4 AND counted_at < $5 AND NOT EXISTS \
         (SELECT 1 FROM coverage known WHERE known.org = $1 AND known.viewer = $3 AND known.content = coverage.content)";
    run(tx, counted, values()).await
}

/// Removes a viewer's coverage, and the viewer from the other views.
pub async fn remove_named(tx: &WriteTx, org: OrgId, named: ViewerId) -> Result<(), DbErr> {
    run(tx, "DELETE FROM coverage WHERE org = $1 AND viewer = $2", [org.into(), named.into()]).await?;
    let views = "UPDATE viewing SET viewer = $3 WHERE org = $1 AND viewer = $2";
    run(tx, views, [org.into(), named.into(), ViewerId::nil().into()]).await
}

/// Returns the UTC days on which requests of a viewer were received.
pub async fn request_days(tx: &WriteTx, org: OrgId, named: ViewerId) -> Result<Vec<i64>, DbErr> {
    let select =
        "SELECT DISTINCT received_at / $3 FROM event_batch WHERE org = $1 AND viewer = $2 ORDER BY 1";
    let values = [org.into(), named.into(), DAY.into()];
    let rows =
        tx.query_all_raw(Statement::from_sql_and_values(tx.get_database_backend(), select, values)).await?;
    let day = |row: &QueryResult| row.try_get_by_index(0);
    rows.iter().map(day).collect()
}

/// Renames the viewer of requests received on a UTC day.
pub async fn rename_requests(
    tx: &WriteTx,
    org: OrgId,
    named: ViewerId,
    (random, day): (ViewerId, i64),
) -> Result<(), DbErr> {
    let update = "UPDATE event_batch SET viewer = $3 \
                  WHERE org = $1 AND viewer = $2 AND received_at >= $4 AND received_at < $5";
    run(tx, update, [org.into(), named.into(), random.into(), start(day), start(day + 1)]).await
}

/// Returns the start of a UTC day.
fn start(day: i64) -> Value {
    Timestamp::from_ms(day * DAY).into()
}

async fn run<const N: usize>(tx: &WriteTx, sql: &'static str, values: [Value; N]) -> Result<(), DbErr> {
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.map(drop)
}
