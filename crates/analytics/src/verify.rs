//! Checks that totals and counters agree with the sums of which they are made, and makes them agree again.

use std::collections::HashSet;

use content::ItemStats;
use db::WriteTx;
use db::rows::WriteSet;
use kernel::{ContentId, Finding, OrgId, PlaylistId, Timestamp, iso};
use sea_orm::{ConnectionTrait, DbErr};

use crate::store::verify::{self as stored, Counter};
use crate::store::{person_packs, total_packs, view_packs};
use crate::{Analytics, AnalyticsDeps, Error};

/// The step that began the totals anew. Counters of what is older may count more than the totals.
const TOTALS_BEGAN: &str = "analytics_20261125_01_recountable";

impl Analytics {
    /// Checks totals and counters. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        findings(self.deps.db.read(), None).await
    }

    /// Repairs what [`Self::verify`] found: counts an organisation's events again and makes the counters the sums of the
    /// totals. Returns what was done, or `None` if the finding is another crate's or is still there.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn repair(&self, finding: &Finding) -> Result<Option<String>, Error> {
        let db = &self.deps.db;
        let Some(org) = self.org_of(finding).await? else { return Ok(None) };
        let done = match finding.check.as_str() {
            "day_total" | "hour_total" | "playlist_items_total" => {
                self.recount(org).await?;
                "counted again from the events"
            }
            "view_pack" => {
                let Some(subject) = finding.id.split(' ').nth(1).and_then(|id| id.parse().ok()) else {
                    return Ok(None);
                };
                let tx = db.write_tx_on(org).await?;
                view_packs::unpack_subject(&tx, org, subject).await?;
                tx.commit().await?;
                "read from its views until they are packed again"
            }
            "person_pack" => {
                let mut rest = finding.id.split(' ').skip(1);
                let person = rest.next().and_then(|id| id.parse().ok());
                let (Some(person), Some(period)) = (person, rest.next().and_then(kernel::from_iso)) else {
                    return Ok(None);
                };
                let tx = db.write_tx_on(org).await?;
                person_packs::remove(&tx, org, person, period).await?;
                tx.commit().await?;
                "read from the totals by hour until it is packed again"
            }
            _ => {
                let tx = db.write_tx_on(org).await?;
                restate(&self.deps, &tx, org).await?;
                tx.commit().await?;
                "made the sum of the totals"
            }
        };
        let is_same = |left: &Finding| left.check == finding.check && left.id == finding.id;
        if findings(db.read(), Some(org)).await?.iter().any(is_same) {
            return Ok(None);
        }
        Ok(Some(done.to_owned()))
    }

    /// Returns the organisation of a finding, if it can be repaired here.
    async fn org_of(&self, finding: &Finding) -> Result<Option<OrgId>, Error> {
        let read = self.deps.db.read();
        let first = finding.id.split(' ').next().unwrap_or_default();
        Ok(match finding.check.as_str() {
            "content_total" => match first.parse::<ContentId>() {
                Ok(content) => self.deps.content.org_of(read, content).await?,
                Err(_) => None,
            },
            "playlist_total" => match first.parse::<PlaylistId>() {
                Ok(playlist) => self.deps.playlists.org_of(read, playlist).await?,
                Err(_) => None,
            },
            "day_total"
            | "hour_total"
            | "period_total"
            | "playlist_items_total"
            | "view_pack"
            | "person_pack"
            | "total_pack" => first.parse().ok(),
            _ => None,
        })
    }
}

/// Makes the counters of content items and playlists the sums of the totals, the totals of playlists those of their
/// items, and the totals of periods those of their days. `tx` must hold the organisation's lock.
pub async fn restate(deps: &AnalyticsDeps, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    if !stored::playlists(tx, Some(org)).await?.is_empty() {
        stored::restate_playlists(tx, org).await?;
    }
    if !stored::periods(tx, Some(org)).await?.is_empty() {
        stored::restate_periods(tx, org).await?;
    }
    let exact_since = exact_since(tx).await?;
    let mut stats = Vec::new();
    for counter in stored::content_counters(tx, exact_since, Some(org)).await? {
        let (views, watch_ms) = counter.restated(exact_since);
        let (views, watch_ms) = (views - counter.views, watch_ms - counter.watch_ms);
        stats.push(ItemStats { org, content: counter.content(), views, watch_ms });
    }
    let mut watched = Vec::new();
    for counter in stored::playlist_counters(tx, exact_since, Some(org)).await? {
        let (_, watch_ms) = counter.restated(exact_since);
        watched.push((org, counter.playlist(), watch_ms - counter.watch_ms));
    }
    let mut writes = WriteSet::new(tx);
    deps.content.add_stats(&mut writes, &stats)?;
    deps.playlists.add_watch_time(&mut writes, &watched)?;
    writes.run(tx).await?;
    if !total_packs::wrong(tx, org).await?.is_some_and(|items| items.is_empty()) {
        total_packs::restate(tx, org).await?;
    }
    Ok(())
}

async fn exact_since(conn: &impl ConnectionTrait) -> Result<Timestamp, DbErr> {
    Ok(db::applied_at(conn, TOTALS_BEGAN).await?.unwrap_or(Timestamp::EPOCH))
}

async fn findings(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Finding>, DbErr> {
    let mut found = Vec::new();
    for (org, day) in stored::days(conn, org).await? {
        let what = "the total of the day is not the sum of its content items";
        found.push(Finding::new("day_total", "watch_day", format_args!("{org} {}", iso(day)), what));
    }
    for one in stored::hours(conn, org).await? {
        let id = format!("{} {}", one.org, one.subject);
        found.push(Finding::new(
            "hour_total",
            "watch_hour",
            id,
            "its hours and its days have different sums",
        ));
    }
    for one in stored::periods(conn, org).await? {
        let id = format!("{} {}", one.org, one.subject);
        let what = "its totals by four weeks are not the sums of its days or hours";
        found.push(Finding::new("period_total", "watch_period", id, what));
    }
    for one in stored::packs(conn, org).await? {
        let id = format!("{} {}", one.org, one.subject);
        found.push(Finding::new("view_pack", "view_pack", id, "its packed views are not its views"));
    }
    for one in stored::person_packs(conn, org).await? {
        let id = format!("{} {} {}", one.org, one.person, iso(one.period));
        let what = "what is packed of two weeks of a person is not the totals by hour";
        found.push(Finding::new("person_pack", "person_pack", id, what));
    }
    for one in stored::people(conn, org).await? {
        let id = format!("{} {}", one.org, one.subject);
        let what = "people together watched more of it than its total says";
        found.push(Finding::new("person_total", "watch_person", id, what));
    }
    for one in stored::playlists(conn, org).await? {
        let id = format!("{} {}", one.org, one.subject);
        let what = "its total is not the sum of its items";
        found.push(Finding::new("playlist_items_total", "watch_playlist", id, what));
    }
    found.extend(counters(conn, org).await?);
    Ok(found)
}

/// Checks the counters of content items and playlists, and what Home shows of them.
async fn counters(conn: &impl ConnectionTrait, org: Option<OrgId>) -> Result<Vec<Finding>, DbErr> {
    let mut found = Vec::new();
    let (exact_since, mut miscounted) = (exact_since(conn).await?, HashSet::new());
    for counter in stored::content_counters(conn, exact_since, org).await? {
        miscounted.insert(counter.content());
        let Counter { subject, views, watch_ms, sum_views, sum_watch_ms, .. } = counter;
        let what = format!(
            "has {views} views and {watch_ms} ms of watch time, but the totals have {sum_views} and {sum_watch_ms} ms"
        );
        found.push(Finding::new("content_total", "content", subject, what));
    }
    for org in stored::orgs_with_items(conn, org).await? {
        let wrong = total_packs::wrong(conn, org).await?;
        if wrong.is_none_or(|items| items.iter().any(|item| !miscounted.contains(item))) {
            let what = "the totals that Home shows are not the counters of the content items";
            found.push(Finding::new("total_pack", "total_pack", org, what));
        }
    }
    for counter in stored::playlist_counters(conn, exact_since, org).await? {
        let Counter { subject, watch_ms, sum_watch_ms, .. } = counter;
        let what = format!("has {watch_ms} ms of watch time, but the totals have {sum_watch_ms} ms");
        found.push(Finding::new("playlist_total", "playlist", subject, what));
    }
    Ok(found)
}
