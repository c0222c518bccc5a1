//! What the rooms above may ask and tell.

use std::collections::HashMap;

use db::WriteTx;
use kernel::{Millis, Privacy, Uid};
use orgs::{OrgScope, Right, Standing};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{ConnectionTrait, DbErr};

use crate::item::Item;
use crate::model::ContentKind;
use crate::visibility::{Facts, State, Viewer, may_see};
use crate::wire::{ContentOut, Shown};
use crate::{Content, store};

/// What analytics needs to know of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventContent {
    /// Its id.
    pub uid: Uid,
    /// What people call it.
    pub kind: ContentKind,
    /// Length, once known.
    pub duration_ms: Option<Millis>,
    /// Its own privacy.
    pub privacy: Privacy,
    /// Where it is in its life.
    pub state: State,
}

/// A content that app users may see where a playlist they may see holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its id.
    pub uid: Uid,
    /// Its title.
    pub title: String,
    /// Its description, or empty.
    pub description: String,
}

/// What an organisation takes of the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageUse {
    /// Bytes the plan pays for: uploaded files, those replaced or deleted and still there included, what has arrived
    /// of others, and what awaited uploads reserve.
    pub charged: u64,
    /// Bytes of everything in the storage, what was made of the files included.
    pub stored: u64,
}

impl Content {
    /// Whether all of `ids` are contents of the organisation, drafts included.
    ///
    /// # Errors
    /// The database's own.
    pub async fn exists_all(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        ids: &[Uid],
    ) -> Result<bool, DbErr> {
        let distinct: std::collections::HashSet<&Uid> = ids.iter().collect();
        Ok(store::content::ids_among(conn, org, ids).await?.len() == distinct.len())
    }

    /// Those of `ids` that are contents of the organisation, drafts included, in no order.
    ///
    /// # Errors
    /// The database's own.
    pub async fn among(&self, conn: &impl ConnectionTrait, org: Uid, ids: &[Uid]) -> Result<Vec<Uid>, DbErr> {
        store::content::ids_among(conn, org, ids).await
    }

    /// A query for one column, the ids of all contents that an app user of the organisation may see where a
    /// playlist that user may see holds them; `None` when that is none whatever they are.
    pub fn open_ids<R: Right>(&self, scope: &OrgScope<R>) -> Option<SelectStatement> {
        matches!(scope.standing(), Standing::Active | Standing::PastDue)
            .then(|| store::content::open_ids(scope.org()))
    }

    /// The content, if app users of the organisation may see it in a playlist with this privacy.
    ///
    /// # Errors
    /// The database's own.
    pub async fn open(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        shelf: Privacy,
        content: Uid,
    ) -> Result<Option<Open>, DbErr> {
        let Some(place) = self.orgs.organisation(conn, org).await? else { return Ok(None) };
        let item = store::content::by_id(conn, org, content).await?.filter(|item| {
            may_see(Facts {
                standing: place.standing,
                org: place.privacy,
                shelf: Some(shelf),
                content: item.privacy,
                state: item.state(),
                viewer: Viewer::User,
            })
        });
        Ok(item.map(|item| Open { uid: item.uid, title: item.title, description: item.description }))
    }

    /// Those of `ids` that whoever entered may see, in the order asked for, with addresses for this person.
    /// `shelf` is the playlist they are shown in and its privacy; staff may look without one.
    ///
    /// # Errors
    /// The database's own.
    pub async fn cards<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        scope: &OrgScope<R>,
        shelf: Option<(Uid, Privacy)>,
        ids: &[Uid],
    ) -> Result<Vec<ContentOut>, DbErr> {
        let Some(org) = self.orgs.organisation(conn, scope.org()).await? else { return Ok(Vec::new()) };
        let shown = Shown::to(scope, shelf.map(|(playlist, _)| playlist));
        let rows = store::content::by_ids(conn, scope.org(), ids).await?;
        let by_id: HashMap<Uid, Item> = rows.into_iter().map(|item| (item.uid, item)).collect();
        let may_see_it = |item: &&Item| {
            may_see(Facts {
                standing: org.standing,
                org: org.privacy,
                shelf: shelf.map(|(_, privacy)| privacy),
                content: item.privacy,
                state: item.state(),
                viewer: Viewer::of(Some(scope.role())),
            })
        };
        let visible = ids.iter().filter_map(|id| by_id.get(id)).filter(may_see_it);
        Ok(visible.map(|item| ContentOut::of(item, shown, self)).collect())
    }

    /// Kind, length and visibility of contents of the organisation, for events; unknown ids are left out,
    /// deleted ones too.
    ///
    /// # Errors
    /// The database's own.
    pub async fn for_events(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        ids: &[Uid],
    ) -> Result<Vec<EventContent>, DbErr> {
        let rows = store::content::by_ids(conn, org, ids).await?;
        Ok(rows
            .into_iter()
            .map(|item| EventContent {
                uid: item.uid,
                kind: item.kind,
                duration_ms: item.duration_ms,
                privacy: item.privacy,
                state: item.state(),
            })
            .collect())
    }

    /// Adds to what was watched of a content, as part of analytics' `tx`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn add_stats(
        &self,
        tx: &WriteTx,
        org: Uid,
        content: Uid,
        views: i64,
        watch_ms: Millis,
    ) -> Result<(), DbErr> {
        store::content::add_stats(tx, org, content, views, watch_ms).await
    }

    /// Returns how much the organisation has stored, and how much of it its plan pays for.
    ///
    /// # Errors
    /// The database's own.
    pub async fn storage_use(&self, conn: &impl ConnectionTrait, org: Uid) -> Result<StorageUse, DbErr> {
        let charged = store::object::charged(conn, org, self.ambient.now()).await?;
        Ok(StorageUse { charged, stored: store::object::stored(conn, org).await? })
    }
}
