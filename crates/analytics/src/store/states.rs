//! State required by the rules: views, coverage, visitors and interactions; and the raw requests.

use std::collections::{HashMap, HashSet};

use kernel::{Millis, Uid};
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::definitions::spans::Spans;
use crate::definitions::view::{Verdict, View};
use crate::definitions::visit::Visit;

/// A view with its viewer, content item and playlist.
#[derive(Clone, Debug)]
pub struct ViewRow {
    pub viewer: Uid,
    pub content: Uid,
    pub playlist: Option<Uid>,
    pub view: View,
}

/// One viewer's coverage of one content item.
#[derive(Clone, Debug, Default)]
pub struct CoverageRow {
    /// Start of the last counted view.
    pub counted_at: Option<Millis>,
    /// Union of the sections of all views; empty for viewers without consent.
    pub sections: Spans,
    /// Share of the content item for which a signal was already sent.
    pub covered: f64,
    /// Last UTC day on which something was watched.
    pub watched_day: i64,
    /// Start of the consent under which it was watched.
    pub since: Millis,
}

/// The current visit of a person with consent.
#[derive(Clone, Debug)]
pub struct VisitorRow {
    pub visit: Visit,
    /// Last UTC day with an event.
    pub active_day: i64,
    /// Start of the consent under which the visit happened.
    pub since: Millis,
}

/// (organisation, view).
pub type ViewKey = (Uid, Uid);
/// (organisation, viewer, content).
pub type CoverageKey = (Uid, Uid, Uid);
/// (organisation, person).
pub type VisitorKey = (Uid, Uid);

/// Returns the existing views among the keys.
pub async fn views(
    conn: &impl ConnectionTrait,
    keys: &[ViewKey],
) -> Result<HashMap<ViewKey, ViewRow>, DbErr> {
    let wanted: Vec<[Value; 2]> = keys.iter().map(|(org, uid)| [(*org).into(), (*uid).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, uid",
        &wanted,
        "SELECT v.org, v.uid, v.viewer, v.content, v.playlist, v.began_at, v.seqs, v.watch_budget, \
         v.credit_ms, v.sections, v.idle, v.verdict FROM want \
         JOIN viewing v ON v.org = want.org AND v.uid = want.uid",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let spans = |index| Ok::<_, DbErr>(Spans::read(&row.try_get_by_index::<String>(index)?));
            let verdict: String = row.try_get_by_index(11)?;
            let view = View {
                began_at: row.try_get_by_index(5)?,
                seqs: spans(6)?,
                watch_budget: spans(7)?,
                credit_ms: row.try_get_by_index(8)?,
                sections: spans(9)?,
                idle: row.try_get_by_index(10)?,
                verdict: Verdict::read(&verdict),
            };
            let found = ViewRow {
                viewer: row.try_get_by_index(2)?,
                content: row.try_get_by_index(3)?,
                playlist: row.try_get_by_index(4)?,
                view,
            };
            Ok(((row.try_get_by_index(0)?, row.try_get_by_index(1)?), found))
        })
        .collect()
}

/// Inserts or updates views.
pub async fn save_views(
    tx: &impl ConnectionTrait,
    rows: impl Iterator<Item = (ViewKey, &ViewRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 12]> = rows
        .map(|((org, uid), row)| {
            let view = &row.view;
            [
                org.into(),
                uid.into(),
                row.viewer.into(),
                row.content.into(),
                row.playlist.into(),
                view.began_at.into(),
                view.seqs.text().into(),
                view.watch_budget.text().into(),
                view.credit_ms.into(),
                view.sections.text().into(),
                view.idle.into(),
                view.verdict.as_str().into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "viewing (org, uid, viewer, content, playlist, began_at, seqs, watch_budget, credit_ms, sections, \
         idle, verdict)",
        &rows,
        "ON CONFLICT (org, uid) DO UPDATE SET began_at = excluded.began_at, seqs = excluded.seqs, \
         watch_budget = excluded.watch_budget, credit_ms = excluded.credit_ms, sections = excluded.sections, \
         idle = excluded.idle, verdict = excluded.verdict",
    )
    .await?;
    Ok(())
}

/// Returns the existing coverage among the keys.
pub async fn coverage(
    conn: &impl ConnectionTrait,
    keys: &[CoverageKey],
) -> Result<HashMap<CoverageKey, CoverageRow>, DbErr> {
    let wanted: Vec<[Value; 3]> =
        keys.iter().map(|(o, v, c)| [(*o).into(), (*v).into(), (*c).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, viewer, content",
        &wanted,
        "SELECT s.org, s.viewer, s.content, s.counted_at, s.sections, s.covered, s.watched_day, s.since \
         FROM want JOIN coverage s \
         ON s.org = want.org AND s.viewer = want.viewer AND s.content = want.content",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            let found = CoverageRow {
                counted_at: row.try_get_by_index(3)?,
                sections: Spans::read(&row.try_get_by_index::<String>(4)?),
                covered: row.try_get_by_index(5)?,
                watched_day: row.try_get_by_index(6)?,
                since: row.try_get_by_index(7)?,
            };
            Ok((key, found))
        })
        .collect()
}

/// Inserts or updates coverage.
pub async fn save_coverage(
    tx: &impl ConnectionTrait,
    rows: impl Iterator<Item = (CoverageKey, &CoverageRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 8]> = rows
        .map(|((org, viewer, content), row)| {
            [
                org.into(),
                viewer.into(),
                content.into(),
                row.counted_at.into(),
                row.sections.text().into(),
                row.covered.into(),
                row.watched_day.into(),
                row.since.into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "coverage (org, viewer, content, counted_at, sections, covered, watched_day, since)",
        &rows,
        "ON CONFLICT (org, viewer, content) DO UPDATE SET counted_at = excluded.counted_at, \
         sections = excluded.sections, covered = excluded.covered, watched_day = excluded.watched_day, \
         since = excluded.since",
    )
    .await?;
    Ok(())
}

/// Returns the current visits among the keys.
pub async fn visitors(
    conn: &impl ConnectionTrait,
    keys: &[VisitorKey],
) -> Result<HashMap<VisitorKey, VisitorRow>, DbErr> {
    let wanted: Vec<[Value; 2]> =
        keys.iter().map(|(org, person)| [(*org).into(), (*person).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person",
        &wanted,
        "SELECT v.org, v.person, v.began_at, v.last_at, v.active_day, v.since FROM want \
         JOIN visitor v ON v.org = want.org AND v.person = want.person",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let visit = Visit { began_at: row.try_get_by_index(2)?, last_at: row.try_get_by_index(3)? };
            let found =
                VisitorRow { visit, active_day: row.try_get_by_index(4)?, since: row.try_get_by_index(5)? };
            Ok(((row.try_get_by_index(0)?, row.try_get_by_index(1)?), found))
        })
        .collect()
}

/// Inserts or updates visits.
pub async fn save_visitors(
    tx: &impl ConnectionTrait,
    rows: impl Iterator<Item = (VisitorKey, &VisitorRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 6]> = rows
        .map(|((org, person), row)| {
            [
                org.into(),
                person.into(),
                row.visit.began_at.into(),
                row.visit.last_at.into(),
                row.active_day.into(),
                row.since.into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(
        tx,
        "visitor (org, person, began_at, last_at, active_day, since)",
        &rows,
        "ON CONFLICT (org, person) DO UPDATE SET began_at = excluded.began_at, last_at = excluded.last_at, \
         active_day = excluded.active_day, since = excluded.since",
    )
    .await?;
    Ok(())
}

/// Inserts interactions by (organisation, id) and returns the new ones, so that each counts only once.
pub async fn insert_interactions(
    tx: &impl ConnectionTrait,
    keys: &HashSet<(Uid, Uid)>,
) -> Result<HashSet<(Uid, Uid)>, DbErr> {
    let rows: Vec<[Value; 2]> = keys.iter().map(|(org, uid)| [(*org).into(), (*uid).into()]).collect();
    let inserted = db::rows::bulk_upsert(
        tx,
        "interaction (org, uid)",
        &rows,
        "ON CONFLICT DO NOTHING RETURNING org, uid",
    )
    .await?;
    inserted.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// A request as received.
pub struct Batch<'a> {
    pub org: Uid,
    pub viewer: Uid,
    pub received_at: Millis,
    pub events: &'a str,
    /// Rejected ids with reasons, as JSON; `None` if all events were accepted.
    pub rejected: Option<String>,
}

/// Inserts requests as received.
pub async fn insert_batches(tx: &impl ConnectionTrait, batches: &[Batch<'_>]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 5]> = batches
        .iter()
        .map(|batch| {
            [
                batch.org.into(),
                batch.viewer.into(),
                batch.received_at.into(),
                batch.events.into(),
                batch.rejected.clone().into(),
            ]
        })
        .collect();
    db::rows::bulk_upsert(tx, "event_batch (org, viewer, received_at, events, rejected)", &rows, "").await?;
    Ok(())
}
