//! State required by the rules: views, coverage, visitors and interactions; and the raw requests.

use std::collections::{HashMap, HashSet};

use db::Stored;
use kernel::{ContentId, EventId, OrgId, PersonId, PlaylistId, Timestamp, ViewId, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::definitions::spans::Spans;
use crate::definitions::view::{Verdict, View};
use crate::definitions::visit::Visit;

/// Stored as the start of the consent of coverage without consent.
const NO_CONSENT: Timestamp = Timestamp::EPOCH;

/// A view with its viewer, content item and playlist.
#[derive(Clone, Debug)]
pub struct ViewRow {
    pub viewer: ViewerId,
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
    pub view: View,
}

/// One viewer's coverage of one content item.
#[derive(Clone, Debug, Default)]
pub struct CoverageRow {
    /// Start of the last counted view.
    pub counted_at: Option<Timestamp>,
    /// Union of the sections of all views; empty for viewers without consent.
    pub sections: Spans,
    /// Share of the content item for which a signal was already sent.
    pub covered: f64,
    /// Last UTC day on which something was watched.
    pub watched_day: i64,
    /// Start of the consent under which it was watched; `None` without consent.
    pub since: Option<Timestamp>,
}

/// The current visit of a person with consent.
#[derive(Clone, Debug)]
pub struct VisitorRow {
    pub visit: Visit,
    /// Last UTC day with an event.
    pub active_day: i64,
    /// Start of the consent under which the visit happened.
    pub since: Timestamp,
}

/// A view in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewKey {
    pub org: OrgId,
    pub view: ViewId,
}

/// One viewer's coverage of one content item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoverageKey {
    pub org: OrgId,
    pub viewer: ViewerId,
    pub content: ContentId,
}

/// A person with consent in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitorKey {
    pub org: OrgId,
    pub person: PersonId,
}

/// An interaction (visit, download or contact) in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InteractionKey {
    pub org: OrgId,
    pub event: EventId,
}

/// Returns the existing views among the keys.
pub async fn views(
    conn: &impl ConnectionTrait,
    keys: &[ViewKey],
) -> Result<HashMap<ViewKey, ViewRow>, DbErr> {
    let wanted: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.view.into()]).collect();
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
            let uid: ViewId = row.try_get_by_index(1)?;
            let verdict: Stored<Verdict> = row.try_get_by_index(11)?;
            let view = View {
                began_at: row.try_get_by_index(5)?,
                seqs: spans(row, 6, "seqs", uid)?,
                watch_budget: spans(row, 7, "watch_budget", uid)?,
                credit_ms: row.try_get_by_index(8)?,
                sections: spans(row, 9, "sections", uid)?,
                idle: row.try_get_by_index(10)?,
                verdict: verdict.known("viewing", "verdict", uid)?,
            };
            let found = ViewRow {
                viewer: row.try_get_by_index(2)?,
                content: row.try_get_by_index(3)?,
                playlist: row.try_get_by_index(4)?,
                view,
            };
            Ok((ViewKey { org: row.try_get_by_index(0)?, view: uid }, found))
        })
        .collect()
}

fn spans(row: &QueryResult, index: usize, column: &'static str, uid: ViewId) -> Result<Spans, DbErr> {
    Spans::read(&row.try_get_by_index::<String>(index)?).ok_or_else(|| db::unreadable("viewing", column, uid))
}

/// Inserts or updates views.
pub async fn save_views(
    tx: &impl ConnectionTrait,
    rows: impl Iterator<Item = (ViewKey, &ViewRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 12]> = rows
        .map(|(key, row)| {
            let view = &row.view;
            [
                key.org.into(),
                key.view.into(),
                row.viewer.into(),
                row.content.into(),
                row.playlist.into(),
                view.began_at.into(),
                view.seqs.text().into(),
                view.watch_budget.text().into(),
                view.credit_ms.into(),
                view.sections.text().into(),
                view.idle.into(),
                view.verdict.into(),
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
        keys.iter().map(|key| [key.org.into(), key.viewer.into(), key.content.into()]).collect();
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
            let key = CoverageKey {
                org: row.try_get_by_index(0)?,
                viewer: row.try_get_by_index(1)?,
                content: row.try_get_by_index(2)?,
            };
            let found = CoverageRow {
                counted_at: row.try_get_by_index(3)?,
                sections: Spans::read(&row.try_get_by_index::<String>(4)?)
                    .ok_or_else(|| db::unreadable("coverage", "sections", key.viewer))?,
                covered: row.try_get_by_index(5)?,
                watched_day: row.try_get_by_index(6)?,
                since: Some(row.try_get_by_index(7)?).filter(|since| *since != NO_CONSENT),
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
        .map(|(key, row)| {
            [
                key.org.into(),
                key.viewer.into(),
                key.content.into(),
                row.counted_at.into(),
                row.sections.text().into(),
                row.covered.into(),
                row.watched_day.into(),
                row.since.unwrap_or(NO_CONSENT).into(),
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
    let wanted: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.person.into()]).collect();
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
            Ok((VisitorKey { org: row.try_get_by_index(0)?, person: row.try_get_by_index(1)? }, found))
        })
        .collect()
}

/// Inserts or updates visits.
pub async fn save_visitors(
    tx: &impl ConnectionTrait,
    rows: impl Iterator<Item = (VisitorKey, &VisitorRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 6]> = rows
        .map(|(key, row)| {
            [
                key.org.into(),
                key.person.into(),
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

/// Inserts interactions and returns the new ones, so that each counts only once.
pub async fn insert_interactions(
    tx: &impl ConnectionTrait,
    keys: &HashSet<InteractionKey>,
) -> Result<HashSet<InteractionKey>, DbErr> {
    let rows: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.event.into()]).collect();
    let inserted = db::rows::bulk_upsert(
        tx,
        "interaction (org, uid)",
        &rows,
        "ON CONFLICT DO NOTHING RETURNING org, uid",
    )
    .await?;
    inserted
        .iter()
        .map(|row| Ok(InteractionKey { org: row.try_get_by_index(0)?, event: row.try_get_by_index(1)? }))
        .collect()
}

/// A request as received.
pub struct Batch<'a> {
    pub org: OrgId,
    pub viewer: ViewerId,
    pub received_at: Timestamp,
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
