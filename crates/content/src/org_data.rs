//! Ends the uploads of a deleted organisation, and removes its items and files.

use db::WriteTx;
use jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;
use sea_orm::DbErr;
use storage::Key;

use crate::jobs::CancelUploads;
use crate::objects::staged_path;
use crate::store::object::ObjectKind;
use crate::{Content, store};

/// Items, images or objects of a page.
const PAGE: u64 = 100;

#[async_trait::async_trait]
impl OrgData for Content {
    async fn close(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        self.jobs.enqueue(tx, &CancelUploads { org }).await.map(drop)
    }

    /// Bytes go first, as everywhere in this crate: if the process dies in between, they are removed again, which does
    /// no harm.
    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        remove_resumables(self, org).await?;
        remove_items(self, org).await?;
        remove_images(self, org).await?;
        store::purge::remove_uploads(&self.db, org).await?;
        remove_objects(self, org).await
    }
}

/// Removes what was received of resumable uploads.
async fn remove_resumables(content: &Content, org: OrgId) -> Result<(), JobError> {
    loop {
        let page = store::purge::resumables(content.db.read(), org, PAGE).await?;
        if page.is_empty() {
            return Ok(());
        }
        for (uid, progress) in page {
            if let Some(progress) = progress {
                content.storage.discard(uid, &progress).await?;
            }
            let tx = content.db.write_tx_on(org).await?;
            store::resumable::remove(&tx, uid).await?;
            store::object::remove(&tx, &staged_path(uid)).await?;
            tx.commit().await?;
        }
    }
}

/// Removes the items with all their files.
async fn remove_items(content: &Content, org: OrgId) -> Result<(), JobError> {
    loop {
        let page = store::purge::items(content.db.read(), org, PAGE).await?;
        if page.is_empty() {
            return Ok(());
        }
        for item in page {
            content.storage.delete_content(org, item).await?;
            let tx = content.db.write_tx_on(org).await?;
            store::grant::remove_of(&tx, item).await?;
            store::upload::remove_of(&tx, item).await?;
            store::object::remove_of(&tx, item).await?;
            store::purge::remove_item(&tx, org, item).await?;
            tx.commit().await?;
        }
    }
}

async fn remove_images(content: &Content, org: OrgId) -> Result<(), JobError> {
    let mut after = String::new();
    loop {
        let page = store::image::page_of_org(content.db.read(), org, &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.name);
        // Widths that cannot be read were logged; the objects are then removed with those that are left.
        let keys = page.iter().filter_map(|image| image.keys().ok().flatten()).flatten();
        content.erase_all(&keys.collect::<Vec<_>>()).await?;
        let names: Vec<&str> = page.iter().map(|image| image.name.as_str()).collect();
        let tx = content.db.write_tx_on(org).await?;
        store::image::remove_all(&tx, &names).await?;
        tx.commit().await?;
    }
}

/// Removes the objects that are left, such as those of interrupted uploads.
async fn remove_objects(content: &Content, org: OrgId) -> Result<(), JobError> {
    loop {
        let page = store::purge::objects(content.db.read(), org, PAGE).await?;
        if page.is_empty() {
            return Ok(());
        }
        for object in page {
            // The folder of a rendition was removed with its item, and staged bytes with their upload.
            let is_single = !matches!(object.kind, ObjectKind::Staged | ObjectKind::Rendition);
            if let Some(key) = Key::parse(&object.path).filter(|_| is_single) {
                content.storage.delete(&key).await?;
            }
            content.remove_object_record(&object.path).await?;
        }
    }
}
