//! Writes the emails of one announcement, one page of recipients at a time.

use ::jobs::{Job, JobError};
use kernel::{Millis, OrgId, SECOND, Uid};
use serde::{Deserialize, Serialize};

use crate::announcements::State;
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
    let announcement = store::announcements::by_subject(&tx, job.org, job.subject).await?;
    let Some(announcement) = announcement.filter(|announcement| announcement.state == State::Sending) else {
        return Ok(());
    };
    let Some(target) = announcements.targets.of(&tx, &announcement).await? else {
        // The subject is no longer visible: wait again, and resume after the last recipient.
        store::announcements::set_progress(
            &tx,
            &announcement,
            State::Waiting,
            announcement.last_recipient,
            now,
        )
        .await?;
        return Ok(tx.commit().await?);
    };
    let waiting = announcements.mailer.bulk_backlog(&tx).await?;
    if waiting.untried >= BACKLOG || waiting.all >= BACKLOG_WITH_RETRIES {
        store::announcements::set_progress(
            &tx,
            &announcement,
            State::Sending,
            announcement.last_recipient,
            now,
        )
        .await?;
        announcements.jobs.enqueue_at(&tx, &job, now + PAUSE).await?;
        return Ok(tx.commit().await?);
    }
    let people =
        store::recipients::page(&tx, announcement.org, announcement.last_recipient, announcements.page_size)
            .await?;
    for recipient in &people {
        announcements.enqueue_email(&tx, &announcement, &target, recipient).await?;
    }
    let last_recipient = people.last().map_or(announcement.last_recipient, |last| Some(last.person));
    let full_page = u64::try_from(people.len()).is_ok_and(|count| count == announcements.page_size);
    let state = if full_page { State::Sending } else { State::Sent };
    store::announcements::set_progress(&tx, &announcement, state, last_recipient, now).await?;
    if full_page {
        announcements.jobs.enqueue(&tx, &job).await?;
    }
    tx.commit().await?;
    tracing::debug!(subject = %announcement.subject, emails = people.len(), "wrote a page of announcement emails");
    Ok(())
}
