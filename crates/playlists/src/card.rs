//! What lists of other crates show of a playlist.

use kernel::PlaylistId;
use orgs::OrgScope;
use orgs::rights::Right;
use sea_orm::{ConnectionTrait, DbErr};

use crate::{PlaylistOut, Playlists, store};

/// Title and images of a playlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Id of the playlist.
    pub uid: PlaylistId,
    /// Never blank.
    pub title: String,
    /// Absolute URL, or empty.
    pub preview_url: String,
    /// Without a thumbnail: URLs of the images of the first items that have one.
    pub item_previews: Vec<String>,
}

impl Playlists {
    /// Returns title and images of the playlists of the organisation among `ids`, in no particular order.
    pub async fn cards<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        ids: &[PlaylistId],
    ) -> Result<Vec<Card>, DbErr> {
        let rows = store::by_ids(conn, scope.org(), ids).await?;
        let card = |playlist: PlaylistOut| Card {
            uid: playlist.uid.into(),
            title: playlist.title,
            preview_url: playlist.preview_url,
            item_previews: playlist.item_previews,
        };
        Ok(self.with_previews(conn, scope, rows).await?.into_iter().map(card).collect())
    }
}
