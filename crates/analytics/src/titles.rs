//! Titles of what people did something with.

use std::collections::{HashMap, HashSet};

use kernel::{ContentId, PlaylistId, Uuid};
use orgs::OrgScope;
use orgs::rights::ViewAnalytics;
use sea_orm::DbErr;

use crate::Analytics;
use crate::store::people::ActivityEntry;

/// The current titles of what a history names.
pub struct Titles {
    pub content: HashMap<Uuid, String>,
    pub playlists: HashMap<PlaylistId, String>,
}

impl Titles {
    pub async fn of(
        analytics: &Analytics,
        scope: &OrgScope<ViewAnalytics>,
        entries: &[ActivityEntry],
    ) -> Result<Self, DbErr> {
        let (read, deps) = (analytics.deps.db.read(), &analytics.deps);
        let content: HashSet<ContentId> = entries.iter().filter_map(|entry| entry.content).collect();
        let content: Vec<ContentId> = content.into_iter().collect();
        let playlists: HashSet<PlaylistId> = entries.iter().filter_map(|entry| entry.playlist).collect();
        let playlists: Vec<PlaylistId> = playlists.into_iter().collect();
        let items = deps.content.visible_items(read, scope, None, &content).await?;
        let playlists = deps.playlists.by_ids(read, scope.org(), &playlists).await?;
        Ok(Self {
            content: items.into_iter().map(|item| (item.uid, item.title)).collect(),
            playlists: playlists.into_iter().map(|playlist| (playlist.uid, playlist.title)).collect(),
        })
    }
}
