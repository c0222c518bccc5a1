//! Aggregates that all reads use, updated as events arrive, and people's history entries.

use std::collections::BTreeMap;

use kernel::{ContentId, Millis, OrgId, PersonId, PlaylistId, Timestamp, Uid, ViewId};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::event_items::PlaylistKey;
use super::nil_if_none;

/// Increment of an aggregate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub watch_ms: Millis,
    pub views: i64,
}

/// Increment of a person's aggregate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PersonSum {
    pub watch_ms: Millis,
    pub views: i64,
    pub visits: i64,
}

/// An entry of a person's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    pub org: OrgId,
    pub person: PersonId,
    pub at: Timestamp,
    pub uid: Uid,
    pub kind: &'static str,
    pub content: Option<ContentId>,
    pub playlist: Option<PlaylistId>,
    pub view: Option<ViewId>,
}

/// One hour of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrgHourKey {
    pub org: OrgId,
    /// UTC hour, counted from the epoch.
    pub hour: i64,
}

/// One day of a content item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentDayKey {
    pub org: OrgId,
    /// UTC day, counted from the epoch.
    pub day: i64,
    pub content: ContentId,
}

/// One hour of a person, with what was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonHourKey {
    pub org: OrgId,
    pub person: PersonId,
    /// UTC hour, counted from the epoch.
    pub hour: i64,
    /// `None` for a visit.
    pub content: Option<ContentId>,
    /// `None` for a visit and outside of playlists.
    pub playlist: Option<PlaylistId>,
}

/// Adds to the hourly aggregates of organisations.
pub async fn add_org(tx: &impl ConnectionTrait, sums: &BTreeMap<OrgHourKey, Sum>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = sums
        .iter()
        .map(|(key, sum)| [key.org.into(), key.hour.into(), sum.watch_ms.into(), sum.views.into()])
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_org (org, hour, watch_ms, views)",
        &rows,
        "ON CONFLICT (org, hour) DO UPDATE SET watch_ms = watch_org.watch_ms + excluded.watch_ms, \
         views = watch_org.views + excluded.views",
    )
    .await?;
    Ok(())
}

/// Adds to the daily aggregates of content items.
pub async fn add_content(
    tx: &impl ConnectionTrait,
    sums: &BTreeMap<ContentDayKey, Sum>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = sums
        .iter()
        .map(|(key, sum)| {
            [key.org.into(), key.day.into(), key.content.into(), sum.watch_ms.into(), sum.views.into()]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_content (org, day, content, watch_ms, views)",
        &rows,
        "ON CONFLICT (org, day, content) DO UPDATE SET \
         watch_ms = watch_content.watch_ms + excluded.watch_ms, views = watch_content.views + excluded.views",
    )
    .await?;
    Ok(())
}

/// Adds to the totals of playlists.
pub async fn add_playlist(tx: &impl ConnectionTrait, sums: &BTreeMap<PlaylistKey, Sum>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = sums
        .iter()
        .map(|(key, sum)| [key.org.into(), key.playlist.into(), sum.watch_ms.into(), sum.views.into()])
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_playlist (org, playlist, watch_ms, views)",
        &rows,
        "ON CONFLICT (org, playlist) DO UPDATE SET \
         watch_ms = watch_playlist.watch_ms + excluded.watch_ms, \
         views = watch_playlist.views + excluded.views",
    )
    .await?;
    Ok(())
}

/// Adds to the hourly aggregates of people.
pub async fn add_person(
    tx: &impl ConnectionTrait,
    sums: &BTreeMap<PersonHourKey, PersonSum>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 8]> = sums
        .iter()
        .map(|(key, sum)| {
            [
                key.org.into(),
                key.person.into(),
                key.hour.into(),
                nil_if_none(key.content).into(),
                nil_if_none(key.playlist).into(),
                sum.watch_ms.into(),
                sum.views.into(),
                sum.visits.into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "watch_person (org, person, hour, content, playlist, watch_ms, views, visits)",
        &rows,
        "ON CONFLICT (org, person, hour, content, playlist) DO UPDATE SET \
         watch_ms = watch_person.watch_ms + excluded.watch_ms, \
         views = watch_person.views + excluded.views, visits = watch_person.visits + excluded.visits",
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
                row.at.into(),
                row.uid.into(),
                row.kind.into(),
                row.content.into(),
                row.playlist.into(),
                row.view.into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "activity (org, person, at, uid, kind, content, playlist, view)",
        &rows,
        "ON CONFLICT DO NOTHING",
    )
    .await?;
    Ok(())
}
