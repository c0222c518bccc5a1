//! Numbers of one person. Every read starts at the consent: earlier activity stays anonymous.

use std::cmp::Reverse;
use std::collections::HashMap;

use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

use super::person_packs::end_of_over;
use super::{none_if_nil, numbers};
use crate::person_pack::{FORTNIGHT, TotalsById, WatchTotals, Watched, fortnight_of};
use crate::series::Range;

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
    /// Returns the parameters of a query: $1 organisation, $2 person, $3 start of the consent, $4 first time, $5 end
    /// (exclusive).
    fn within(self, range: Range) -> [Value; 5] {
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
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, who.within(range));
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns up to ten entries with the highest values, in descending order; zeros are omitted.
pub fn top<Id: Copy + Ord>(list: &TotalsById<Id>, value: impl Fn(&WatchTotals) -> i64) -> Vec<(Id, i64)> {
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

/// Returns the statement. One row has the packs of the periods from $4 until $5, and the totals of this many ranges of hours, a
/// value per column. Each range is a part of a UNION: if they were joined as a table, PostgreSQL would read all totals of the
/// person and compare each with each range.
fn statement(backend: DbBackend, ranges: usize) -> String {
    let packs = match backend {
        DbBackend::Sqlite => "CAST(string_agg(data, '') AS BLOB)",
        _ => "string_agg(data, CAST('' AS bytea))",
    };
    let of_person = "org = $1 AND person = $2 AND since = $3";
    let within = |start: usize| {
        format!(
            "SELECT content, playlist, watch_ms, views FROM watch_person \
             WHERE {of_person} AND hour >= ${start} AND hour < ${}",
            start + 1
        )
    };
    let hours: Vec<String> = (0..ranges).map(|range| within(6 + 2 * range)).collect();
    let [content, playlist] = ["content", "playlist"].map(|id| numbers::column_of_ids(backend, id));
    format!(
        "SELECT (SELECT {packs} FROM person_pack WHERE {of_person} AND period >= $4 AND period < $5), \
         {content}, {playlist}, {} FROM ({}) hours",
        numbers::aggregates(backend, ["watch_ms", "views"]),
        hours.join(" UNION ALL "),
    )
}

/// Returns what a person watched in a range: first the packs, with the hours since the end of the last period that can be
/// packed; then the hours of the periods before that have no pack. So each period is read once, whether or not it is packed
/// meanwhile. Packs of periods that are not over are not read: a clock was ahead.
pub async fn watched(
    conn: &impl ConnectionTrait,
    who: Consenting,
    range: Range,
    now: Timestamp,
) -> Result<Watched, DbErr> {
    let over = end_of_over(now);
    let packs = Range { start: fortnight_of(range.start), end: over.min(range.end) };
    let row = one_row(conn, who, packs, &[Range { start: over.max(range.start), ..range }]).await?;
    let data: Option<Vec<u8>> = row.try_get_by_index(0)?;
    let mut watched = Watched::default();
    let packed = watched.add_packs(data.as_deref().unwrap_or_default(), range);
    let packed = packed.ok_or_else(|| db::unreadable("person_pack", "data", who.person))?;
    add_hours(&mut watched, &row)?;
    let gaps = gaps(packs, &packed);
    if !gaps.is_empty() {
        let within = |gap: Range| Range { start: gap.start.max(range.start), end: gap.end.min(range.end) };
        let hours: Vec<Range> = gaps.into_iter().map(within).collect();
        add_hours(&mut watched, &one_row(conn, who, NO_PACKS, &hours).await?)?;
    }
    Ok(watched)
}

const NO_PACKS: Range = Range { start: Timestamp::EPOCH, end: Timestamp::EPOCH };

async fn one_row(
    conn: &impl ConnectionTrait,
    who: Consenting,
    packs: Range,
    hours: &[Range],
) -> Result<QueryResult, DbErr> {
    let within = hours.iter().flat_map(|range| [range.start.into(), range.end.into()]);
    let values = who.within(packs).into_iter().chain(within);
    numbers::one_row(conn, statement(conn.get_database_backend(), hours.len()), values).await
}

fn add_hours(watched: &mut Watched, row: &QueryResult) -> Result<(), DbErr> {
    for (content, playlist, [watch_ms, views]) in numbers::with_ids(row, 1)? {
        watched.add(none_if_nil(content), none_if_nil(playlist), WatchTotals { watch_ms, views });
    }
    Ok(())
}

/// Returns the periods that begin in a range and are not among these, those that follow each other as one.
fn gaps(range: Range, packed: &[Timestamp]) -> Vec<Range> {
    let mut gaps: Vec<Range> = Vec::new();
    let periods = std::iter::successors(Some(range.start), |start| Some(*start + FORTNIGHT));
    for start in periods.take_while(|start| *start < range.end).filter(|start| !packed.contains(start)) {
        match gaps.last_mut().filter(|gap| gap.end == start) {
            Some(gap) => gap.end = start + FORTNIGHT,
            None => gaps.push(Range { start, end: start + FORTNIGHT }),
        }
    }
    gaps
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

/// Returns a person's history in a range, newest first, at most 200 entries.
pub async fn history(
    conn: &impl ConnectionTrait,
    who: Consenting,
    range: Range,
) -> Result<Vec<ActivityEntry>, DbErr> {
    let sql = "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms - v.refused_ms, 0) FROM activity a \
         LEFT JOIN viewing v ON v.org = a.org AND v.uid = a.uid \
         WHERE a.org = $1 AND a.person = $2 AND a.since = $3 AND a.at >= $4 AND a.at < $5 \
         ORDER BY a.at DESC, a.uid DESC LIMIT 200";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, who.within(range));
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
    let sql = format!(
        "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms - v.refused_ms, 0), a.person FROM activity a \
         JOIN consent_standing s ON s.org = a.org AND s.person = a.person AND s.since = a.since AND s.consent \
         LEFT JOIN viewing v ON v.org = a.org AND v.uid = a.uid \
         WHERE a.org = $1 ORDER BY a.at DESC, a.uid DESC LIMIT {limit}"
    );
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok(RecentEntry { person: row.try_get_by_index(5)?, entry: entry(row)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_no_pack_has() {
        let at = |n: i64| Timestamp::from_ms(700 * FORTNIGHT) + n * FORTNIGHT;
        let found = |end: Timestamp, packed: &[i64]| {
            let packed: Vec<Timestamp> = packed.iter().map(|n| at(*n)).collect();
            gaps(Range { start: at(0), end }, &packed)
                .into_iter()
                .map(|gap| ((gap.start - at(0)) / FORTNIGHT, (gap.end - at(0)) / FORTNIGHT))
                .collect::<Vec<_>>()
        };
        assert_eq!(found(at(4), &[3, 0, 2, 1]), []);
        assert_eq!(found(at(4), &[]), [(0, 4)]);
        assert_eq!(found(at(6), &[4, 2]), [(0, 2), (3, 4), (5, 6)]);
        assert_eq!(found(at(1) + 1, &[0]), [(1, 2)], "a period of which the range has the beginning");
        assert_eq!(found(at(0), &[]), []);
        assert_eq!(found(at(0) - 1, &[]), [], "before all periods that are over");
    }

    #[test]
    fn a_top_list_is_descending_and_has_ten_rows_at_most() {
        let totals = |views| WatchTotals { views, watch_ms: 0 };
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
