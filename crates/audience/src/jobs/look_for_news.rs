//! Starts those of an organisation's waiting announcements whose subject app users can now see.

use ::jobs::{Failure, Job};
use kernel::Uid;
use serde::{Deserialize, Serialize};

use super::TellUsers;
use crate::piece::State;
use crate::{News, store};

/// Checks the waiting announcements of an organisation.
#[derive(Debug, Serialize, Deserialize)]
pub struct LookForNews {
    pub org: Uid,
}

impl Job for LookForNews {
    const KIND: &'static str = "look_for_news";
}

/// Checks all waiting announcements of the organisation. Idempotent.
pub async fn run(news: News, job: LookForNews) -> Result<(), Failure> {
    // Blocks concurrent changes to the visibility of playlists and content items.
    let tx = news.db.write_tx_on(job.org).await?;
    let now = news.ambient.now();
    for piece in store::news::waiting(&tx, job.org).await? {
        if piece.until < now {
            store::news::set(&tx, &piece, State::Dropped, piece.told_to, now).await?;
        } else if news.places.of(&tx, &piece).await?.is_some() {
            store::news::set(&tx, &piece, State::Telling, piece.told_to, now).await?;
            news.jobs.enqueue(&tx, &TellUsers { org: piece.org, subject: piece.subject }).await?;
        }
    }
    Ok(tx.commit().await?)
}
