//! Receives and publishes a public image. It has at most 5 MB, so it can be held in memory while it is
//! decoded.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures::StreamExt as _;
use http::HeaderMap;
use kernel::{OrgId, PersonId};
use media::{ImageError, ReencodedImage, Target as ImageTarget};
use parking_lot::Mutex;
use storage::Key;

use super::receive::{StagedFile, receive};
use crate::error::ImageDecodeError;
use crate::images::image_key;
use crate::store::image::NewImage;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::upload::{ReceivedFile, Upload};
use crate::upload::error::UploadError;
use crate::upload::publish::set_available;
use crate::upload::reject::proves_unreferenced;
use crate::upload_slots::UploadPermit;
use crate::{Content, Error, store};

/// Maximum pixels along the longer side of a stored image.
const SIDE: u32 = 2_560;
/// Widths of the smaller versions: of photos of people, and of the logos, wallpapers and thumbnails of organisations.
/// Screens show them at these widths or at half of them.
const PHOTO_WIDTHS: [u32; 2] = [96, 192];
const ORGANISATION_WIDTHS: [u32; 7] = [192, 400, 512, 720, 800, 1_440, 1_600];
/// Time limit for waiting for other images of the same person plus decoding.
const PATIENCE: Duration = Duration::from_secs(150);

/// Receives the image, re-encodes it and publishes it.
pub async fn ingest(
    content: &Content,
    upload: &Upload,
    name: &str,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
) -> Result<(), UploadError> {
    let key = image_key(name, None).ok_or(Error::NoUpload)?;
    let copy = Arc::new(Mutex::new(Vec::new()));
    let tee = Arc::clone(&copy);
    // `receive` stops at the announced length, which is at most 5 MB.
    let stream = body.into_data_stream().inspect(move |frame| {
        if let Ok(frame) = frame {
            tee.lock().extend_from_slice(frame);
        }
    });
    let StagedFile { staged, verified } = receive(content, upload, &key, headers, stream, permit).await?;
    // The original bytes are not stored, only the re-encoded image.
    drop(staged);
    let received = verified.received();
    if verified.kind() != media::Kind::Image {
        return Err(UploadError::after(Error::NotAnImage, received));
    }
    let bytes = std::mem::take(&mut *copy.lock());
    let published = store_and_publish(content, upload, name, received, bytes).await;
    published.map_err(|error| UploadError::after(error, received))
}

/// Re-encodes the image, stores it and its smaller versions, and publishes them.
async fn store_and_publish(
    content: &Content,
    upload: &Upload,
    name: &str,
    received: ReceivedFile,
    bytes: Vec<u8>,
) -> Result<(), Error> {
    let widths = if upload.org.is_some() { &ORGANISATION_WIDTHS[..] } else { &PHOTO_WIDTHS };
    let image = reencode(content, upload.person, bytes, widths).await?;
    let widths: Vec<u32> = image.smaller.iter().map(|smaller| smaller.width).collect();
    let smaller = image.smaller.into_iter().map(|smaller| (Some(smaller.width), smaller.bytes));
    let mut files = Vec::new();
    for (width, bytes) in smaller.chain([(None, image.bytes)]) {
        files.push((image_key(name, width).ok_or(Error::NoUpload)?, bytes));
    }
    let objects = files.iter().map(|(key, bytes)| StoredObject {
        path: key.as_str().to_owned(),
        org: upload.org,
        content: None,
        upload: Some(upload.uid),
        kind: ObjectKind::Image,
        bytes: bytes.len() as u64,
    });
    content.record_objects(objects.collect()).await?;
    let mut keys = Vec::new();
    for (key, bytes) in files {
        content.storage.put(&key, bytes.into()).await?;
        keys.push(key);
    }
    let (org, person, media_type, now) = (upload.org, upload.person, image.media_type, content.ambient.now());
    let new = NewImage { name, org, person, media_type, widths: &widths, now };
    let published = publish(content, upload, new, &keys, received).await;
    if published.as_ref().is_err_and(proves_unreferenced) {
        content.erase_all(&keys).await?;
    }
    published
}

/// Decodes the image in a separate process, after other images of the same person.
async fn reencode(
    content: &Content,
    person: PersonId,
    bytes: Vec<u8>,
    widths: &[u32],
) -> Result<ReencodedImage, Error> {
    let reencoded = tokio::time::timeout(PATIENCE, async {
        let _permit = content.decode_permits.acquire(person).await;
        let folder = content.media.folder().await?;
        let path = folder.path().join("image");
        tokio::fs::write(&path, bytes).await?;
        content.media.reencode_image(&path, ImageTarget::Fit(SIDE), widths).await
    });
    let error = match reencoded.await {
        Ok(Ok(image)) => return Ok(image),
        Ok(Err(error)) => error,
        Err(_) => return Err(Error::ImageBusy),
    };
    tracing::info!(%error, "an image was rejected");
    Err(match error {
        ImageError::TooManyPixels => Error::Image(ImageDecodeError::TooManyPixels),
        ImageError::LargeProfile => Error::Image(ImageDecodeError::LargeProfile),
        ImageError::TooCostly => Error::Image(ImageDecodeError::TooCostly),
        ImageError::Undecodable(_) => Error::NotAnImage,
        ImageError::Machine(error) => Error::Storage(error.into()),
    })
}

async fn publish(
    content: &Content,
    upload: &Upload,
    new: NewImage<'_>,
    keys: &[Key],
    received: ReceivedFile,
) -> Result<(), Error> {
    let tx = content.db.write_tx_on(upload.org.map_or(upload.person.uid(), OrgId::uid)).await?;
    set_available(content, &tx, upload, received).await?;
    store::object::set_all_referenced(&tx, keys).await?;
    store::image::insert(&tx, new).await?;
    Ok(tx.commit().await?)
}
