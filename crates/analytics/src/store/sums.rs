//! Totals that all reads use, updated as events arrive, and people's history entries.

use db::Stored;
use db::rows::WriteSet;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp, Uid};
use sea_orm::{DbErr, QueryResult, Value};

use super::nil_if_none;
use crate::totals::{
    PeriodKey, PersonHourKey, PersonSum, PlaylistKey, PlaylistPeriodKey, SlotKey, Sum, Totals,
};

/// An entry of a person's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    pub org: OrgId,
    pub person: PersonId,
    /// Start of the consent.
    pub since: Timestamp,
    pub at: Timestamp,
    /// Id of the event, or of the view.
    pub uid: Uid,
    pub kind: &'static str,
    pub content: Option<ContentId>,
    pub playlist: Option<PlaylistId>,
}

/// Reads a sum from three columns.
pub fn sum(row: &QueryResult, first: usize) -> Result<Sum, DbErr> {
    Ok(Sum {
        watch_ms: row.try_get_by_index(first)?,
        late_ms: row.try_get_by_index(first + 1)?,
        views: row.try_get_by_index(first + 2)?,
    })
}

/// Adds rows to the sums of a table, whose columns are its key, the watch time, the late watch time and the views.
macro_rules! add_sums {
    ($writes:expr, $table:literal, $key:literal, $rows:expr) => {
        $writes.upsert(
            concat!($table, " (", $key, ", watch_ms, late_ms, views)"),
            &$rows,
            concat!(
                "ON CONFLICT (",
                $key,
                ") DO UPDATE SET watch_ms = ",
                $table,
                ".watch_ms + excluded.watch_ms, late_ms = ",
                $table,
                ".late_ms + excluded.late_ms, views = ",
                $table,
                ".views + excluded.views"
            ),
        )?
    };
}

/// Adds the totals of hours, days, playlists and verdicts, ordered by key.
pub fn add(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let hours: Vec<[Value; 6]> = totals
        .hours
        .iter()
        .map(|(key, sum)| {
            let Sum { watch_ms, late_ms, views } = *sum;
            [
                key.org.into(),
                key.subject.into(),
                key.hour.into(),
                watch_ms.into(),
                late_ms.into(),
                views.into(),
            ]
        })
        .collect();
    add_sums!(writes, "watch_hour", "org, subject, hour", hours);
    let days: Vec<[Value; 7]> = totals
        .days
        .iter()
        .map(|(key, sum)| {
            let Sum { watch_ms, late_ms, views } = *sum;
            [
                key.org.into(),
                Stored::from(key.list).into(),
                key.day.into(),
                key.item.into(),
                watch_ms.into(),
                late_ms.into(),
                views.into(),
            ]
        })
        .collect();
    add_sums!(writes, "watch_day", "org, list, day, item", days);
    add_playlists(writes, totals)?;
    add_verdicts(writes, totals)
}

/// Adds the totals of periods, ordered by key.
pub fn add_periods(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 7]> = totals
        .periods()
        .into_iter()
        .map(|(key, Sum { watch_ms, late_ms, views })| {
            let PeriodKey { org, list, item, period } = key;
            let list = Stored::from(list).into();
            [org.into(), list, item.into(), period.into(), watch_ms.into(), late_ms.into(), views.into()]
        })
        .collect();
    add_sums!(writes, "watch_period", "org, list, item, period", rows);
    let rows: Vec<[Value; 7]> = totals
        .playlist_periods()
        .into_iter()
        .map(|(key, Sum { watch_ms, late_ms, views })| {
            let PlaylistPeriodKey { org, playlist, period, content } = key;
            let (playlist, content) = (playlist.into(), content.into());
            [org.into(), playlist, period.into(), content, watch_ms.into(), late_ms.into(), views.into()]
        })
        .collect();
    add_sums!(writes, "watch_playlist_period", "org, playlist, period, content", rows);
    Ok(())
}

/// Adds the watch time of periods by hour of the week, ordered by key.
pub fn add_slots(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = totals
        .slots()
        .into_iter()
        .map(|(SlotKey { org, period, slot }, watch_ms)| {
            [org.into(), period.into(), slot.into(), watch_ms.into()]
        })
        .collect();
    writes.upsert(
        "watch_slot (org, period, slot, watch_ms)",
        &rows,
        "ON CONFLICT (org, period, slot) DO UPDATE SET watch_ms = watch_slot.watch_ms + excluded.watch_ms",
    )
}

fn add_playlists(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = totals
        .playlists
        .iter()
        .map(|(PlaylistKey { org, playlist }, Sum { watch_ms, late_ms, views })| {
            [(*org).into(), (*playlist).into(), (*watch_ms).into(), (*late_ms).into(), (*views).into()]
        })
        .collect();
    add_sums!(writes, "watch_playlist", "org, playlist", rows);
    let rows: Vec<[Value; 7]> = totals
        .playlist_content
        .iter()
        .map(|(key, Sum { watch_ms, late_ms, views })| {
            [
                key.org.into(),
                key.playlist.into(),
                key.day.into(),
                key.content.into(),
                (*watch_ms).into(),
                (*late_ms).into(),
                (*views).into(),
            ]
        })
        .collect();
    add_sums!(writes, "watch_playlist_content", "org, playlist, day, content", rows);
    Ok(())
}

/// Adds the totals of people, ordered by key.
pub fn add_people(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 9]> = totals
        .people
        .iter()
        .map(|(key, sum)| {
            let PersonHourKey { org, person, since, hour, content, playlist } = *key;
            let PersonSum { watch_ms, views, visits } = *sum;
            [
                org.into(),
                person.into(),
                since.into(),
                hour.into(),
                nil_if_none(content).into(),
                nil_if_none(playlist).into(),
                watch_ms.into(),
                views.into(),
                visits.into(),
            ]
        })
        .collect();
    writes.upsert(
        "watch_person (org, person, since, hour, content, playlist, watch_ms, views, visits)",
        &rows,
        "ON CONFLICT (org, person, since, hour, content, playlist) DO UPDATE SET \
         watch_ms = watch_person.watch_ms + excluded.watch_ms, \
         views = watch_person.views + excluded.views, visits = watch_person.visits + excluded.visits",
    )
}

fn add_verdicts(writes: &mut WriteSet, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = totals
        .verdicts
        .iter()
        .map(|(key, sum)| {
            let verdict = Stored::from(key.verdict).into();
            [key.org.into(), key.day.into(), verdict, sum.views.into(), sum.watch_ms.into()]
        })
        .collect();
    writes.upsert(
        "watch_verdict (org, day, verdict, views, watch_ms)",
        &rows,
        "ON CONFLICT (org, day, verdict) DO UPDATE SET views = watch_verdict.views + excluded.views, \
         watch_ms = watch_verdict.watch_ms + excluded.watch_ms",
    )
}

/// Adds entries to people's histories; existing ones stay unchanged.
pub fn add_activity(writes: &mut WriteSet, rows: &[Activity]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 8]> = rows
        .iter()
        .map(|row| {
            [
                row.org.into(),
                row.person.into(),
                row.since.into(),
                row.at.into(),
                row.uid.into(),
                row.kind.into(),
                row.content.into(),
                row.playlist.into(),
            ]
        })
        .collect();
    writes.upsert(
        "activity (org, person, since, at, uid, kind, content, playlist)",
        &rows,
        "ON CONFLICT DO NOTHING",
    )
}
