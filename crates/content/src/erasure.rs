//! Erases a person from uploads, items and images. The photo goes; what was made for an organisation stays.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use db::WriteTx;
use identity::ErasedPerson;
use kernel::{Ambient, ContentId, OrgId, PersonId, Uid, iso};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::item::Item;
use crate::ports::PlaylistLookup;
use crate::store;
use crate::store::creator::Created;
use crate::visibility::{Viewer, viewer_of};

/// Who made and uploaded what, and which titles a person may see.
pub struct UploaderErasure {
    ambient: Ambient,
    playlists: Arc<dyn PlaylistLookup>,
}

impl UploaderErasure {
    /// Creates it from the source of time and the playlists.
    pub fn new(ambient: Ambient, playlists: Arc<dyn PlaylistLookup>) -> Self {
        Self { ambient, playlists }
    }

    /// Returns the items among `ids` that the person may see now, in any playlist.
    async fn visible(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
        ids: &[ContentId],
    ) -> Result<Vec<Item>, DbErr> {
        let now = self.ambient.now();
        match viewer_of(read, org, person, now).await? {
            Some(Viewer::Staff) => store::content::by_ids(read, org, ids).await,
            Some(Viewer::User) => {
                let queries = [store::content::open_ids(org, now), self.playlists.open_item_ids(org, now)];
                store::content::selected_by(read, org, ids, queries).await
            }
            Some(Viewer::NonMember) | None => Ok(Vec::new()),
        }
    }

    /// Returns what the person created. Titles that the person may no longer see are null.
    async fn created(&self, read: &DatabaseConnection, person: PersonId) -> Result<Value, DbErr> {
        let created = store::creator::created_by(read, person).await?;
        let mut by_org: BTreeMap<OrgId, Vec<ContentId>> = BTreeMap::new();
        for Created { uid, org, .. } in &created {
            by_org.entry(*org).or_default().push(*uid);
        }
        let mut titles: HashMap<ContentId, String> = HashMap::new();
        for (org, ids) in by_org {
            for ids in ids.chunks(IDS_MAX) {
                let visible = self.visible(read, org, person, ids).await?;
                titles.extend(visible.into_iter().map(|item| (item.uid, item.title)));
            }
        }
        let item = |Created { uid, org, created_at }| json!({ "uid": uid, "orgId": org, "title": titles.get(&uid), "timeCreated": iso(created_at) });
        Ok(created.into_iter().map(item).collect())
    }
}

/// Ids of one query: both engines limit the values of a statement.
const IDS_MAX: usize = 500;

#[async_trait::async_trait]
impl identity::Erasure for UploaderErasure {
    /// A photo cannot be loaded any more from the commit on; the hourly cleanup removes its bytes.
    async fn erase(&self, tx: &WriteTx, erased: &ErasedPerson) -> Result<(), DbErr> {
        // Keeps a photo that is being uploaded from being added meanwhile.
        tx.lock(erased.person).await?;
        for image in store::image::photos_of(tx, erased.person).await? {
            let keys = image.keys()?.unwrap_or_default();
            store::image::remove_all(tx, &[image.name.as_str()]).await?;
            for key in keys {
                store::object::set_unreferenced(tx, key.as_str(), self.ambient.now()).await?;
            }
        }
        store::image::hand_over(tx, erased.person, erased.stand_in).await?;
        store::upload::hand_over(tx, erased.person, erased.stand_in).await?;
        store::creator::hand_over(tx, erased.person, erased.stand_in).await
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        Ok(vec![("createdContent", self.created(read, person).await?)])
    }

    async fn titles(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
        ids: &[Uid],
    ) -> Result<Vec<Value>, DbErr> {
        let ids: Vec<ContentId> = ids.iter().copied().map(Into::into).collect();
        let items = self.visible(read, org, person, &ids).await?;
        let title = |item: Item| json!({ "uid": item.uid, "title": item.title, "kind": item.kind });
        Ok(items.into_iter().map(title).collect())
    }
}
