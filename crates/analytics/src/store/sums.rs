//! Totals that all reads use, updated as events arrive, and people's history entries.

use db::Stored;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

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
    ($tx:expr, $table:literal, $key:literal, $rows:expr) => {
        db::rows::bulk_upsert(
            $tx,
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
        )
        .await?
    };
}

/// Adds all totals except those of periods, ordered by key.
pub async fn add(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
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
    add_sums!(tx, "watch_hour", "org, subject, hour", hours);
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
    add_sums!(tx, "watch_day", "org, list, day, item", days);
    add_playlists(tx, totals).await?;
    add_people(tx, totals).await?;
    add_verdicts(tx, totals).await
}

/// Adds the totals of periods, ordered by key.
pub async fn add_periods(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 7]> = totals
        .periods()
        .into_iter()
        .map(|(key, Sum { watch_ms, late_ms, views })| {
            let PeriodKey { org, list, item, period } = key;
            let list = Stored::from(list).into();
            [org.into(), list, item.into(), period.into(), watch_ms.into(), late_ms.into(), views.into()]
        })
        .collect();
    add_sums!(tx, "watch_period", "org, list, item, period", rows);
    let rows: Vec<[Value; 7]> = totals
        .playlist_periods()
        .into_iter()
        .map(|(key, Sum { watch_ms, late_ms, views })| {
            let PlaylistPeriodKey { org, playlist, period, content } = key;
            let (playlist, content) = (playlist.into(), content.into());
            [org.into(), playlist, period.into(), content, watch_ms.into(), late_ms.into(), views.into()]
        })
        .collect();
    add_sums!(tx, "watch_playlist_period", "org, playlist, period, content", rows);
    Ok(())
}

/// Adds the watch time of periods by hour of the week, ordered by key.
pub async fn add_slots(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = totals
        .slots()
        .into_iter()
        .map(|(SlotKey { org, period, slot }, watch_ms)| {
            [org.into(), period.into(), slot.into(), watch_ms.into()]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_slot (org, period, slot, watch_ms)",
        &rows,
        "ON CONFLICT (org, period, slot) DO UPDATE SET watch_ms = watch_slot.watch_ms + excluded.watch_ms",
    )
    .await?;
    Ok(())
}

async fn add_playlists(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = totals
        .playlists
        .iter()
        .map(|(PlaylistKey { org, playlist }, Sum { watch_ms, late_ms, views })| {
            [(*org).into(), (*playlist).into(), (*watch_ms).into(), (*late_ms).into(), (*views).into()]
        })
        .collect();
    add_sums!(tx, "watch_playlist", "org, playlist", rows);
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
    add_sums!(tx, "watch_playlist_content", "org, playlist, day, content", rows);
    Ok(())
}

async fn add_people(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
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
    db::rows::bulk_upsert(
        tx,
        "watch_person (org, person, since, hour, content, playlist, watch_ms, views, visits)",
        &rows,
        "ON CONFLICT (org, person, since, hour, content, playlist) DO UPDATE SET \
         watch_ms = watch_person.watch_ms + excluded.watch_ms, \
         views = watch_person.views + excluded.views, visits = watch_person.visits + excluded.visits",
    )
    .await?;
    Ok(())
}

async fn add_verdicts(tx: &impl ConnectionTrait, totals: &Totals) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = totals
        .verdicts
        .iter()
        .map(|(key, sum)| {
            let verdict = Stored::from(key.verdict).into();
            [key.org.into(), key.day.into(), verdict, sum.views.into(), sum.watch_ms.into()]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_verdict (org, day, verdict, views, watch_ms)",
        &rows,
        "ON CONFLICT (org, day, verdict) DO UPDATE SET views = watch_verdict.views + excluded.views, \
         watch_ms = watch_verdict.watch_ms + excluded.watch_ms",
    )
    .await?;
    Ok(())
}

/// Adds entries to people's histories; existing ones stay unchanged.
pub async fn add_activity(tx: &impl ConnectionTrait, rows: &[Activity]) -> Result<(), DbErr> {
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
    db::rows::bulk_upsert(
        tx,
        "activity (org, person, since, at, uid, kind, content, playlist)",
        &rows,
        "ON CONFLICT DO NOTHING",
    )
    .await?;
    Ok(())
}
