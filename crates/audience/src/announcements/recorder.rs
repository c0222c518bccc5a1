//! Records what to announce, in the transaction of content or playlists that makes it available.

use ::jobs::Jobs;
use db::WriteTx;
use kernel::{Ambient, ContentId, OrgId, PlaylistId, Uid};
use sea_orm::DbErr;

use super::model::{Announcement, Kind, State, WAIT_MAX};
use crate::jobs::StartAnnouncements;
use crate::store;

/// Records announcements; implements the ports of content and playlists.
pub struct AnnouncementRecorder {
    jobs: Jobs,
    ambient: Ambient,
}

impl AnnouncementRecorder {
    /// Creates an instance that enqueues its jobs in `jobs`.
    pub fn new(jobs: Jobs, ambient: Ambient) -> Self {
        Self { jobs, ambient }
    }

    async fn record(&self, tx: &WriteTx, org: OrgId, subject: Uid, kind: Kind) -> Result<(), DbErr> {
        let now = self.ambient.now();
        let until = now + WAIT_MAX;
        let (state, last_recipient, visible_since) = (State::Waiting, None, None);
        let announcement = Announcement { subject, org, kind, state, until, last_recipient, visible_since };
        store::announcements::insert(tx, &announcement, now).await?;
        self.jobs.enqueue(tx, &StartAnnouncements { org }).await.map(drop)
    }

    async fn recheck(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        if store::announcements::any_waiting(tx, org).await? {
            self.jobs.enqueue(tx, &StartAnnouncements { org }).await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl content::Announcer for AnnouncementRecorder {
    async fn published(&self, tx: &WriteTx, org: OrgId, content: ContentId) -> Result<(), DbErr> {
        self.record(tx, org, content.into(), Kind::Content).await
    }

    async fn changed(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}

#[async_trait::async_trait]
impl playlists::Announcer for AnnouncementRecorder {
    async fn published(&self, tx: &WriteTx, org: OrgId, playlist: PlaylistId) -> Result<(), DbErr> {
        self.record(tx, org, playlist.into(), Kind::Playlist).await
    }

    async fn changed(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}
