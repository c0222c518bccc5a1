//! Starts those of an organisation's waiting announcements whose subject app users can now see.

use ::jobs::{Job, JobError};
use db::WriteTx;
use kernel::{HOUR, OrgId, Timestamp};
use serde::{Deserialize, Serialize};

use super::SendAnnouncement;
use crate::announcements::{Announcement, State, WAIT_MAX};
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
    let now = announcements.ambient.now();
    for announcement in store::announcements::waiting(&tx, job.org).await? {
        if let Some(opens_at) = announcements.targets.opens_at(&tx, &announcement).await? {
            wait_for(&announcements, &tx, &announcement, opens_at).await?;
        } else if announcement.until < now {
            store::announcements::set_progress(
                &tx,
                &announcement,
                State::Dropped,
                announcement.last_recipient,
                now,
            )
            .await?;
        } else if announcements.targets.of(&tx, &announcement).await?.is_some() {
            store::announcements::set_progress(
                &tx,
                &announcement,
                State::Sending,
                announcement.last_recipient,
                now,
            )
            .await?;
            announcements
                .jobs
                .enqueue(&tx, &SendAnnouncement { org: announcement.org, subject: announcement.subject })
                .await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Keeps an announcement whose subject has a publish date in the future, and checks it again at that date. Later dates
/// are left to the hourly check, which comes here in their last hour.
async fn wait_for(
    announcements: &Announcements,
    tx: &WriteTx,
    announcement: &Announcement,
    opens_at: Timestamp,
) -> Result<(), JobError> {
    let until = opens_at + WAIT_MAX;
    if announcement.until < until {
        store::announcements::set_until(tx, announcement, until).await?;
    }
    if opens_at - announcements.ambient.now() <= HOUR {
        let again = StartAnnouncements { org: announcement.org };
        announcements.jobs.enqueue_at(tx, &again, opens_at).await?;
    }
    Ok(())
}
