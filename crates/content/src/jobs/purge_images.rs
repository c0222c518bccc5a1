//! The daily cleanup of public images that are no longer in use.

use std::collections::{BTreeMap, HashSet};

use jobs::JobError;
use kernel::{DAY, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use crate::images::PATH_PREFIX;
use crate::store::image::Image;
use crate::{Content, store};

/// Images looked up in one query.
const CHUNK: u64 = 200;
/// Images of one owner removed in one transaction.
const BATCH: usize = 50;

/// Removes images older than a day that no organisation, person, playlist or item uses.
pub async fn run(content: Content) -> Result<(), JobError> {
    let mut after = String::new();
    while let Some(unused) = next_unused(&content, &mut after).await? {
        let mut by_owner: BTreeMap<Uid, Vec<Image>> = BTreeMap::new();
        for image in unused {
            by_owner.entry(image.owner()).or_default().push(image);
        }
        for (owner, images) in &by_owner {
            for batch in images.chunks(BATCH) {
                remove_unused(&content, *owner, batch).await?;
            }
        }
    }
    Ok(())
}

/// Returns whether there is an image older than a day that nothing uses.
pub async fn has_work(content: Content) -> Result<bool, DbErr> {
    let mut after = String::new();
    while let Some(unused) = next_unused(&content, &mut after).await? {
        if !unused.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the unused ones among the images older than a day in the page behind `after`, and moves `after` to its
/// end; `None` if the page is empty.
async fn next_unused(content: &Content, after: &mut String) -> Result<Option<Vec<Image>>, DbErr> {
    let (conn, before) = (content.db.read(), content.ambient.now() - DAY);
    let mut page = store::image::page(conn, before, after, CHUNK).await?;
    let Some(last) = page.last() else { return Ok(None) };
    after.clone_from(&last.name);
    let paths: Vec<String> = page.iter().map(image_path).collect();
    let in_use = content.images_in_use(conn, &paths).await?;
    page.retain(|image| !in_use.contains(&image_path(image)));
    Ok(Some(page))
}

fn image_path(image: &Image) -> String {
    format!("{PATH_PREFIX}{}", image.name)
}

impl Content {
    /// Returns which of these image paths an organisation, a person, a playlist or an item uses.
    pub async fn images_in_use(
        &self,
        conn: &impl ConnectionTrait,
        paths: &[String],
    ) -> Result<HashSet<String>, DbErr> {
        let mut in_use: HashSet<String> = self.orgs.images_in_use(conn, paths).await?.into_iter().collect();
        for row in conn.query_all(&self.playlists.previews_among(paths)).await? {
            in_use.insert(row.try_get_by_index(0)?);
        }
        in_use.extend(store::content::previews_among(conn, paths).await?);
        Ok(in_use)
    }
}

/// Removes those images of an owner that are still unused in a transaction that excludes everyone who could start to
/// use them.
async fn remove_unused(content: &Content, owner: Uid, images: &[Image]) -> Result<(), JobError> {
    let tx = content.db.write_tx_on(owner).await?;
    let paths: Vec<String> = images.iter().map(image_path).collect();
    let in_use = content.images_in_use(&tx, &paths).await?;
    let (mut names, mut keys) = (Vec::new(), Vec::new());
    for image in images.iter().filter(|image| !in_use.contains(&image_path(image))) {
        // What cannot be read was logged, and must not keep other images from being removed.
        if let Ok(of_image) = image.keys() {
            names.push(image.name.as_str());
            keys.extend(of_image.unwrap_or_default());
        }
    }
    store::image::remove_all(&tx, &names).await?;
    // If the process dies before the bytes are removed, the hourly cleanup does it.
    store::object::set_all_unreferenced(&tx, &keys, content.ambient.now()).await?;
    tx.commit().await?;
    Ok(content.erase_all(&keys).await?)
}
