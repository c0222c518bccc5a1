//! Names playlists in the export of a person.

use db::WriteTx;
use identity::ErasedPerson;
use kernel::{OrgId, PersonId, PlaylistId, Privacy, Uid};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::{Playlist, store};

/// Playlists store nothing about people, but others refer to playlists.
pub struct PlaylistTitles;

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

    async fn titles(&self, read: &DatabaseConnection, org: OrgId, ids: &[Uid]) -> Result<Vec<Value>, DbErr> {
        let ids: Vec<PlaylistId> = ids.iter().copied().map(Into::into).collect();
        let title = |playlist: Playlist| json!({ "uid": playlist.uid, "title": playlist.title });
        let playlists = store::by_ids(read, org, &ids).await?.into_iter();
        Ok(playlists.filter(|playlist| playlist.privacy != Privacy::Private).map(title).collect())
    }
}
