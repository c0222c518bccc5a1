//! The time zone in which the days of an organisation are cut, and since when: after a change of the zone, days whose events
//! are gone keep their cut.

use db::WriteTx;
use kernel::{OrgId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, Statement};

use crate::definitions::zone::Zone;
use crate::series::Range;

/// Returns the time zone of an organisation, with the start of the first day that is cut in it.
pub async fn zone(conn: &impl ConnectionTrait, org: OrgId) -> Result<Zone, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT o.time_zone, c.since FROM organisation o LEFT JOIN zone_cut c ON c.org = o.uid WHERE o.uid = $1",
        [org.into()],
    );
    let Some(row) = conn.query_one_raw(statement).await? else { return Ok(Zone::named("")) };
    let name: String = row.try_get_by_index(0)?;
    Ok(Zone::named(&name).cut_since(row.try_get_by_index(1)?))
}

/// Returns the zone in which the days of an organisation were last cut, with the start of the first of them; `None` before
/// they were.
pub async fn last(
    conn: &impl ConnectionTrait,
    org: OrgId,
) -> Result<Option<(String, Option<Timestamp>)>, DbErr> {
    let select = "SELECT time_zone, since FROM zone_cut WHERE org = $1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into()]);
    let Some(row) = conn.query_one_raw(statement).await? else { return Ok(None) };
    Ok(Some((row.try_get_by_index(0)?, row.try_get_by_index(1)?)))
}

/// Returns the organisations whose days are not known to be cut in their zone.
pub async fn outdated(conn: &impl ConnectionTrait) -> Result<Vec<OrgId>, DbErr> {
    let select = "SELECT o.uid FROM organisation o LEFT JOIN zone_cut c ON c.org = o.uid \
         WHERE o.purge_began_at IS NULL AND (c.org IS NULL OR c.time_zone <> o.time_zone) ORDER BY o.uid";
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), select)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Records that the days of an organisation are cut in its zone, after a change those since `since`. Without a change, the
/// border of the one before stays.
pub async fn save(tx: &WriteTx, org: OrgId, since: Option<Timestamp>) -> Result<(), DbErr> {
    let statement = Statement::from_sql_and_values(
        tx.get_database_backend(),
        "INSERT INTO zone_cut (org, time_zone) SELECT uid, time_zone FROM organisation WHERE uid = $1 \
         ON CONFLICT (org) DO UPDATE SET time_zone = excluded.time_zone, since = $2 \
         WHERE zone_cut.time_zone <> excluded.time_zone",
        [org.into(), since.into()],
    );
    tx.execute_raw(statement).await.map(drop)
}

/// Cuts the hours of the views anew that began in a range.
pub async fn cut_views(tx: &WriteTx, org: OrgId, zone: &Zone, range: Range) -> Result<(), DbErr> {
    for (Range { start, end }, before) in zone.parts_by_minute(range) {
        let statement = Statement::from_sql_and_values(
            tx.get_database_backend(),
            "UPDATE viewing SET hour = began_at - (began_at + $4) % 3600000 \
             WHERE org = $1 AND began_at >= $2 AND began_at < $3 AND hour <> began_at - (began_at + $4) % 3600000",
            [org.into(), start.into(), end.into(), before.into()],
        );
        tx.execute_raw(statement).await?;
    }
    Ok(())
}
