//! What people see of an organisation's playlists before they join.

use kernel::Keyset;
use orgs::Organisation;
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::Playlist;
use crate::{Playlists, store};

/// Newest playlists that are read in search of some with items.
const READ_MAX: u64 = 20;

impl Playlists {
    /// Returns at most `count` public playlists with items: the pinned ones in their order, then the newest. The
    /// caller decides whether the organisation shows them to anyone.
    pub async fn glimpse(
        &self,
        conn: &impl ConnectionTrait,
        organisation: &Organisation,
        count: usize,
    ) -> Result<Vec<Playlist>, DbErr> {
        let (org, pinned) = (organisation.uid, &organisation.pinned_playlists);
        let mut shown = store::by_ids(conn, org, pinned).await?;
        shown.sort_by_key(|playlist| pinned.iter().position(|uid| *uid == playlist.uid));
        let now = self.ambient.now();
        let filter = store::Filter { open_at: Some(now), public_only: true, ..store::Filter::default() };
        let newest = store::page(conn, org, &filter, Keyset { start_after: None, limit: READ_MAX }).await?;
        shown.extend(newest.into_iter().filter(|playlist| !pinned.contains(&playlist.uid)));
        shown.retain(|playlist| playlist.access().is_listed_to_users(now));
        store::retain_open(conn, &mut shown, self.content.open_ids_of(organisation)).await?;
        shown.retain(|playlist| !playlist.items.is_empty());
        shown.truncate(count);
        Ok(shown)
    }
}
