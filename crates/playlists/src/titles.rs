//! Names playlists in the export of a person.

use db::WriteTx;
use identity::ErasedPerson;
use kernel::{Ambient, OrgId, PersonId, PlaylistId, Uid};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::{Playlist, store};

/// Playlists store nothing about people, but others refer to playlists.
pub struct PlaylistTitles {
    ambient: Ambient,
}

impl PlaylistTitles {
    /// Creates it from the source of time.
    pub fn new(ambient: Ambient) -> Self {
        Self { ambient }
    }
}

#[async_trait::async_trait]
impl identity::Erasure for PlaylistTitles {
    async fn erase(&self, _tx: &WriteTx, _erased: &ErasedPerson) -> Result<(), DbErr> {
        Ok(())
    }

    async fn export(
        &self,
        _read: &DatabaseConnection,
        _person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        Ok(Vec::new())
    }

    async fn titles(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
        ids: &[Uid],
    ) -> Result<Vec<Value>, DbErr> {
        let now = self.ambient.now();
        let Some(viewer) = content::viewer_of(read, org, person, now).await? else { return Ok(Vec::new()) };
        let may_open =
            |playlist: &Playlist| viewer == content::Viewer::Staff || playlist.access().is_open_to_users(now);
        let ids: Vec<PlaylistId> = ids.iter().copied().map(Into::into).collect();
        let title = |playlist: Playlist| json!({ "uid": playlist.uid, "title": playlist.title });
        let playlists = store::by_ids(read, org, &ids).await?.into_iter();
        Ok(playlists.filter(may_open).map(title).collect())
    }
}
