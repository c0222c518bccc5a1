//! Numbers of one person. Every read starts at the consent: earlier activity stays anonymous.

use std::collections::HashMap;

use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use super::none_if_nil;
use crate::series::Range;

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

/// A person's watch time and views of one content item or playlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemTotals {
    pub watch_ms: Millis,
    pub views: i64,
}

/// A person's watch time and views by content item and by playlist.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub total_ms: Millis,
    pub content: Vec<(ContentId, ItemTotals)>,
    pub playlists: Vec<(PlaylistId, ItemTotals)>,
}

impl Watched {
    fn add<Id: PartialEq>(list: &mut Vec<(Id, ItemTotals)>, uid: Id, totals: ItemTotals) {
        match list.iter_mut().find(|(other, _)| *other == uid) {
            Some((_, sum)) => {
                sum.watch_ms += totals.watch_ms;
                sum.views += totals.views;
            }
            None => list.push((uid, totals)),
        }
    }
}

/// Returns up to ten entries with the highest values, in descending order; zeros are omitted.
pub fn top<Id: Copy + Ord>(list: &[(Id, ItemTotals)], value: impl Fn(&ItemTotals) -> i64) -> Vec<(Id, i64)> {
    let mut top: Vec<(Id, i64)> =
        list.iter().map(|(uid, totals)| (*uid, value(totals))).filter(|(_, value)| *value > 0).collect();
    top.sort_unstable_by_key(|(uid, value)| (std::cmp::Reverse(*value), *uid));
    top.truncate(TOP_MAX);
    top
}

/// Returns what a person watched in a range.
pub async fn watched(conn: &impl ConnectionTrait, who: Consenting, range: Range) -> Result<Watched, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT content, playlist, CAST(SUM(watch_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) \
         FROM watch_person WHERE org = $1 AND person = $2 AND since = $3 AND hour >= $4 AND hour < $5 \
         GROUP BY content, playlist",
        who.hours(range),
    );
    let mut watched = Watched::default();
    for row in &conn.query_all_raw(statement).await? {
        let totals = ItemTotals { watch_ms: row.try_get_by_index(2)?, views: row.try_get_by_index(3)? };
        watched.total_ms += totals.watch_ms;
        if let Some(content) = none_if_nil(row.try_get_by_index(0)?) {
            Watched::add(&mut watched.content, content, totals);
        }
        if let Some(playlist) = none_if_nil(row.try_get_by_index(1)?) {
            Watched::add(&mut watched.playlists, playlist, totals);
        }
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
        "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms, 0) FROM activity a \
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
        "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms, 0), a.person FROM activity a \
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
        let list: Vec<(ContentId, ItemTotals)> =
            (0..12u8).map(|n| (ContentId::from_u128(n.into()), totals(i64::from(n % 6)))).collect();
        let top = top(&list, |totals| totals.views);
        assert_eq!(top.len(), 10);
        assert!(top.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert_eq!(top[0], (ContentId::from_u128(5), 5));
    }
}
