//! Salts of anonymous names, names under a consent, and what is kept under anonymous names for a few days.

use std::collections::HashMap;

use db::rows::WriteSet;
use kernel::{ContentId, Millis, OrgId, PersonId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::names::Salts;

/// A person in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonKey {
    pub org: OrgId,
    pub person: PersonId,
}

/// A viewer's name under a consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedViewer {
    /// Start of the consent.
    pub since: Timestamp,
    pub viewer: ViewerId,
}

/// What a viewer started on a UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StartsKey {
    pub day: i64,
    pub org: OrgId,
    /// The anonymous name of the day.
    pub viewer: ViewerId,
    pub content: ContentId,
}

/// An hour of a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewerHourKey {
    /// UTC day on which the hour starts.
    pub day: i64,
    pub org: OrgId,
    /// The anonymous name of the day.
    pub viewer: ViewerId,
    pub hour: Timestamp,
}

/// Returns the salts of these days, with those given in `new` for days that have none yet.
pub async fn salts(tx: &impl ConnectionTrait, new: &Salts) -> Result<Salts, DbErr> {
    let known = known_salts(tx, new).await?;
    let missing: Vec<[Value; 2]> = new
        .iter()
        .filter(|(day, _)| !known.contains_key(day))
        .map(|(day, salt)| [(*day).into(), salt.clone().into()])
        .collect();
    if missing.is_empty() {
        return Ok(known);
    }
    db::rows::bulk_upsert(tx, "viewer_salt (day, salt)", &missing, "ON CONFLICT DO NOTHING").await?;
    // Another server may have been first.
    known_salts(tx, new).await
}

/// Returns the salts that exist among these days.
pub async fn known_salts(conn: &impl ConnectionTrait, days: &Salts) -> Result<Salts, DbErr> {
    let wanted: Vec<[Value; 1]> = days.keys().map(|day| [(*day).into()]).collect();
    let select = "SELECT s.day, s.salt FROM want JOIN viewer_salt s ON s.day = want.day";
    let rows = db::rows::select_by_keys(conn, "day", &wanted, select).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// What is known about a member of an organisation.
pub struct Member {
    /// When the person joined.
    pub joined: Timestamp,
    /// Since when the person consents.
    pub consents_since: Option<Timestamp>,
    /// The name under the latest consent, which may not be the current one.
    pub named: Option<NamedViewer>,
    /// The organisation's time zone.
    pub zone: String,
}

/// Returns the members among these people.
pub async fn members(
    conn: &impl ConnectionTrait,
    keys: &[PersonKey],
) -> Result<HashMap<PersonKey, Member>, DbErr> {
    let wanted: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.person.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT m.org, m.person, m.created_at, o.time_zone, CASE WHEN s.consent THEN s.since END, k.since, k.viewer \
         FROM want JOIN membership m ON m.org = want.org AND m.person = want.person \
         JOIN organisation o ON o.uid = want.org \
         LEFT JOIN consent_standing s ON s.org = want.org AND s.person = want.person \
         LEFT JOIN viewer_key k ON k.org = want.org AND k.person = want.person",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = PersonKey { org: row.try_get_by_index(0)?, person: row.try_get_by_index(1)? };
            let (since, viewer): (Option<Timestamp>, Option<ViewerId>) =
                (row.try_get_by_index(5)?, row.try_get_by_index(6)?);
            let member = Member {
                joined: row.try_get_by_index(2)?,
                zone: row.try_get_by_index(3)?,
                consents_since: row.try_get_by_index(4)?,
                named: since.zip(viewer).map(|(since, viewer)| NamedViewer { since, viewer }),
            };
            Ok((key, member))
        })
        .collect()
}

/// Returns the names of these people under their latest consent.
pub async fn named(
    conn: &impl ConnectionTrait,
    keys: &[PersonKey],
) -> Result<HashMap<PersonKey, NamedViewer>, DbErr> {
    let wanted: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.person.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT k.org, k.person, k.since, k.viewer FROM want JOIN viewer_key k \
         ON k.org = want.org AND k.person = want.person",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = PersonKey { org: row.try_get_by_index(0)?, person: row.try_get_by_index(1)? };
            Ok((key, NamedViewer { since: row.try_get_by_index(2)?, viewer: row.try_get_by_index(3)? }))
        })
        .collect()
}

/// Inserts or replaces names.
pub async fn save_named(tx: &impl ConnectionTrait, names: &[(PersonKey, NamedViewer)]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = names
        .iter()
        .map(|(key, name)| [key.org.into(), key.person.into(), name.since.into(), name.viewer.into()])
        .collect();
    db::rows::bulk_upsert(
        tx,
        "viewer_key (org, person, since, viewer)",
        &rows,
        "ON CONFLICT (org, person) DO UPDATE SET since = excluded.since, viewer = excluded.viewer",
    )
    .await?;
    Ok(())
}

/// Returns the starts of counted views by key.
pub async fn starts(
    conn: &impl ConnectionTrait,
    keys: &[StartsKey],
) -> Result<HashMap<StartsKey, Vec<Timestamp>>, DbErr> {
    let wanted: Vec<[Value; 4]> = keys
        .iter()
        .map(|key| [key.day.into(), key.org.into(), key.viewer.into(), key.content.into()])
        .collect();
    let rows = db::rows::select_by_keys(
        conn,
        "day, org, viewer, content",
        &wanted,
        "SELECT s.day, s.org, s.viewer, s.content, s.at FROM want JOIN counted_start s \
         ON s.day = want.day AND s.org = want.org AND s.viewer = want.viewer AND s.content = want.content",
    )
    .await?;
    let mut starts: HashMap<StartsKey, Vec<Timestamp>> = HashMap::new();
    for row in &rows {
        let key = StartsKey {
            day: row.try_get_by_index(0)?,
            org: row.try_get_by_index(1)?,
            viewer: row.try_get_by_index(2)?,
            content: row.try_get_by_index(3)?,
        };
        starts.entry(key).or_default().push(row.try_get_by_index(4)?);
    }
    Ok(starts)
}

/// Adds starts of counted views.
pub fn insert_starts(writes: &mut WriteSet, starts: &[(StartsKey, Timestamp)]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = starts
        .iter()
        .map(|(key, at)| {
            [key.day.into(), key.org.into(), key.viewer.into(), key.content.into(), (*at).into()]
        })
        .collect();
    writes.upsert("counted_start (day, org, viewer, content, at)", &rows, "ON CONFLICT DO NOTHING")
}

/// Returns the watch time of viewers by hour.
pub async fn viewer_hours(
    conn: &impl ConnectionTrait,
    keys: &[ViewerHourKey],
) -> Result<HashMap<ViewerHourKey, Millis>, DbErr> {
    let wanted: Vec<[Value; 4]> =
        keys.iter().map(|key| [key.day.into(), key.org.into(), key.viewer.into(), key.hour.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "day, org, viewer, hour",
        &wanted,
        "SELECT h.day, h.org, h.viewer, h.hour, h.watch_ms FROM want JOIN viewer_hour h \
         ON h.day = want.day AND h.org = want.org AND h.viewer = want.viewer AND h.hour = want.hour",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = ViewerHourKey {
                day: row.try_get_by_index(0)?,
                org: row.try_get_by_index(1)?,
                viewer: row.try_get_by_index(2)?,
                hour: row.try_get_by_index(3)?,
            };
            Ok((key, row.try_get_by_index(4)?))
        })
        .collect()
}

/// Adds or replaces the watch time of viewers by hour.
pub fn save_viewer_hours(
    writes: &mut WriteSet,
    hours: impl Iterator<Item = (ViewerHourKey, Millis)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = hours
        .map(|(key, watch_ms)| {
            [key.day.into(), key.org.into(), key.viewer.into(), key.hour.into(), watch_ms.into()]
        })
        .collect();
    writes.upsert(
        "viewer_hour (day, org, viewer, hour, watch_ms)",
        &rows,
        "ON CONFLICT (day, org, viewer, hour) DO UPDATE SET watch_ms = excluded.watch_ms",
    )
}

/// Removes the salts of the anonymous names of days before `day`. Then nothing connects these names with people.
pub async fn remove_salts_before(tx: &impl ConnectionTrait, day: i64) -> Result<(), DbErr> {
    let delete = "DELETE FROM viewer_salt WHERE day < $1";
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), delete, [day.into()]);
    tx.execute_raw(statement).await.map(drop)
}

/// Returns the organisations that have events.
pub async fn orgs_with_events(conn: &impl ConnectionTrait) -> Result<Vec<OrgId>, DbErr> {
    let select = "SELECT DISTINCT org FROM event_batch ORDER BY org";
    let statement = Statement::from_string(conn.get_database_backend(), select);
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}
