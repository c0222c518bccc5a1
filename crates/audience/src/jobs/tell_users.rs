//! Writes the emails of one announcement, one page of recipients at a time.

use ::jobs::{Failure, Job};
use kernel::{Millis, SECOND, Uid};
use serde::{Deserialize, Serialize};

use crate::piece::State;
use crate::{News, store};

/// Maximum number of untried bulk emails in the queue; an urgent email, such as a sign-in link, waits for no
/// more than these.
const BACKLOG: u64 = 100;
/// The same limit including emails that wait for a retry: all of them are due once a mail server is back.
const BACKLOG_WITH_RETRIES: u64 = 1_000;
/// Delay before the next check while the queue is at its limit.
const PAUSE: Millis = 5 * SECOND;

/// Writes the next page of an announcement's emails.
#[derive(Debug, Serialize, Deserialize)]
pub struct TellUsers {
    pub org: Uid,
    /// Id of the content item or playlist.
    pub subject: Uid,
}

impl Job for TellUsers {
    const KIND: &'static str = "tell_users";
}

/// Writes one page. Its emails and the new position are committed together, so work resumes with the next
/// page after a crash.
pub async fn run(news: News, job: TellUsers) -> Result<(), Failure> {
    let tx = news.db.write_tx_on(job.org).await?;
    let now = news.ambient.now();
    let piece = store::news::by_subject(&tx, job.org, job.subject).await?;
    let Some(piece) = piece.filter(|piece| piece.state == State::Telling) else { return Ok(()) };
    let Some(place) = news.places.of(&tx, &piece).await? else {
        // The subject is no longer visible: wait again, and resume after the last recipient.
        store::news::set(&tx, &piece, State::Waiting, piece.told_to, now).await?;
        return Ok(tx.commit().await?);
    };
    let waiting = news.mailer.rounds_waiting(&tx).await?;
    if waiting.untried >= BACKLOG || waiting.all >= BACKLOG_WITH_RETRIES {
        store::news::set(&tx, &piece, State::Telling, piece.told_to, now).await?;
        news.jobs.enqueue_at(&tx, &job, now + PAUSE).await?;
        return Ok(tx.commit().await?);
    }
    let people = store::recipients::page(&tx, piece.org, piece.told_to, news.page).await?;
    for (person, email) in &people {
        news.write(&tx, &piece, &place, (*person, email)).await?;
    }
    let told_to = people.last().map_or(piece.told_to, |(person, _)| Some(*person));
    let whole = u64::try_from(people.len()).is_ok_and(|count| count == news.page);
    let state = if whole { State::Telling } else { State::Told };
    store::news::set(&tx, &piece, state, told_to, now).await?;
    if whole {
        news.jobs.enqueue(&tx, &job).await?;
    }
    tx.commit().await?;
    tracing::debug!(subject = %piece.subject, letters = people.len(), "wrote a page of announcement emails");
    Ok(())
}
