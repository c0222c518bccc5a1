//! Hourly: checks all waiting announcements, because some changes do not come from a playlist or content item
//! (a plan that is paid again, a deadline that has passed), and resumes announcements whose job has failed
//! for good.

use ::jobs::Failure;
use kernel::HOUR;

use super::{LookForNews, TellUsers};
use crate::{News, store};

/// Enqueues the jobs.
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
