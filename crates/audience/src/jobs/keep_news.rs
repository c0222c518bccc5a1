//! Every hour: looks at all that waits, for what no change of a playlist or content brings about (a plan that is paid
//! again, a week that is over), and takes up a telling whose job was given up.

use ::jobs::Failure;
use kernel::HOUR;

use super::{LookForNews, TellUsers};
use crate::{News, store};

/// Puts the jobs into the queue.
pub async fn run(news: News) -> Result<(), Failure> {
    let tx = news.db.write_tx().await?;
    for org in store::news::orgs_waiting(&tx).await? {
        news.jobs.enqueue(&tx, &LookForNews { org }).await?;
    }
    for piece in store::news::forgotten(&tx, news.ambient.now() - HOUR).await? {
        news.jobs.enqueue(&tx, &TellUsers { org: piece.org, subject: piece.subject }).await?;
    }
    Ok(tx.commit().await?)
}
