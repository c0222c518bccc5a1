//! Items in the playlists in which a caller can open them, and the images of playlists without a thumbnail.

use std::collections::{HashMap, HashSet};

use content::{ItemFilter, ItemPlace};
use kernel::{ContentId, PlaylistId, Timestamp};
use orgs::{OrgScope, Right};
use sea_orm::{ConnectionTrait, DbErr};

use crate::dto::{PlaylistOut, ShownItemOut};
use crate::model::Playlist;
use crate::{Playlists, store};

/// An item in a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemPlacement {
    /// The playlist.
    pub playlist: PlaylistId,
    /// The item.
    pub content: ContentId,
}

/// Images of a playlist without a thumbnail.
const PREVIEWS: usize = 4;
/// How many items of a playlist are asked for their image.
const PREVIEW_CANDIDATES: usize = 8;
/// An item may be in several playlists, so more places are read than items are wanted.
const PLACES_PER_ITEM: u64 = 4;

impl Playlists {
    /// Returns the items that the caller may see in these places, in their order. Places that do not exist, or are not
    /// open to the caller, are left out.
    pub async fn shown<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        places: &[ItemPlacement],
    ) -> Result<Vec<ShownItemOut>, DbErr> {
        let ids: HashSet<PlaylistId> = places.iter().map(|place| place.playlist).collect();
        let ids: Vec<PlaylistId> = ids.into_iter().collect();
        let rows = store::by_ids(conn, scope.org(), &ids).await?;
        let by_id: HashMap<PlaylistId, Playlist> = rows.into_iter().map(|row| (row.uid, row)).collect();
        let now = self.ambient.now();
        let open = places.iter().filter_map(|place| {
            let playlist = by_id.get(&place.playlist)?;
            let is_open = scope.role().is_staff() || playlist.access().is_open_to_users(now);
            (is_open && playlist.items.contains(&place.content)).then_some(ItemPlace {
                playlist: playlist.uid,
                access: playlist.access(),
                content: place.content,
            })
        });
        let open: Vec<ItemPlace> = open.collect();
        let visible = self.content.visible_places(conn, scope, &open).await?;
        Ok(visible
            .into_iter()
            .map(|(place, content)| ShownItemOut {
                content,
                playlist_id: place.playlist.into(),
                playlist_title: by_id.get(&place.playlist).map(|row| row.title.clone()).unwrap_or_default(),
            })
            .collect())
    }

    /// Returns the newest items created, or published by their date, after `since` that the caller finds in lists,
    /// newest first.
    pub async fn new_since<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        since: Timestamp,
        limit: u64,
    ) -> Result<Vec<ShownItemOut>, DbErr> {
        self.matching(conn, scope, ItemFilter::Since(since), limit).await
    }

    /// Returns the matching items of playlists that the caller finds in lists, newest first, each once.
    pub(crate) async fn matching<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        filter: ItemFilter<'_>,
        limit: u64,
    ) -> Result<Vec<ShownItemOut>, DbErr> {
        let Some(ids) = self.content.matching_ids(scope, filter) else { return Ok(Vec::new()) };
        let listed_at = (!scope.role().is_staff()).then(|| self.ambient.now());
        let rows = limit.saturating_mul(PLACES_PER_ITEM);
        let places = store::places::of_items(conn, scope.org(), ids, listed_at, rows).await?;
        let mut found = HashSet::new();
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        let once: Vec<ItemPlacement> =
            places.into_iter().filter(|place| found.insert(place.content)).take(wanted).collect();
        self.shown(conn, scope, &once).await
    }

    /// Converts playlists to their JSON shape, with the images of the first items for those without a thumbnail.
    pub(crate) async fn with_previews<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        rows: Vec<Playlist>,
    ) -> Result<Vec<PlaylistOut>, DbErr> {
        let candidates: Vec<ItemPlace> = rows
            .iter()
            .filter(|row| row.preview.is_none())
            .flat_map(|row| {
                row.items.iter().take(PREVIEW_CANDIDATES).map(|content| ItemPlace {
                    playlist: row.uid,
                    access: row.access(),
                    content: *content,
                })
            })
            .collect();
        let mut previews: HashMap<PlaylistId, Vec<String>> = HashMap::new();
        for (place, item) in self.content.visible_places(conn, scope, &candidates).await? {
            let found = previews.entry(place.playlist).or_default();
            if found.len() < PREVIEWS && !item.preview_url.is_empty() {
                found.push(item.preview_url);
            }
        }
        let is_staff = scope.role().is_staff();
        Ok(rows
            .into_iter()
            .map(|row| {
                let item_previews = previews.remove(&row.uid).unwrap_or_default();
                let out = PlaylistOut { item_previews, ..PlaylistOut::of(row, &self.public) };
                if is_staff { out } else { PlaylistOut { publish_at: None, expire_at: None, ..out } }
            })
            .collect())
    }
}
