//! The daily cleanup of public images that are no longer in use.

use std::collections::HashSet;

use jobs::JobError;
use kernel::{DAY, OrgId};
use sea_orm::{ConnectionTrait, DbErr};

use crate::images::PATH_PREFIX;
use crate::store::image::Image;
use crate::{Content, store};

/// Images checked in one transaction.
const CHUNK: u64 = 200;

/// Removes images older than a day that no organisation, person, playlist or item uses.
pub async fn run(content: Content) -> Result<(), JobError> {
    let mut after = String::new();
    while let Some(unused) = next_unused(&content, &mut after).await? {
        for image in &unused {
            remove_if_unused(&content, image).await?;
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

/// Removes an image after checking again, in a transaction that excludes everyone who could start to use it.
async fn remove_if_unused(content: &Content, image: &Image) -> Result<(), JobError> {
    // What cannot be read was logged, and must not keep other images from being removed.
    let Ok(keys) = image.keys() else { return Ok(()) };
    let keys = keys.unwrap_or_default();
    let tx = content.db.write_tx_on(image.org.map_or(image.person.uid(), OrgId::uid)).await?;
    if !content.images_in_use(&tx, &[image_path(image)]).await?.is_empty() {
        return Ok(());
    }
    store::image::remove(&tx, &image.name).await?;
    for key in &keys {
        // If the process dies before the bytes are removed, the hourly cleanup does it.
        store::object::set_unreferenced(&tx, key.as_str(), content.ambient.now()).await?;
    }
    tx.commit().await?;
    for key in &keys {
        content.erase(key).await?;
    }
    Ok(())
}
