//! Numbers of one person. Every read starts at the consent: earlier activity stays anonymous.

use std::cmp::Reverse;
use std::collections::HashMap;

use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

use super::person_packs::last_over;
use super::{none_if_nil, numbers};
use crate::person_pack::{ItemTotals, TotalsById, Watched};
use crate::series::Range;
use crate::totals::period_of;

/// Maximum number of history entries.
const HISTORY_MAX: i64 = 200;
/// Maximum length of a top list.
const TOP_MAX: usize = 10;

/// A person of an organisation with the start of the person's consent.
#[derive(Clone, Copy, Debug)]
pub struct Consenting {
    pub org: OrgId,
    pub person: PersonId,
    pub since: Timestamp,
}

impl Consenting {
    /// Returns the parameters of an hourly query: $1 organisation, $2 person, $3 start of the consent, $4 first hour,
    /// $5 end (exclusive).
    fn hours(self, range: Range) -> [Value; 5] {
        [self.org.into(), self.person.into(), self.since.into(), range.start.into(), range.end.into()]
    }
}

/// Returns when these people were last active, each under the current consent.
pub async fn last_seen(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<HashMap<PersonId, Timestamp>, DbErr> {
    let wanted: Vec<[Value; 2]> = people.iter().map(|person| [org.into(), (*person).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT v.person, v.last_at FROM want JOIN visitor v ON v.org = want.org AND v.person = want.person \
         JOIN consent_standing s ON s.org = v.org AND s.person = v.person AND s.since = v.since WHERE s.consent",
    )
    .await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// The measured quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    WatchTime,
    Views,
    Visits,
}

/// Returns a person's values by hour, in order.
pub async fn hours(
    conn: &impl ConnectionTrait,
    who: Consenting,
    measure: Measure,
    range: Range,
) -> Result<Vec<(Timestamp, i64)>, DbErr> {
    let sql = match measure {
        Measure::WatchTime => {
            "SELECT hour, CAST(SUM(watch_ms) AS BIGINT) FROM watch_person \
             WHERE org = $1 AND person = $2 AND since = $3 AND hour >= $4 AND hour < $5 GROUP BY hour ORDER BY hour"
        }
        Measure::Views => {
            "SELECT hour, CAST(SUM(views) AS BIGINT) FROM watch_person \
             WHERE org = $1 AND person = $2 AND since = $3 AND hour >= $4 AND hour < $5 GROUP BY hour ORDER BY hour"
        }
        Measure::Visits => {
            "SELECT hour, CAST(SUM(visits) AS BIGINT) FROM watch_person \
             WHERE org = $1 AND person = $2 AND since = $3 AND hour >= $4 AND hour < $5 GROUP BY hour ORDER BY hour"
        }
    };
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, who.hours(range));
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns up to ten entries with the highest values, in descending order; zeros are omitted.
pub fn top<Id: Copy + Ord>(list: &TotalsById<Id>, value: impl Fn(&ItemTotals) -> i64) -> Vec<(Id, i64)> {
    let mut top: Vec<(Reverse<i64>, Id)> = Vec::with_capacity(TOP_MAX + 1);
    for (uid, totals) in list {
        let value = value(totals);
        let least = top.get(TOP_MAX - 1).map_or(1, |(Reverse(least), _)| *least);
        if value < least {
            continue;
        }
        let entry = (Reverse(value), *uid);
        top.insert(top.partition_point(|other| *other < entry), entry);
        top.truncate(TOP_MAX);
    }
    top.into_iter().map(|(Reverse(value), uid)| (uid, value)).collect()
}

/// One row: the packs of the periods that a range touches, and the totals of the other periods, a value per column. $6 is the
/// first period, $7 the last one that is over. The number is the length of a period.
const WATCHED_SQLITE: &str = "WITH RECURSIVE touched (period) AS (SELECT $6 UNION ALL \
     SELECT period + 2419200000 FROM touched WHERE period + 2419200000 < $5) \
     SELECT (SELECT CAST(string_agg(data, '') AS BLOB) FROM person_pack WHERE org = $1 AND person = $2 AND since = $3 \
     AND period >= $6 AND period < $5 AND period <= $7), CAST(string_agg(w.content, '') AS BLOB), \
     CAST(string_agg(w.playlist, '') AS BLOB), string_agg(w.watch_ms, ','), string_agg(w.views, ',') \
     FROM touched t CROSS JOIN watch_person w WHERE w.org = $1 AND w.person = $2 AND w.since = $3 \
     AND w.hour >= max(t.period, $4) AND w.hour < min(t.period + 2419200000, $5) \
     AND (t.period > $7 OR NOT EXISTS (SELECT 1 FROM person_pack p \
     WHERE p.org = $1 AND p.person = $2 AND p.since = $3 AND p.period = t.period))";

/// The same. OFFSET keeps PostgreSQL from reading all totals of the person and comparing each with each period.
const WATCHED_POSTGRES: &str = "WITH RECURSIVE touched (period) AS (SELECT CAST($6 AS BIGINT) UNION ALL \
     SELECT period + 2419200000 FROM touched WHERE period + 2419200000 < $5) \
     SELECT (SELECT string_agg(data, '') FROM person_pack WHERE org = $1 AND person = $2 AND since = $3 \
     AND period >= $6 AND period < $5 AND period <= $7), string_agg(uuid_send(w.content), ''), \
     string_agg(uuid_send(w.playlist), ''), string_agg(CAST(w.watch_ms AS text), ','), \
     string_agg(CAST(w.views AS text), ',') FROM touched t CROSS JOIN LATERAL (\
     SELECT content, playlist, watch_ms, views FROM watch_person WHERE org = $1 AND person = $2 AND since = $3 \
     AND hour >= GREATEST(t.period, $4) AND hour < LEAST(t.period + 2419200000, $5) OFFSET 0) w \
     WHERE t.period > $7 OR NOT EXISTS (SELECT 1 FROM person_pack p \
     WHERE p.org = $1 AND p.person = $2 AND p.since = $3 AND p.period = t.period)";

/// Returns what a person watched in a range. Packs of periods that are not over are not read: a clock was ahead.
pub async fn watched(
    conn: &impl ConnectionTrait,
    who: Consenting,
    range: Range,
    now: Timestamp,
) -> Result<Watched, DbErr> {
    let backend = conn.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => WATCHED_POSTGRES,
        _ => WATCHED_SQLITE,
    };
    let [org, person, since, start, end] = who.hours(range);
    let periods = [period_of(range.start).into(), last_over(now).into()];
    let values = [org, person, since, start, end].into_iter().chain(periods);
    let mut watched = Watched::default();
    let Some(row) = conn.query_one_raw(Statement::from_sql_and_values(backend, sql, values)).await? else {
        return Ok(watched);
    };
    let packs: Option<Vec<u8>> = row.try_get_by_index(0)?;
    if watched.add_packs(packs.as_deref().unwrap_or_default(), range).is_none() {
        return Err(db::unreadable("person_pack", "data", who.person));
    }
    for (content, playlist, [watch_ms, views]) in numbers::with_ids(&row, 1)? {
        watched.add(none_if_nil(content), none_if_nil(playlist), ItemTotals { watch_ms, views });
    }
    Ok(watched)
}

/// An entry of a person's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityEntry {
    pub kind: String,
    pub at: Timestamp,
    pub content: Option<ContentId>,
    pub playlist: Option<PlaylistId>,
    pub watch_ms: Millis,
}

/// Returns a person's history in a range, newest first.
pub async fn history(
    conn: &impl ConnectionTrait,
    who: Consenting,
    range: Range,
) -> Result<Vec<ActivityEntry>, DbErr> {
    let values: [Value; 6] = [
        who.org.into(),
        who.person.into(),
        who.since.into(),
        range.start.into(),
        range.end.into(),
        HISTORY_MAX.into(),
    ];
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms - v.refused_ms, 0) FROM activity a \
         LEFT JOIN viewing v ON v.org = a.org AND v.uid = a.uid \
         WHERE a.org = $1 AND a.person = $2 AND a.since = $3 AND a.at >= $4 AND a.at < $5 \
         ORDER BY a.at DESC, a.uid DESC LIMIT $6",
        values,
    );
    conn.query_all_raw(statement).await?.iter().map(entry).collect()
}

fn entry(row: &QueryResult) -> Result<ActivityEntry, DbErr> {
    Ok(ActivityEntry {
        kind: row.try_get_by_index(0)?,
        at: row.try_get_by_index(1)?,
        content: row.try_get_by_index(2)?,
        playlist: row.try_get_by_index(3)?,
        watch_ms: row.try_get_by_index(4)?,
    })
}

/// An entry of the organisation's recent activity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentEntry {
    pub person: PersonId,
    pub entry: ActivityEntry,
}

/// Returns what consenting people did last, newest first.
pub async fn recent(conn: &impl ConnectionTrait, org: OrgId, limit: u64) -> Result<Vec<RecentEntry>, DbErr> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms - v.refused_ms, 0), a.person FROM activity a \
         JOIN consent_standing s ON s.org = a.org AND s.person = a.person AND s.since = a.since AND s.consent \
         LEFT JOIN viewing v ON v.org = a.org AND v.uid = a.uid \
         WHERE a.org = $1 ORDER BY a.at DESC, a.uid DESC LIMIT $2",
        [org.into(), limit.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok(RecentEntry { person: row.try_get_by_index(5)?, entry: entry(row)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_list_is_descending_and_has_ten_rows_at_most() {
        let totals = |views| ItemTotals { views, watch_ms: 0 };
        let list: TotalsById<ContentId> =
            (0..36u8).map(|n| (ContentId::from_u128(n.into()), totals(i64::from(n % 6)))).collect();
        let top = top(&list, |totals| totals.views);
        // Of equal ones, those with the smaller ids.
        let expected =
            [5, 11, 17, 23, 29, 35].map(|id| (id, 5)).into_iter().chain([4, 10, 16, 22].map(|id| (id, 4)));
        let expected: Vec<_> = expected.map(|(id, views)| (ContentId::from_u128(id), views)).collect();
        assert_eq!(top, expected);
        let one = TotalsById::from_iter([
            (ContentId::from_u128(1), totals(0)),
            (ContentId::from_u128(2), totals(3)),
        ]);
        assert_eq!(
            super::top(&one, |totals| totals.views),
            [(ContentId::from_u128(2), 3)],
            "zeros are omitted"
        );
    }
}
