//! Starts those of an organisation's waiting announcements whose subject app users can now see.

use ::jobs::{Job, JobError};
use kernel::OrgId;
use serde::{Deserialize, Serialize};

use super::SendAnnouncement;
use crate::announcements::State;
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
        if announcement.until < now {
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
