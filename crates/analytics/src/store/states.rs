//! State required by the rules: views, coverage, visitors and interactions.

use std::collections::{BTreeSet, HashMap, HashSet};

use db::Stored;
use db::rows::WriteSet;
use kernel::{ContentId, EventId, OrgId, PersonId, PlaylistId, Timestamp, ViewId, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::definitions::beats::Beats;
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{Verdict, View};
use crate::definitions::visit::Visits;
use crate::store::view_packs::SubjectDay;
use crate::view_pack::utc_day;

/// A view with its viewer, content item and playlist.
#[derive(Clone, Debug)]
pub struct ViewRow {
    pub viewer: ViewerId,
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
    /// When its first verdict was noted.
    pub noted_at: Timestamp,
    /// Start of the hour in which it began.
    pub hour: Timestamp,
    pub device: Device,
    pub country: Option<String>,
    pub view: View,
}

impl ViewRow {
    /// Returns the days whose counted views changed with this one, whose hour was `before`.
    pub fn days(&self, org: OrgId, before: Timestamp) -> impl Iterator<Item = SubjectDay> + use<> {
        let subjects = [Some(self.content.uid()), self.playlist.map(PlaylistId::uid)];
        let days = [before, self.hour].map(utc_day);
        let is_counted = self.view.verdict == Verdict::Counted;
        let subjects = subjects.into_iter().flatten().filter(move |_| is_counted);
        subjects.flat_map(move |subject| days.map(|day| SubjectDay { org, subject, day }))
    }
}

/// What a person with consent has seen of a content item.
#[derive(Clone, Debug, Default)]
pub struct CoverageRow {
    /// Union of the sections of all views.
    pub sections: Spans,
    /// Share of the content item for which a signal was already sent.
    pub covered: f64,
    /// Last UTC day on which something was watched.
    pub watched_day: i64,
}

impl CoverageRow {
    /// Updates the share of the item that is covered, and returns what is new, if anything.
    pub fn cover(&mut self, share: f64) -> Option<f64> {
        let new = share - self.covered;
        (new > 0.0).then(|| {
            self.covered = share;
            new
        })
    }
}

/// The visits of a person under a consent.
#[derive(Clone, Debug, Default)]
pub struct VisitorRow {
    pub visits: Visits,
    /// Time of the newest event.
    pub last_at: Timestamp,
    /// Last UTC day with an event.
    pub active_day: i64,
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

/// A person under a consent in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitorKey {
    pub org: OrgId,
    pub person: PersonId,
    /// Start of the consent.
    pub since: Timestamp,
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
        "SELECT v.org, v.uid, v.viewer, v.content, v.playlist, v.began_at, v.noted_at, v.hour, v.beats, v.watched, \
         v.claims_ms, v.credit_ms, v.over_ms, v.sections, v.is_finished, v.verdict, v.device, v.country, v.refused_ms \
         FROM want JOIN viewing v ON v.org = want.org AND v.uid = want.uid",
    )
    .await?;
    rows.iter().map(view).collect()
}

fn view(row: &QueryResult) -> Result<(ViewKey, ViewRow), DbErr> {
    let uid: ViewId = row.try_get_by_index(1)?;
    let unreadable = |column| db::unreadable("viewing", column, uid);
    let text = |index: usize| row.try_get_by_index::<String>(index);
    let verdict: Stored<Verdict> = row.try_get_by_index(15)?;
    let device: Stored<Device> = row.try_get_by_index(16)?;
    let view = View {
        began_at: row.try_get_by_index(5)?,
        beats: Beats::read(&text(8)?).ok_or_else(|| unreadable("beats"))?,
        watched: Spans::read(&text(9)?).ok_or_else(|| unreadable("watched"))?,
        claims_ms: row.try_get_by_index(10)?,
        credit_ms: row.try_get_by_index(11)?,
        over_ms: row.try_get_by_index(12)?,
        refused_ms: row.try_get_by_index(18)?,
        sections: Spans::read(&text(13)?).ok_or_else(|| unreadable("sections"))?,
        is_finished: row.try_get_by_index(14)?,
        verdict: verdict.known("viewing", "verdict", uid)?,
    };
    let found = ViewRow {
        viewer: row.try_get_by_index(2)?,
        content: row.try_get_by_index(3)?,
        playlist: row.try_get_by_index(4)?,
        noted_at: row.try_get_by_index(6)?,
        hour: row.try_get_by_index(7)?,
        device: device.known("viewing", "device", uid)?,
        country: row.try_get_by_index(17)?,
        view,
    };
    Ok((ViewKey { org: row.try_get_by_index(0)?, view: uid }, found))
}

/// Adds or updates views. A view that another person has begun meanwhile stays as it is.
pub fn save_views<'a>(
    writes: &mut WriteSet,
    rows: impl Iterator<Item = (ViewKey, &'a ViewRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 19]> = rows
        .map(|(key, row)| {
            let view = &row.view;
            [
                key.org.into(),
                key.view.into(),
                row.viewer.into(),
                row.content.into(),
                row.playlist.into(),
                view.began_at.into(),
                row.noted_at.into(),
                row.hour.into(),
                view.beats.text().into(),
                view.watched.text().into(),
                view.claims_ms.into(),
                view.credit_ms.into(),
                view.over_ms.into(),
                view.refused_ms.into(),
                view.sections.text().into(),
                view.is_finished.into(),
                Stored::from(view.verdict).into(),
                Stored::from(row.device).into(),
                row.country.clone().into(),
            ]
        })
        .collect();
    writes.upsert(
        "viewing (org, uid, viewer, content, playlist, began_at, noted_at, hour, beats, watched, claims_ms, \
         credit_ms, over_ms, refused_ms, sections, is_finished, verdict, device, country)",
        &rows,
        "ON CONFLICT (org, uid) DO UPDATE SET began_at = excluded.began_at, hour = excluded.hour, \
         beats = excluded.beats, watched = excluded.watched, claims_ms = excluded.claims_ms, \
         credit_ms = excluded.credit_ms, over_ms = excluded.over_ms, refused_ms = excluded.refused_ms, sections = excluded.sections, \
         is_finished = excluded.is_finished, verdict = excluded.verdict WHERE viewing.viewer = excluded.viewer",
    )
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
        "SELECT s.org, s.viewer, s.content, s.sections, s.covered, s.watched_day FROM want JOIN coverage s \
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
                sections: Spans::read(&row.try_get_by_index::<String>(3)?)
                    .ok_or_else(|| db::unreadable("coverage", "sections", key.viewer))?,
                covered: row.try_get_by_index(4)?,
                watched_day: row.try_get_by_index(5)?,
            };
            Ok((key, found))
        })
        .collect()
}

/// Adds or updates coverage.
pub fn save_coverage<'a>(
    writes: &mut WriteSet,
    rows: impl Iterator<Item = (CoverageKey, &'a CoverageRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 6]> = rows
        .map(|(key, row)| {
            [
                key.org.into(),
                key.viewer.into(),
                key.content.into(),
                row.sections.text().into(),
                row.covered.into(),
                row.watched_day.into(),
            ]
        })
        .collect();
    writes.upsert(
        "coverage (org, viewer, content, sections, covered, watched_day)",
        &rows,
        "ON CONFLICT (org, viewer, content) DO UPDATE SET sections = excluded.sections, \
         covered = excluded.covered, watched_day = excluded.watched_day",
    )
}

/// Returns the existing visitors among the keys.
pub async fn visitors(
    conn: &impl ConnectionTrait,
    keys: &[VisitorKey],
) -> Result<HashMap<VisitorKey, VisitorRow>, DbErr> {
    let wanted: Vec<[Value; 3]> =
        keys.iter().map(|key| [key.org.into(), key.person.into(), key.since.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, person, since",
        &wanted,
        "SELECT v.org, v.person, v.since, v.last_at, v.active_day, v.visits FROM want JOIN visitor v \
         ON v.org = want.org AND v.person = want.person AND v.since = want.since",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = VisitorKey {
                org: row.try_get_by_index(0)?,
                person: row.try_get_by_index(1)?,
                since: row.try_get_by_index(2)?,
            };
            let found = VisitorRow {
                last_at: row.try_get_by_index(3)?,
                active_day: row.try_get_by_index(4)?,
                visits: Visits::read(&row.try_get_by_index::<String>(5)?)
                    .ok_or_else(|| db::unreadable("visitor", "visits", key.person))?,
            };
            Ok((key, found))
        })
        .collect()
}

/// Adds or updates visitors.
pub fn save_visitors<'a>(
    writes: &mut WriteSet,
    rows: impl Iterator<Item = (VisitorKey, &'a VisitorRow)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 6]> = rows
        .map(|(key, row)| {
            [
                key.org.into(),
                key.person.into(),
                key.since.into(),
                row.last_at.into(),
                row.active_day.into(),
                row.visits.text().into(),
            ]
        })
        .collect();
    writes.upsert(
        "visitor (org, person, since, last_at, active_day, visits)",
        &rows,
        "ON CONFLICT (org, person, since) DO UPDATE SET last_at = excluded.last_at, \
         active_day = excluded.active_day, visits = excluded.visits",
    )
}

/// Inserts interactions received on a UTC day, in the order of their keys, and returns the new ones, so that each counts
/// only once.
pub async fn insert_interactions(
    tx: &impl ConnectionTrait,
    keys: &BTreeSet<InteractionKey>,
    day: i64,
) -> Result<HashSet<InteractionKey>, DbErr> {
    let rows: Vec<[Value; 3]> =
        keys.iter().map(|key| [key.org.into(), key.event.into(), day.into()]).collect();
    let inserted = db::rows::bulk_upsert(
        tx,
        "interaction (org, uid, day)",
        &rows,
        "ON CONFLICT DO NOTHING RETURNING org, uid",
    )
    .await?;
    inserted
        .iter()
        .map(|row| Ok(InteractionKey { org: row.try_get_by_index(0)?, event: row.try_get_by_index(1)? }))
        .collect()
}
