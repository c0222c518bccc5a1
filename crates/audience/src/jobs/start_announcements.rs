//! Starts those of an organisation's waiting announcements whose subject app users can now see: all together, 15 minutes
//! after the first became visible.

use std::collections::HashSet;

use ::jobs::{Job, JobError};
use db::WriteTx;
use kernel::{HOUR, OrgId, Timestamp, Uid};
use serde::{Deserialize, Serialize};

use super::SendAnnouncement;
use crate::announcements::{Announcement, State, WAIT_MAX, WINDOW, window_opened};
use crate::{Announcements, store};

/// Checks the waiting announcements of an organisation.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartAnnouncements {
    pub org: OrgId,
}

impl Job for StartAnnouncements {
    const KIND: &'static str = "start_announcements";
}

/// Checks all waiting announcements of the organisation. Idempotent.
pub async fn run(announcements: Announcements, job: StartAnnouncements) -> Result<(), JobError> {
    // Blocks concurrent changes to the visibility of playlists and content items.
    let tx = announcements.db.write_tx_on(job.org).await?;
    let waiting = store::announcements::waiting(&tx, job.org).await?;
    let (paused, waiting): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|announcement| announcement.last_recipient.is_some());
    for announcement in &paused {
        resume(&announcements, &tx, announcement).await?;
    }
    let known = window_opened(&waiting);
    let visible = update_visibility(&announcements, &tx, job.org, waiting).await?;
    if let Some(opened) = window_opened(&visible) {
        let closes = opened + WINDOW;
        if closes <= announcements.ambient.now() {
            start(&announcements, &tx, &visible).await?;
        } else if known != Some(opened) {
            announcements.jobs.enqueue_at(&tx, &job, closes).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Stores since when the subjects are visible, and drops announcements that have waited too long. Returns those whose
/// subject is visible.
async fn update_visibility(
    announcements: &Announcements,
    tx: &WriteTx,
    org: OrgId,
    waiting: Vec<Announcement>,
) -> Result<Vec<Announcement>, JobError> {
    let now = announcements.ambient.now();
    let targets = announcements.targets.visible(tx, org, &waiting).await?;
    let found: HashSet<Uid> =
        targets.iter().flat_map(|visible| &visible.targets).map(|target| target.subject).collect();
    let (mut visible, mut appeared, mut disappeared) = (Vec::new(), Vec::new(), Vec::new());
    for mut announcement in waiting {
        // A clock that was set back delays nothing.
        let since = announcement.visible_since.filter(|since| *since <= now);
        let is_visible = found.contains(&announcement.subject);
        if is_visible && (since.is_some() || announcement.until >= now) {
            if since.is_none() {
                appeared.push(announcement.subject);
            }
            announcement.visible_since = since.or(Some(now));
            visible.push(announcement);
            continue;
        }
        if announcement.visible_since.is_some() {
            disappeared.push(announcement.subject);
        }
        let alone = std::slice::from_ref(&announcement);
        wait_or_drop(announcements, tx, &announcement, alone).await?;
    }
    if !appeared.is_empty() {
        store::announcements::set_visible_since(tx, org, &appeared, Some(now)).await?;
    }
    if !disappeared.is_empty() {
        store::announcements::set_visible_since(tx, org, &disappeared, None).await?;
    }
    Ok(visible)
}

/// Starts one bulk send about all of these.
async fn start(
    announcements: &Announcements,
    tx: &WriteTx,
    visible: &[Announcement],
) -> Result<(), JobError> {
    let Some((first, others)) = visible.split_first() else { return Ok(()) };
    let others: Vec<Uid> = others.iter().map(|announcement| announcement.subject).collect();
    if !others.is_empty() {
        store::announcements::join(tx, first, &others, announcements.ambient.now()).await?;
    }
    send(announcements, tx, first).await
}

/// Resumes a bulk send that was paused while nothing that it lists was visible.
async fn resume(
    announcements: &Announcements,
    tx: &WriteTx,
    announcement: &Announcement,
) -> Result<(), JobError> {
    let org = announcement.org;
    let listed = store::announcements::with_listed(tx, org, announcement.subject).await?;
    let visible = announcements.targets.visible(tx, org, &listed).await?;
    if visible.is_some() && announcement.until >= announcements.ambient.now() {
        return send(announcements, tx, announcement).await;
    }
    wait_or_drop(announcements, tx, announcement, &listed).await
}

async fn send(
    announcements: &Announcements,
    tx: &WriteTx,
    announcement: &Announcement,
) -> Result<(), JobError> {
    let (position, now) = (announcement.last_recipient, announcements.ambient.now());
    store::announcements::set_progress(tx, announcement, State::Sending, position, now).await?;
    let job = SendAnnouncement { org: announcement.org, subject: announcement.subject };
    announcements.jobs.enqueue(tx, &job).await?;
    Ok(())
}

/// Keeps an announcement if one of the subjects that it lists has a publish date in the future, and checks it again at
/// that date. Otherwise drops it if it has waited too long. Later dates are left to the hourly check, which comes here in
/// their last hour.
async fn wait_or_drop(
    announcements: &Announcements,
    tx: &WriteTx,
    announcement: &Announcement,
    listed: &[Announcement],
) -> Result<(), JobError> {
    let mut opens_at: Option<Timestamp> = None;
    for one in listed {
        let at = announcements.targets.opens_at(tx, one).await?;
        opens_at = opens_at.into_iter().chain(at).min();
    }
    let now = announcements.ambient.now();
    let Some(opens_at) = opens_at else {
        if announcement.until < now {
            let position = announcement.last_recipient;
            store::announcements::set_progress(tx, announcement, State::Dropped, position, now).await?;
        }
        return Ok(());
    };
    let until = opens_at + WAIT_MAX;
    if announcement.until < until {
        store::announcements::set_until(tx, announcement, until).await?;
    }
    if opens_at - now <= HOUR {
        let again = StartAnnouncements { org: announcement.org };
        announcements.jobs.enqueue_at(tx, &again, opens_at).await?;
    }
    Ok(())
}
