//! Hourly: checks all waiting announcements, because some changes do not come from a playlist or content item
//! (a plan that is paid again, a deadline that has passed), and resumes announcements whose job has failed
//! for good.

use ::jobs::JobError;
use kernel::HOUR;
use sea_orm::DbErr;

use super::{SendAnnouncement, StartAnnouncements};
use crate::{Announcements, store};

/// Returns whether any announcement is waiting, or in progress without a job.
pub async fn has_work(announcements: Announcements) -> Result<bool, DbErr> {
    store::announcements::any_open(announcements.db.read(), announcements.ambient.now() - HOUR).await
}

/// Enqueues the jobs.
pub async fn run(announcements: Announcements) -> Result<(), JobError> {
    let tx = announcements.db.write_tx().await?;
    for org in store::announcements::orgs_waiting(&tx).await? {
        announcements.jobs.enqueue(&tx, &StartAnnouncements { org }).await?;
    }
    for announcement in store::announcements::stalled(&tx, announcements.ambient.now() - HOUR).await? {
        announcements
            .jobs
            .enqueue(&tx, &SendAnnouncement { org: announcement.org, subject: announcement.subject })
            .await?;
    }
    Ok(tx.commit().await?)
}
