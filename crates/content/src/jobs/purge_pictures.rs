//! The daily cleanup of public images that are no longer in use.

use std::collections::HashSet;

use db::WriteTx;
use jobs::Failure;
use kernel::DAY;
use sea_orm::DbErr;

use crate::ops::image_key;
use crate::pictures::FOLDER;
use crate::store::image::Picture;
use crate::{Content, store};

/// Images checked in one transaction.
const CHUNK: u64 = 200;

/// Removes images older than a day that no organisation, person, playlist or item uses.
pub async fn run(room: Content) -> Result<(), Failure> {
    let before = room.ambient.now() - DAY;
    let mut after = String::new();
    loop {
        let page = store::image::page(room.db.read(), before, &after, CHUNK).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.name);
        let tx = room.db.write_tx().await?;
        let shown = shown(&room, &tx, &page).await?;
        drop(tx);
        for picture in page.iter().filter(|picture| !shown.contains(&path(picture))) {
            remove(&room, picture).await?;
        }
    }
}

fn path(picture: &Picture) -> String {
    format!("{FOLDER}{}", picture.name)
}

/// Returns the paths of the images that are in use.
async fn shown(room: &Content, tx: &WriteTx, pictures: &[Picture]) -> Result<HashSet<String>, DbErr> {
    let paths: Vec<String> = pictures.iter().map(path).collect();
    let mut shown: HashSet<String> = room.orgs.pictures_among(tx, &paths).await?.into_iter().collect();
    shown.extend(room.shelves.previews_among(tx, &paths).await?);
    shown.extend(store::content::previews_among(tx, &paths).await?);
    Ok(shown)
}

/// Removes an image after checking again, in a transaction that excludes everyone who could start to use it.
async fn remove(room: &Content, picture: &Picture) -> Result<(), Failure> {
    let tx = room.db.write_tx_on(picture.org.unwrap_or(picture.person)).await?;
    if shown(room, &tx, std::slice::from_ref(picture)).await?.is_empty() {
        // Bytes first: if the process dies in between, they are removed again, which does no harm.
        if let Some(key) = image_key(&picture.name) {
            room.storage.delete(&key).await?;
            store::object::remove(&tx, key.as_str()).await?;
        }
        store::image::remove(&tx, &picture.name).await?;
        tx.commit().await?;
    }
    Ok(())
}
