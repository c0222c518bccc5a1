//! Writes the letters about one piece of news, a page of people at a time.

use ::jobs::{Failure, Job};
use kernel::{Millis, SECOND, Uid};
use serde::{Deserialize, Serialize};

use crate::piece::State;
use crate::{News, store};

/// Letters of rounds that may stand in the queue: a link to sign in waits for no more than these.
const BACKLOG: u64 = 100;
/// The same together with those that wait for another try: they all come back when a mail server does.
const BACKLOG_WITH_RETRIES: u64 = 1_000;
/// When to look again while that many wait.
const PAUSE: Millis = 5 * SECOND;

/// What to tell.
#[derive(Debug, Serialize, Deserialize)]
pub struct TellUsers {
    /// Whose news.
    pub org: Uid,
    /// The content or playlist.
    pub subject: Uid,
}

impl Job for TellUsers {
    const KIND: &'static str = "tell_users";
}

/// One page: its letters and the place it came to are one transaction, so that the page after a crash is the next.
pub async fn run(news: News, job: TellUsers) -> Result<(), Failure> {
    let tx = news.db.write_tx_on(job.org).await?;
    let now = news.ambient.now();
    let piece = store::news::by_subject(&tx, job.org, job.subject).await?;
    let Some(piece) = piece.filter(|piece| piece.state == State::Telling) else { return Ok(()) };
    let Some(place) = news.places.of(&tx, &piece).await? else {
        // Taken back in the middle: it waits as before, and goes on behind the last one told.
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
    tracing::debug!(subject = %piece.subject, letters = people.len(), "app users were told");
    Ok(())
}
