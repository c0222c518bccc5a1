//! Totals and counters that disagree with the sums of which they are made.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{ContentId, OrgId, PlaylistId, SECOND, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use super::person_packs::{self, PersonPeriodKey};
use super::view_packs;
use crate::audience_of_item::{Audience, stored};
use crate::returning;
use crate::totals::{PERIOD, period_of};
use crate::view_pack::{Pack, utc_day};

/// Packs of people that are compared at once.
const PAGE: i64 = 100;

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

/// Items and playlists whose totals by period are not the sums of their days. The number is the length of a period.
const PERIODS: &str = "SELECT DISTINCT p.org, p.item FROM (SELECT t.org, t.item FROM ( \
     SELECT org, list, item, day / 2419200000 * 2419200000 AS period, watch_ms, late_ms, views \
     FROM watch_day WHERE list <> 'organisation' UNION ALL \
     SELECT org, list, item, period, -watch_ms, -late_ms, -views FROM watch_period) t \
     JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL {of_org} \
     GROUP BY t.org, t.list, t.item, t.period \
     HAVING SUM(t.watch_ms) <> 0 OR SUM(t.late_ms) <> 0 OR SUM(t.views) <> 0) p ORDER BY 1, 2";

/// Playlists whose items have totals by period that are not the sums of their days.
const PLAYLIST_PERIODS: &str = "SELECT DISTINCT p.org, p.playlist FROM (SELECT t.org, t.playlist FROM ( \
     SELECT org, playlist, content, day / 2419200000 * 2419200000 AS period, watch_ms, late_ms, views \
     FROM watch_playlist_content UNION ALL \
     SELECT org, playlist, content, period, -watch_ms, -late_ms, -views FROM watch_playlist_period) t \
     JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL {of_org} \
     GROUP BY t.org, t.playlist, t.content, t.period \
     HAVING SUM(t.watch_ms) <> 0 OR SUM(t.late_ms) <> 0 OR SUM(t.views) <> 0) p ORDER BY 1, 2";

/// Organisations whose watch time by period and hour of the week is not the sum of their hours.
const SLOTS: &str = "SELECT DISTINCT p.org, p.org FROM (SELECT t.org FROM ( \
     SELECT org, hour / 2419200000 * 2419200000 AS period, hour % 604800000 AS slot, watch_ms \
     FROM watch_hour WHERE subject = org UNION ALL SELECT org, period, slot, -watch_ms FROM watch_slot) t \
     JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL {of_org} \
     GROUP BY t.org, t.period, t.slot HAVING SUM(t.watch_ms) <> 0) p ORDER BY 1";

/// The numbers of views by week that are not read from their rows, from $1 to $2. The numbers are the lengths of a day and
/// of a week.
const PACKED_VIEWS: &str = "SELECT t.org, t.subject, t.day / 604800000 * 604800000, COUNT(*) FROM ( \
     SELECT org, content AS subject, hour / 86400000 * 86400000 AS day FROM viewing \
     WHERE hour >= $1 AND hour < $2 AND verdict = 'counted' UNION ALL \
     SELECT org, playlist, hour / 86400000 * 86400000 FROM viewing \
     WHERE hour >= $1 AND hour < $2 AND verdict = 'counted' AND playlist IS NOT NULL) t \
     JOIN organisation o ON o.uid = t.org LEFT JOIN view_unpacked u \
     ON u.org = t.org AND u.subject = t.subject AND u.day = t.day \
     WHERE o.purge_began_at IS NULL AND u.org IS NULL {of_org} GROUP BY 1, 2, 3";

/// The packs from $1 to $2, with the days that are read from their rows.
const STORED_PACKS: &str = "SELECT t.org, t.subject, t.week, t.data, u.day, t.audience FROM view_pack t \
     JOIN organisation o ON o.uid = t.org LEFT JOIN view_unpacked u ON u.org = t.org AND u.subject = t.subject \
     AND u.day >= t.week AND u.day < t.week + 604800000 \
     WHERE t.week >= $1 AND t.week < $2 AND o.purge_began_at IS NULL {of_org} ORDER BY 1, 2, 3";

/// The items and playlists with more than one pack.
const PACKED_OFTEN: &str = "SELECT t.org, t.subject FROM view_pack t JOIN organisation o ON o.uid = t.org \
     WHERE o.purge_began_at IS NULL {of_org} GROUP BY t.org, t.subject HAVING COUNT(*) > 1 ORDER BY 1, 2";

/// The times between which there are views and packs.
const PACKS_FROM_TO: &str = "SELECT MIN(at), MAX(at) FROM (SELECT MIN(hour) AS at FROM viewing UNION ALL \
     SELECT MAX(hour) FROM viewing UNION ALL SELECT MIN(week) FROM view_pack UNION ALL SELECT MAX(week) FROM view_pack) t";

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

/// Counters of content items, deleted ones included: Home adds up all of them. $1 is the time before which they may count more than the totals.
const CONTENT_COUNTERS: &str = "SELECT t.org, t.uid, t.created_at, t.views, t.watch_ms, \
     COALESCE(d.views, 0) AS sum_views, COALESCE(d.watch_ms, 0) AS sum_watch_ms FROM content t \
     JOIN organisation o ON o.uid = t.org LEFT JOIN ( \
     SELECT org, item, CAST(SUM(views) AS BIGINT) AS views, CAST(SUM(watch_ms) AS BIGINT) AS watch_ms \
     FROM watch_day WHERE list = 'content' GROUP BY org, item) d ON d.org = t.org AND d.item = t.uid \
     WHERE o.purge_began_at IS NULL {of_org} \
     AND (t.views < COALESCE(d.views, 0) OR t.watch_ms < COALESCE(d.watch_ms, 0) OR (t.created_at >= $1 \
     AND (t.views <> COALESCE(d.views, 0) OR t.watch_ms <> COALESCE(d.watch_ms, 0)))) ORDER BY 2";

/// The same for the watch time of playlists that are not deleted.
const PLAYLIST_COUNTERS: &str = "SELECT t.org, t.uid, t.created_at, CAST(0 AS BIGINT) AS views, t.watch_ms, \
     CAST(0 AS BIGINT) AS sum_views, \
     COALESCE(d.watch_ms, 0) AS sum_watch_ms FROM playlist t JOIN organisation o ON o.uid = t.org \
     LEFT JOIN watch_playlist d ON d.org = t.org AND d.playlist = t.uid \
     WHERE t.deleted_at IS NULL AND o.purge_began_at IS NULL {of_org} \
     AND (t.watch_ms < COALESCE(d.watch_ms, 0) OR (t.created_at >= $1 \
     AND t.watch_ms <> COALESCE(d.watch_ms, 0))) ORDER BY 2";

/// The organisations that have content items, or totals of some.
const ORGS_WITH_ITEMS: &str = "SELECT t.org FROM (SELECT org FROM content UNION SELECT org FROM total_pack \
     UNION SELECT org FROM total_unpacked) t JOIN organisation o ON o.uid = t.org \
     WHERE o.purge_began_at IS NULL {of_org} ORDER BY 1";

/// Something of an organisation whose totals disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Returns the items, playlists and organisations whose periods are not the sums of their days or hours.
pub async fn periods(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Disagreement>, DbErr> {
    let mut found = Vec::new();
    for sql in [PERIODS, PLAYLIST_PERIODS, SLOTS] {
        let more = disagreements(&query(conn, sql, vec![], org).await?)?;
        found.extend(more.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
    }
    Ok(found)
}

/// Returns the items and playlists whose packed views are not their views, or cannot be read. Reads a period at a time.
pub async fn packs(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Disagreement>, DbErr> {
    let mut found = BTreeSet::new();
    let Some(row) = query(conn, PACKS_FROM_TO, vec![], None).await?.pop() else { return Ok(Vec::new()) };
    let (Some(first), Some(last)) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?) else {
        return Ok(Vec::new());
    };
    let mut period = period_of(first);
    while period <= last {
        let within = || vec![period.into(), (period + PERIOD).into()];
        let mut views: BTreeMap<(Disagreement, Timestamp), i64> = BTreeMap::new();
        for row in query(conn, PACKED_VIEWS, within(), org).await? {
            views.insert((disagreement(&row)?, row.try_get_by_index(2)?), row.try_get_by_index(3)?);
        }
        for rows in query(conn, STORED_PACKS, within(), org).await?.chunk_by(is_same_pack) {
            let Some(row) = rows.first() else { continue };
            let (subject, week) = (disagreement(row)?, row.try_get_by_index(2)?);
            match packed_views(rows, subject.subject, week)? {
                Some(packed) => *views.entry((subject, week)).or_default() -= packed,
                None => {
                    found.insert(subject);
                }
            }
        }
        found.extend(views.iter().filter(|(_, missing)| **missing != 0).map(|((subject, _), _)| *subject));
        period += PERIOD;
    }
    for subject in disagreements(&query(conn, PACKED_OFTEN, vec![], org).await?)? {
        let weeks = view_packs::weeks(conn, (subject.org, subject.subject)).await?;
        if !returning::agree(&weeks) {
            found.insert(subject);
        }
    }
    Ok(found.into_iter().collect())
}

/// Returns whether two rows are about the same pack.
fn is_same_pack(one: &QueryResult, other: &QueryResult) -> bool {
    let key = |row: &QueryResult| Ok::<_, DbErr>((disagreement(row)?, row.try_get_by_index::<Timestamp>(2)?));
    matches!((key(one), key(other)), (Ok(one), Ok(other)) if one == other)
}

/// Returns the number of views that are read from a pack, whose rows have the days that are not. Returns `None` if it is
/// damaged.
fn packed_views(rows: &[QueryResult], subject: Uid, week: Timestamp) -> Result<Option<i64>, DbErr> {
    let days = rows.iter().map(|row| row.try_get_by_index(4));
    let days: Vec<Option<Timestamp>> = days.collect::<Result<_, DbErr>>()?;
    let data: Vec<u8> = rows.first().map_or(Ok(Vec::new()), |row| row.try_get_by_index(3))?;
    let audience: Vec<u8> = rows.first().map_or(Ok(Vec::new()), |row| row.try_get_by_index(5))?;
    let Some((pack, [])) = Pack::read(&data) else { return Ok(None) };
    if pack.week != week || pack.sections().any(|sections| sections.is_none()) {
        return Ok(None);
    }
    let is_item = pack.contents.iter().all(|content| content.uid() == subject);
    let written = stored::returning(&audience, is_item)
        .and_then(|returning| Audience::of_pack(&pack, is_item)?.write(&returning));
    if written != Some(audience) {
        return Ok(None);
    }
    let mut packed = 0;
    for view in pack.views() {
        let Some(view) = view else { return Ok(None) };
        let day = utc_day(week + i64::from(view.second) * SECOND);
        packed += i64::from(!days.contains(&Some(day)));
    }
    Ok(Some(packed))
}

/// Returns the periods of people whose packs are not the totals by hour, or cannot be read. Reads a page at a time.
pub async fn person_packs(
    conn: &impl ConnectionTrait,
    org: Option<OrgId>,
) -> Result<Vec<PersonPeriodKey>, DbErr> {
    let (mut found, mut last) = (Vec::new(), PersonPeriodKey::first(Timestamp::EPOCH));
    loop {
        let page = person_packs::page(conn, last, org, PAGE).await?;
        let Some(next) = page.last() else { return Ok(found) };
        last = *next;
        found.extend(person_packs::wrong(conn, &page).await?);
    }
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

/// Returns the organisations that have content items, or totals of some.
pub async fn orgs_with_items(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<OrgId>, DbErr> {
    let rows = query(conn, ORGS_WITH_ITEMS, vec![], org).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
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

/// Makes the totals of periods the sums of days and hours.
pub async fn restate_periods(tx: &db::WriteTx, org: OrgId) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM watch_period WHERE org = $1",
        "INSERT INTO watch_period (org, list, item, period, watch_ms, late_ms, views) \
         SELECT org, list, item, day / 2419200000 * 2419200000, CAST(SUM(watch_ms) AS BIGINT), \
         CAST(SUM(late_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) FROM watch_day \
         WHERE org = $1 AND list <> 'organisation' GROUP BY 1, 2, 3, 4",
        "DELETE FROM watch_playlist_period WHERE org = $1",
        "INSERT INTO watch_playlist_period (org, playlist, period, content, watch_ms, late_ms, views) \
         SELECT org, playlist, day / 2419200000 * 2419200000, content, CAST(SUM(watch_ms) AS BIGINT), \
         CAST(SUM(late_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) FROM watch_playlist_content \
         WHERE org = $1 GROUP BY 1, 2, 3, 4",
        "DELETE FROM watch_slot WHERE org = $1",
        "INSERT INTO watch_slot (org, period, slot, watch_ms) SELECT org, hour / 2419200000 * 2419200000, \
         hour % 604800000, CAST(SUM(watch_ms) AS BIGINT) FROM watch_hour WHERE org = $1 AND subject = $1 \
         AND watch_ms > 0 GROUP BY 1, 2, 3",
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
    rows.iter().map(disagreement).collect()
}

fn disagreement(row: &QueryResult) -> Result<Disagreement, DbErr> {
    Ok(Disagreement { org: row.try_get_by_index(0)?, subject: row.try_get_by_index(1)? })
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
