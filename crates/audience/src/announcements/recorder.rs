//! Records what to announce, in the transaction of content or playlists that makes it available.

use ::jobs::Jobs;
use db::WriteTx;
use kernel::{Ambient, Uid};
use sea_orm::DbErr;

use super::model::{Kind, WAIT_MAX};
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

    async fn record(&self, tx: &WriteTx, org: Uid, subject: Uid, kind: Kind) -> Result<(), DbErr> {
        let now = self.ambient.now();
        store::announcements::insert(tx, (org, subject), kind, now + WAIT_MAX, now).await?;
        self.jobs.enqueue(tx, &StartAnnouncements { org }).await.map(drop)
    }

    async fn recheck(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        if store::announcements::any_waiting(tx, org).await? {
            self.jobs.enqueue(tx, &StartAnnouncements { org }).await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl content::Announcer for AnnouncementRecorder {
    async fn published(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr> {
        self.record(tx, org, content, Kind::Content).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}

#[async_trait::async_trait]
impl playlists::Announcer for AnnouncementRecorder {
    async fn published(&self, tx: &WriteTx, org: Uid, playlist: Uid) -> Result<(), DbErr> {
        self.record(tx, org, playlist, Kind::Playlist).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}
