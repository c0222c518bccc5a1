//! What lists of other crates show of a playlist.

use kernel::{OrgId, PlaylistId};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Playlist, Playlists, store};

/// Title and thumbnail of a playlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Id of the playlist.
    pub uid: PlaylistId,
    /// Never blank.
    pub title: String,
    /// Absolute URL, or empty.
    pub preview_url: String,
}

impl Playlists {
    /// Returns title and thumbnail of the playlists of the organisation among `ids`, in no particular order.
    pub async fn cards(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        ids: &[PlaylistId],
    ) -> Result<Vec<Card>, DbErr> {
        let card = |playlist: Playlist| Card {
            uid: playlist.uid,
            title: playlist.title,
            preview_url: playlist.preview.map(|path| self.public.at(&path)).unwrap_or_default(),
        };
        Ok(store::by_ids(conn, org, ids).await?.into_iter().map(card).collect())
    }
}
