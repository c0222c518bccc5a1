//! Writes the emails of an announcement and those joined to it, one page of recipients at a time.

use ::jobs::{Job, JobError};
use db::WriteTx;
use kernel::{Millis, OrgId, SECOND, Timestamp, Uid};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use crate::announcements::{Announcement, State};
use crate::{Announcements, store};

/// Maximum number of untried bulk emails in the queue; an urgent email, such as a sign-in link, waits for no
/// more than these.
const BACKLOG: u64 = 100;
/// The same limit including emails that wait for a retry: all of them are due once a mail server is back.
const BACKLOG_WITH_RETRIES: u64 = 1_000;
/// Delay before the next check while the queue is at its limit.
const PAUSE: Millis = 5 * SECOND;

/// Writes the next page of an announcement's emails.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendAnnouncement {
    pub org: OrgId,
    /// Id of the content item or playlist.
    pub subject: Uid,
}

impl Job for SendAnnouncement {
    const KIND: &'static str = "send_announcement";
}

/// Writes one page. Its emails and the new position are committed together, so work resumes with the next
/// page after a crash.
pub async fn run(announcements: Announcements, job: SendAnnouncement) -> Result<(), JobError> {
    let tx = announcements.db.write_tx_on(job.org).await?;
    let now = announcements.ambient.now();
    let listed = store::announcements::with_listed(&tx, job.org, job.subject).await?;
    let announcement = listed.iter().find(|one| one.subject == job.subject);
    let Some(announcement) = announcement.filter(|one| one.state == State::Sending) else {
        return Ok(());
    };
    let Some(visible) = announcements.targets.visible(&tx, job.org, &listed).await? else {
        pause(&tx, announcement, now).await?;
        return Ok(tx.commit().await?);
    };
    let position = announcement.last_recipient;
    let waiting = announcements.mailer.bulk_backlog(&tx).await?;
    if waiting.untried >= BACKLOG || waiting.all >= BACKLOG_WITH_RETRIES {
        store::announcements::set_progress(&tx, announcement, State::Sending, position, now).await?;
        announcements.jobs.enqueue_at(&tx, &job, now + PAUSE).await?;
        return Ok(tx.commit().await?);
    }
    let people = store::recipients::page(&tx, job.org, position, announcements.page_size).await?;
    for recipient in &people {
        announcements.enqueue_email(&tx, announcement, &visible, recipient).await?;
    }
    let last_recipient = people.last().map_or(position, |last| Some(last.person));
    let full_page = u64::try_from(people.len()).is_ok_and(|count| count == announcements.page_size);
    let state = if full_page { State::Sending } else { State::Sent };
    store::announcements::set_progress(&tx, announcement, state, last_recipient, now).await?;
    if full_page {
        announcements.jobs.enqueue(&tx, &job).await?;
    }
    tx.commit().await?;
    tracing::debug!(subject = %job.subject, emails = people.len(), "wrote a page of announcement emails");
    Ok(())
}

/// Waits until something is visible again. A bulk send that has begun resumes after the last recipient; otherwise each
/// subject may be announced together with others.
async fn pause(tx: &WriteTx, announcement: &Announcement, now: Timestamp) -> Result<(), DbErr> {
    match announcement.last_recipient {
        None => store::announcements::separate(tx, announcement, now).await,
        position => store::announcements::set_progress(tx, announcement, State::Waiting, position, now).await,
    }
}
