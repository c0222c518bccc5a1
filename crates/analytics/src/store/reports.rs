//! Aggregate numbers of an organisation.

use kernel::{ContentId, Millis, OrgId, PlaylistId};
use sea_orm::{ConnectionTrait, DbErr, Statement, TryGetable};

use super::sums::Sum;
use crate::series::Range;

/// Maximum number of items in the Home screen's grid.
const POPULAR_MAX: i64 = 6;

/// Returns the organisation's all-time totals, including deleted content.
pub async fn total(conn: &impl ConnectionTrait, org: OrgId) -> Result<Sum, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT CAST(COALESCE(SUM(watch_ms), 0) AS BIGINT), CAST(COALESCE(SUM(views), 0) AS BIGINT) \
         FROM watch_org WHERE org = $1",
        [org.into()],
    );
    match conn.query_one_raw(statement).await? {
        Some(row) => Ok(Sum { watch_ms: row.try_get_by_index(0)?, views: row.try_get_by_index(1)? }),
        None => Ok(Sum::default()),
    }
}

/// A popular content item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Popular {
    pub uid: ContentId,
    pub views: i64,
}

/// Returns the content items viewed most since a UTC day, without deleted ones.
pub async fn popular(conn: &impl ConnectionTrait, org: OrgId, since_day: i64) -> Result<Vec<Popular>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT c.uid, w.counted FROM (SELECT content, CAST(SUM(views) AS BIGINT) AS counted \
         FROM watch_content WHERE org = $1 AND day >= $2 GROUP BY content) w \
         JOIN content c ON c.uid = w.content AND c.org = $1 AND c.deleted_at IS NULL \
         WHERE w.counted > 0 ORDER BY w.counted DESC, c.title ASC LIMIT $3",
        [org.into(), since_day.into(), POPULAR_MAX.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| Ok(Popular { uid: row.try_get_by_index(0)?, views: row.try_get_by_index(1)? }))
        .collect()
}

/// Returns the totals of each playlist that is not deleted, most viewed first.
pub async fn playlists(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<(PlaylistId, Sum)>, DbErr> {
    totals(
        conn,
        org,
        "SELECT w.playlist, w.watch_ms, w.views FROM watch_playlist w \
         JOIN playlist p ON p.uid = w.playlist AND p.org = w.org AND p.deleted_at IS NULL \
         WHERE w.org = $1 ORDER BY w.views DESC, w.playlist DESC",
    )
    .await
}

/// Returns the totals of each content item that is not deleted, most viewed first; items without views and
/// watch time are omitted.
pub async fn content_items(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    totals(
        conn,
        org,
        "SELECT c.uid, c.watch_ms, c.views FROM content c \
         WHERE c.org = $1 AND c.deleted_at IS NULL AND (c.views > 0 OR c.watch_ms > 0) \
         ORDER BY c.views DESC, c.uid DESC",
    )
    .await
}

async fn totals<Id: TryGetable>(
    conn: &impl ConnectionTrait,
    org: OrgId,
    sql: &'static str,
) -> Result<Vec<(Id, Sum)>, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let watch_ms: Millis = row.try_get_by_index(1)?;
            Ok((row.try_get_by_index(0)?, Sum { watch_ms, views: row.try_get_by_index(2)? }))
        })
        .collect()
}

/// Returns the organisation's watch time by UTC hour, in order.
pub async fn hours(conn: &impl ConnectionTrait, org: OrgId, range: Range) -> Result<Vec<(i64, i64)>, DbErr> {
    let (first, end) = range.hours();
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT hour, watch_ms FROM watch_org WHERE org = $1 AND hour >= $2 AND hour < $3 ORDER BY hour",
        [org.into(), first.into(), end.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}
