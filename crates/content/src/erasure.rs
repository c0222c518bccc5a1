//! Erases a person from uploads, items and images. The photo goes; what was made for an organisation stays.

use db::WriteTx;
use identity::ErasedPerson;
use kernel::{Ambient, ContentId, OrgId, PersonId, Privacy, Uid};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::item::Item;
use crate::model::Origin;
use crate::store;

/// Who made and uploaded what.
pub struct UploaderErasure {
    ambient: Ambient,
}

impl UploaderErasure {
    /// Creates it from the source of time.
    pub fn new(ambient: Ambient) -> Self {
        Self { ambient }
    }
}

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
        Ok(vec![("createdContent", store::creator::export(read, person).await?)])
    }

    async fn titles(&self, read: &DatabaseConnection, org: OrgId, ids: &[Uid]) -> Result<Vec<Value>, DbErr> {
        let ids: Vec<ContentId> = ids.iter().copied().map(Into::into).collect();
        let items = store::content::by_ids(read, org, &ids).await?;
        let title = |item: Item| json!({ "uid": item.uid, "title": item.title, "kind": item.kind });
        Ok(items.into_iter().filter(is_shown).map(title).collect())
    }
}

/// Returns whether app users may see an item, on the days it is open.
fn is_shown(item: &Item) -> bool {
    item.origin != Origin::Draft && item.privacy != Privacy::Private
}
