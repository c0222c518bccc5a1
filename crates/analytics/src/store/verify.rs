//! Totals and counters that disagree with the sums of which they are made.

use kernel::{ContentId, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

/// Totals of a day that are not the sum of those of its content items.
const DAYS: &str = "SELECT t.org, t.day FROM watch_day t JOIN organisation o ON o.uid = t.org \
     WHERE o.purge_began_at IS NULL AND t.list IN ('organisation', 'content') {of_org} \
     GROUP BY t.org, t.day \
     HAVING SUM(CASE WHEN t.list = 'content' THEN t.watch_ms ELSE -t.watch_ms END) <> 0 \
     OR SUM(CASE WHEN t.list = 'content' THEN t.views ELSE -t.views END) <> 0 ORDER BY 1, 2";

/// Hours and days of one subject with different sums. Days may have been cut by another time zone, so only the sums over
/// all time are comparable.
const HOURS: &str = "SELECT t.org, t.subject FROM ( \
     SELECT org, subject, watch_ms, views FROM watch_hour UNION ALL \
     SELECT org, item, -watch_ms, -views FROM watch_day) t JOIN organisation o ON o.uid = t.org \
     WHERE o.purge_began_at IS NULL {of_org} GROUP BY t.org, t.subject \
     HAVING SUM(t.watch_ms) <> 0 OR SUM(t.views) <> 0 ORDER BY 1, 2";

/// Content items for which the totals of the people exceed the total of the item.
const PEOPLE: &str = "SELECT t.org, t.content FROM ( \
     SELECT org, content, watch_ms, views FROM watch_person UNION ALL \
     SELECT org, item, -watch_ms, -views FROM watch_day WHERE list = 'content') t \
     JOIN organisation o ON o.uid = t.org \
     WHERE o.purge_began_at IS NULL AND t.content <> $1 {of_org} GROUP BY t.org, t.content \
     HAVING SUM(t.watch_ms) > 0 OR SUM(t.views) > 0 ORDER BY 1, 2";

/// Totals of a playlist that are not the sum of those of its items.
const PLAYLISTS: &str = "SELECT t.org, t.playlist FROM ( \
     SELECT org, playlist, watch_ms, late_ms, views FROM watch_playlist UNION ALL \
     SELECT org, playlist, -watch_ms, -late_ms, -views FROM watch_playlist_content) t \
     JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL {of_org} GROUP BY t.org, t.playlist \
     HAVING SUM(t.watch_ms) <> 0 OR SUM(t.late_ms) <> 0 OR SUM(t.views) <> 0 ORDER BY 1, 2";

/// Counters of content items. $1 is the time before which they may count more than the totals.
const CONTENT_COUNTERS: &str = "SELECT t.org, t.uid, t.created_at, t.views, t.watch_ms, \
     COALESCE(d.views, 0) AS sum_views, COALESCE(d.watch_ms, 0) AS sum_watch_ms FROM content t \
     JOIN organisation o ON o.uid = t.org LEFT JOIN ( \
     SELECT org, item, CAST(SUM(views) AS BIGINT) AS views, CAST(SUM(watch_ms) AS BIGINT) AS watch_ms \
     FROM watch_day WHERE list = 'content' GROUP BY org, item) d ON d.org = t.org AND d.item = t.uid \
     WHERE t.deleted_at IS NULL AND o.purge_began_at IS NULL {of_org} \
     AND (t.views < COALESCE(d.views, 0) OR t.watch_ms < COALESCE(d.watch_ms, 0) OR (t.created_at >= $1 \
     AND (t.views <> COALESCE(d.views, 0) OR t.watch_ms <> COALESCE(d.watch_ms, 0)))) ORDER BY 2";

/// The same for the watch time of playlists.
const PLAYLIST_COUNTERS: &str = "SELECT t.org, t.uid, t.created_at, CAST(0 AS BIGINT) AS views, t.watch_ms, \
     CAST(0 AS BIGINT) AS sum_views, \
     COALESCE(d.watch_ms, 0) AS sum_watch_ms FROM playlist t JOIN organisation o ON o.uid = t.org \
     LEFT JOIN watch_playlist d ON d.org = t.org AND d.playlist = t.uid \
     WHERE t.deleted_at IS NULL AND o.purge_began_at IS NULL {of_org} \
     AND (t.watch_ms < COALESCE(d.watch_ms, 0) OR (t.created_at >= $1 \
     AND t.watch_ms <> COALESCE(d.watch_ms, 0))) ORDER BY 2";

/// Something of an organisation whose totals disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub org: OrgId,
    pub subject: Uid,
}

/// A counter that disagrees with the totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    pub org: OrgId,
    pub subject: Uid,
    pub created_at: Timestamp,
    pub views: i64,
    pub watch_ms: i64,
    pub sum_views: i64,
    pub sum_watch_ms: i64,
}

/// Returns the days on which the totals of an organisation, or of all, are not those of its content items.
pub async fn days(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<(OrgId, Timestamp)>, DbErr> {
    let rows = query(conn, DAYS, vec![], org).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns the subjects whose hours and days disagree.
pub async fn hours(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Disagreement>, DbErr> {
    disagreements(&query(conn, HOURS, vec![], org).await?)
}

/// Returns the content items for which the totals of the people exceed the total of the item.
pub async fn people(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Disagreement>, DbErr> {
    disagreements(&query(conn, PEOPLE, vec![Uid::nil().into()], org).await?)
}

/// Returns the playlists whose totals are not those of their items.
pub async fn playlists(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Disagreement>, DbErr> {
    disagreements(&query(conn, PLAYLISTS, vec![], org).await?)
}

/// Returns the content items whose counters disagree with the totals. Those created before `exact_since` may count more.
pub async fn content_counters(
    conn: &impl ConnectionTrait,
    exact_since: Timestamp,
    org: Option<OrgId>,
) -> Result<Vec<Counter>, DbErr> {
    counters(&query(conn, CONTENT_COUNTERS, vec![exact_since.into()], org).await?)
}

/// The same for playlists.
pub async fn playlist_counters(
    conn: &impl ConnectionTrait,
    exact_since: Timestamp,
    org: Option<OrgId>,
) -> Result<Vec<Counter>, DbErr> {
    counters(&query(conn, PLAYLIST_COUNTERS, vec![exact_since.into()], org).await?)
}

/// Makes the totals of playlists the sums of those of their items.
pub async fn restate_playlists(tx: &db::WriteTx, org: OrgId) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM watch_playlist WHERE org = $1",
        "INSERT INTO watch_playlist (org, playlist, watch_ms, late_ms, views) \
         SELECT org, playlist, CAST(SUM(watch_ms) AS BIGINT), CAST(SUM(late_ms) AS BIGINT), \
         CAST(SUM(views) AS BIGINT) FROM watch_playlist_content WHERE org = $1 GROUP BY org, playlist",
    ] {
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, [org.into()])).await?;
    }
    Ok(())
}

async fn query(
    conn: &impl ConnectionTrait,
    sql: &'static str,
    mut values: Vec<Value>,
    org: Option<OrgId>,
) -> Result<Vec<QueryResult>, DbErr> {
    let of_org = org.map(|org| {
        values.push(org.into());
        format!("AND t.org = ${}", values.len())
    });
    let sql = sql.replace("{of_org}", &of_org.unwrap_or_default());
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), sql, values)).await
}

fn disagreements(rows: &[QueryResult]) -> Result<Vec<Disagreement>, DbErr> {
    let read = |row: &QueryResult| {
        Ok(Disagreement { org: row.try_get_by_index(0)?, subject: row.try_get_by_index(1)? })
    };
    rows.iter().map(read).collect()
}

fn counters(rows: &[QueryResult]) -> Result<Vec<Counter>, DbErr> {
    rows.iter()
        .map(|row| {
            Ok(Counter {
                org: row.try_get("", "org")?,
                subject: row.try_get("", "uid")?,
                created_at: row.try_get("", "created_at")?,
                views: row.try_get("", "views")?,
                watch_ms: row.try_get("", "watch_ms")?,
                sum_views: row.try_get("", "sum_views")?,
                sum_watch_ms: row.try_get("", "sum_watch_ms")?,
            })
        })
        .collect()
}

impl Counter {
    /// Returns the views and the watch time that the counter should have.
    pub fn restated(&self, exact_since: Timestamp) -> (i64, i64) {
        if self.created_at >= exact_since {
            (self.sum_views, self.sum_watch_ms)
        } else {
            (self.views.max(self.sum_views), self.watch_ms.max(self.sum_watch_ms))
        }
    }

    /// Returns the id of the content item.
    pub fn content(&self) -> ContentId {
        self.subject.into()
    }

    /// Returns the id of the playlist.
    pub fn playlist(&self) -> PlaylistId {
        self.subject.into()
    }
}
