//! Aggregates that all reads use, updated as events arrive, and people's history entries.

use std::collections::BTreeMap;

use kernel::{Millis, Uid};
use sea_orm::{ConnectionTrait, DbErr, Value};

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
    pub org: Uid,
    pub person: Uid,
    pub at: Millis,
    pub uid: Uid,
    pub kind: &'static str,
    pub content: Option<Uid>,
    pub playlist: Option<Uid>,
    pub view: Option<Uid>,
}

/// (organisation, person, hour, content item, playlist); nil where not applicable.
pub type PersonKey = (Uid, Uid, i64, Uid, Uid);

/// Adds to the hourly aggregates of organisations.
pub async fn add_org(tx: &impl ConnectionTrait, sums: &BTreeMap<(Uid, i64), Sum>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = sums
        .iter()
        .map(|((org, hour), sum)| [(*org).into(), (*hour).into(), sum.watch_ms.into(), sum.views.into()])
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
    sums: &BTreeMap<(Uid, i64, Uid), Sum>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = sums
        .iter()
        .map(|((org, day, content), sum)| {
            [(*org).into(), (*day).into(), (*content).into(), sum.watch_ms.into(), sum.views.into()]
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
pub async fn add_playlist(tx: &impl ConnectionTrait, sums: &BTreeMap<(Uid, Uid), Sum>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = sums
        .iter()
        .map(|((org, playlist), sum)| {
            [(*org).into(), (*playlist).into(), sum.watch_ms.into(), sum.views.into()]
        })
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
    sums: &BTreeMap<PersonKey, PersonSum>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 8]> = sums
        .iter()
        .map(|((org, person, hour, content, playlist), sum)| {
            [
                (*org).into(),
                (*person).into(),
                (*hour).into(),
                (*content).into(),
                (*playlist).into(),
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
