//! Receives and publishes a public image. It has at most 5 MB, so it can be held in memory while it is
//! decoded.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use futures::StreamExt as _;
use http::HeaderMap;
use kernel::Uid;
use media::{ImageError, Redrawn, Target as Redraw};
use storage::Key;

use super::{Verified, finish, receive, unnamed};
use crate::error::ImageFault;
use crate::places::Place;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::{Came, Upload};
use crate::{Content, Error, store};

/// Maximum pixels along the longer side of a stored image.
const SIDE: u32 = 2_560;
/// Time limit for waiting for other images of the same person plus decoding.
const PATIENCE: Duration = Duration::from_secs(150);

/// Receives the image, re-encodes it and publishes it.
pub async fn take(
    room: &Content,
    upload: &Upload,
    name: &str,
    headers: &HeaderMap,
    body: Body,
    place: &Place,
    came: &mut Came,
) -> Result<(), Error> {
    let key = image_key(name).ok_or(Error::NoUpload)?;
    let copy = Arc::new(Mutex::new(Vec::new()));
    let tee = Arc::clone(&copy);
    // `receive` stops at the announced length, which is at most 5 MB.
    let stream = body.into_data_stream().inspect(move |frame| {
        if let Ok(frame) = frame {
            tee.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(frame);
        }
    });
    let Verified { staged, sniffed, .. } = receive(room, upload, &key, headers, stream, place, came).await?;
    // The original bytes are not stored, only the re-encoded image.
    drop(staged);
    if sniffed.kind != media::Kind::Image {
        return Err(Error::NotAnImage);
    }
    let bytes = std::mem::take(&mut *copy.lock().unwrap_or_else(PoisonError::into_inner));
    let redrawn = draw(room, upload.person, bytes).await?;
    let (path, bytes) = (key.as_str().to_owned(), redrawn.bytes.len() as u64);
    let (org, kind) = (upload.org, ObjectKind::Image);
    room.intend(StoredObject { path, org, content: None, upload: Some(upload.uid), kind, bytes }).await?;
    room.storage.put(&key, redrawn.bytes.into()).await?;
    let published = publish(room, upload, name, &key, redrawn.media_type, came).await;
    if published.as_ref().is_err_and(unnamed) {
        room.erase(&key).await?;
    }
    published
}

/// Returns the storage key of the image with this name.
pub fn image_key(name: &str) -> Option<Key> {
    u128::from_str_radix(name, 16).ok().map(|random| Key::image(random.to_be_bytes()))
}

/// Decodes the image in a separate process, after other images of the same person.
async fn draw(room: &Content, person: Uid, bytes: Vec<u8>) -> Result<Redrawn, Error> {
    let drawn = tokio::time::timeout(PATIENCE, async {
        let _turn = room.image_turns.take(person).await;
        let folder = room.media.folder().await?;
        let path = folder.path().join("image");
        tokio::fs::write(&path, bytes).await?;
        room.media.redraw(&path, Redraw::Fit(SIDE)).await
    });
    let error = match drawn.await {
        Ok(Ok(redrawn)) => return Ok(redrawn),
        Ok(Err(error)) => error,
        Err(_) => return Err(Error::ImageBusy),
    };
    tracing::info!(%error, "an image was rejected");
    Err(match error {
        ImageError::TooManyPixels => Error::Image(ImageFault::TooManyPixels),
        ImageError::LargeProfile => Error::Image(ImageFault::LargeProfile),
        ImageError::TooCostly => Error::Image(ImageFault::TooCostly),
        ImageError::Undecodable(_) => Error::NotAnImage,
        ImageError::Machine(error) => Error::Storage(error.into()),
    })
}

async fn publish(
    room: &Content,
    upload: &Upload,
    name: &str,
    key: &Key,
    media_type: &str,
    came: &Came,
) -> Result<(), Error> {
    let now = room.ambient.now();
    let tx = room.db.write_tx_on(upload.org.unwrap_or(upload.person)).await?;
    finish(room, &tx, upload, came).await?;
    store::object::set_named(&tx, key.as_str()).await?;
    store::image::insert(&tx, name, upload.org, upload.person, media_type, now).await?;
    Ok(tx.commit().await?)
}
