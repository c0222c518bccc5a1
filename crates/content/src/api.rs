//! The public API for the crates above.

use std::collections::HashMap;

use db::rows::WriteSet;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp};
use orgs::{OrgOf, OrgScope, Organisation, Right, Standing};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{ConnectionTrait, DbErr};

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::item::Item;
use crate::schedule::Schedule;
use crate::visibility::{PlaylistAccess, Viewer, VisibilityInput, may_see};
use crate::{Content, store};

/// An item that app users may see in a playlist that is open to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    /// Id of the item.
    pub uid: ContentId,
    /// Never blank.
    pub title: String,
    /// May be empty.
    pub description: String,
}

/// An item shown in a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemPlace {
    /// The playlist that contains the item.
    pub playlist: PlaylistId,
    /// What decides who may open the playlist.
    pub access: PlaylistAccess,
    /// The item.
    pub content: ContentId,
}

/// Which items to look for.
#[derive(Clone, Copy, Debug)]
pub enum ItemFilter<'a> {
    /// Those whose title contains the text.
    Title(&'a str),
    /// Those created, or published by their date, after this time.
    Since(Timestamp),
}

/// Storage used by an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageUse {
    /// Bytes charged to the plan: uploaded files, including replaced and deleted ones until they are removed,
    /// the received parts of unfinished uploads, and the space reserved for pending ones.
    pub charged: u64,
    /// Bytes of everything in the storage, including what was derived from the files.
    pub stored: u64,
}

/// Returns the titles of items of the organisation. Unknown and deleted ids are left out.
///
/// # Errors
/// If the query fails.
pub async fn titles(
    conn: &impl ConnectionTrait,
    org: OrgId,
    ids: &[ContentId],
) -> Result<HashMap<ContentId, String>, DbErr> {
    let rows = store::content::by_ids(conn, org, ids).await?;
    Ok(rows.into_iter().map(|item| (item.uid, item.title)).collect())
}

impl Content {
    /// Returns whether all of `ids` are items of the organisation, drafts included.
    pub async fn exists_all(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        ids: &[ContentId],
    ) -> Result<bool, DbErr> {
        let distinct: std::collections::HashSet<&ContentId> = ids.iter().collect();
        Ok(store::content::ids_among(conn, org, ids).await?.len() == distinct.len())
    }

    /// Returns the items of the organisation among `ids`, drafts included, in no particular order.
    pub async fn among(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        ids: &[ContentId],
    ) -> Result<Vec<ContentId>, DbErr> {
        store::content::ids_among(conn, org, ids).await
    }

    /// Builds a query for the ids of all items that an app user of the organisation may see in a playlist
    /// open to that user. Returns `None` if the organisation's standing lets app users see nothing.
    pub fn open_ids<R: Right>(&self, scope: &OrgScope<R>) -> Option<SelectStatement> {
        open_ids(scope.org(), scope.standing(), self.ambient.now())
    }

    /// Builds the same query as [`Self::open_ids`] for people who have not joined yet, of an organisation that shows its
    /// playlists to everyone.
    pub fn open_ids_of(&self, organisation: &Organisation) -> Option<SelectStatement> {
        open_ids(organisation.uid, organisation.standing, self.ambient.now())
    }

    /// Returns the items that app users of the organisation may see, each in a playlist with this access, in no
    /// particular order.
    pub async fn open_items(
        &self,
        conn: &impl ConnectionTrait,
        organisation: &Organisation,
        items: &[(ContentId, PlaylistAccess)],
    ) -> Result<Vec<OpenItem>, DbErr> {
        let access: HashMap<ContentId, PlaylistAccess> = items.iter().copied().collect();
        let ids: Vec<ContentId> = access.keys().copied().collect();
        let rows = store::content::by_ids(conn, organisation.uid, &ids).await?;
        let open = rows.into_iter().filter(|item| {
            may_see(VisibilityInput {
                standing: organisation.standing,
                playlist: access.get(&item.uid).copied(),
                content: item.privacy,
                schedule: item.schedule,
                state: item.state(),
                viewer: Viewer::User,
                now: self.ambient.now(),
            })
        });
        let open =
            open.map(|item| OpenItem { uid: item.uid, title: item.title, description: item.description });
        Ok(open.collect())
    }

    /// Returns the items among `ids` that the caller may see, in the order of `ids`, with addresses for this
    /// caller. `playlist` is the playlist they are shown in and who may open it; staff may pass none.
    pub async fn visible_items<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        playlist: Option<(PlaylistId, PlaylistAccess)>,
        ids: &[ContentId],
    ) -> Result<Vec<ContentOut>, DbErr> {
        let (view, now) = (ViewContext::of(scope, playlist), self.ambient.now());
        let rows = store::content::by_ids(conn, scope.org(), ids).await?;
        let by_id: HashMap<ContentId, Item> = rows.into_iter().map(|item| (item.uid, item)).collect();
        let may_see_it = |item: &&Item| {
            may_see(VisibilityInput {
                standing: scope.standing(),
                playlist: playlist.map(|(_, access)| access),
                content: item.privacy,
                schedule: item.schedule,
                state: item.state(),
                viewer: view.viewer,
                now,
            })
        };
        let visible = ids.iter().filter_map(|id| by_id.get(id)).filter(may_see_it);
        Ok(visible.map(|item| ContentOut::of(item, view, self)).collect())
    }

    /// Returns the dates of an item of the organisation.
    pub async fn schedule_of(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        content: ContentId,
    ) -> Result<Option<Schedule>, DbErr> {
        Ok(store::content::by_id(conn, org, content).await?.map(|item| item.schedule))
    }

    /// Builds a query for the ids of the items that match and that the caller may see in a playlist open to the caller.
    /// Drafts are left out, because they cannot be played. Returns `None` if the organisation's standing lets app users
    /// see nothing.
    pub fn matching_ids<R: Right>(
        &self,
        scope: &OrgScope<R>,
        filter: ItemFilter<'_>,
    ) -> Option<SelectStatement> {
        let ids = if scope.role().is_staff() {
            store::matching::playable_ids(scope.org())
        } else {
            self.open_ids(scope)?
        };
        Some(store::matching::narrowed(ids, filter))
    }

    /// Returns the items that the caller may see in these places, in their order, with addresses for this caller.
    /// The caller of this function makes sure that each playlist belongs to the organisation and contains its item.
    pub async fn visible_places<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        places: &[ItemPlace],
    ) -> Result<Vec<(ItemPlace, ContentOut)>, DbErr> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<ContentId> = places.iter().map(|place| place.content).collect();
        let rows = store::content::by_ids(conn, scope.org(), &ids).await?;
        let by_id: HashMap<ContentId, Item> = rows.into_iter().map(|item| (item.uid, item)).collect();
        let now = self.ambient.now();
        let shown = places.iter().filter_map(|place| {
            let view = ViewContext::of(scope, Some((place.playlist, place.access)));
            let item = by_id.get(&place.content).filter(|item| {
                may_see(VisibilityInput {
                    standing: scope.standing(),
                    playlist: Some(place.access),
                    content: item.privacy,
                    schedule: item.schedule,
                    state: item.state(),
                    viewer: view.viewer,
                    now,
                })
            })?;
            Some((*place, ContentOut::of(item, view, self)))
        });
        Ok(shown.collect())
    }

    /// The organisation of an item, for callers who enter it.
    pub fn owner(&self, uid: ContentId) -> OrgOf {
        store::content::owner(uid)
    }

    /// Returns the organisation an item belongs to. Use it only to check rights, never to return data.
    pub async fn org_of(&self, conn: &impl ConnectionTrait, uid: ContentId) -> Result<Option<OrgId>, DbErr> {
        store::content::org_of(conn, uid).await
    }

    /// Adds views and watch time to items, as part of what analytics writes in a transaction. Each item may occur once.
    ///
    /// # Errors
    /// None are expected.
    pub fn add_stats(&self, writes: &mut WriteSet, stats: &[ItemStats]) -> Result<(), DbErr> {
        store::content::add_stats(writes, stats)
    }

    /// Returns how much the organisation stores, and how much of it is charged to its plan.
    pub async fn storage_use(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<StorageUse, DbErr> {
        let charged = store::object::charged(conn, org, self.ambient.now()).await?;
        Ok(StorageUse { charged, stored: store::object::stored(conn, org).await? })
    }
}

/// Views and watch time of an item.
#[derive(Clone, Copy, Debug)]
pub struct ItemStats {
    /// Organisation of the item.
    pub org: OrgId,
    /// The item.
    pub content: ContentId,
    /// Counted views.
    pub views: i64,
    /// Watch time.
    pub watch_ms: Millis,
}

fn open_ids(org: OrgId, standing: Standing, now: Timestamp) -> Option<SelectStatement> {
    standing.is_live().then(|| store::content::open_ids(org, now))
}
