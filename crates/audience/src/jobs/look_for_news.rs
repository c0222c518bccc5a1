//! Looks which of an organisation's waiting news app users may see by now, and begins to tell it.

use ::jobs::{Failure, Job};
use kernel::Uid;
use serde::{Deserialize, Serialize};

use super::TellUsers;
use crate::piece::State;
use crate::{News, store};

/// The organisation to look at.
#[derive(Debug, Serialize, Deserialize)]
pub struct LookForNews {
    /// Its id.
    pub org: Uid,
}

impl Job for LookForNews {
    const KIND: &'static str = "look_for_news";
}

/// One look at everything that waits; twice does no harm.
pub async fn run(news: News, job: LookForNews) -> Result<(), Failure> {
    // Holds off whoever opens or closes a playlist or a content meanwhile.
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
