//! Receives and publishes the file of a content item.

use axum::body::Body;
use http::HeaderMap;
use kernel::Uid;

use super::{VerifiedFile, announced_length, receive};
use crate::quota::check_quota;
use crate::store::upload::{ReceivedFile, Upload};
use crate::upload::publish::{StoredFile, publish_source, record_source, source_key};
use crate::upload::release;
use crate::upload_slots::UploadPermit;
use crate::{Content, Error, store};

/// Receives the file and publishes it.
pub async fn ingest(
    content: &Content,
    upload: &Upload,
    id: Uid,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
    received_file: &mut ReceivedFile,
) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let key = source_key(upload, id)?;
    if upload.file.size.is_none() {
        // Announced without a size: the length of the request is reserved before any byte is read.
        let size = announced_length(content, upload, headers)?;
        let tx = content.db.write_tx_on(org).await?;
        check_quota(content, &tx, org, size, size).await?;
        store::upload::set_size(&tx, upload.uid, size).await?;
        tx.commit().await?;
    }
    let VerifiedFile { staged, mime, sniffed } =
        receive(content, upload, &key, headers, body.into_data_stream(), permit, received_file).await?;
    record_source(content, upload, id, staged.received().len).await?;
    // Stored under a key that no row refers to yet; a crash from here on costs only another attempt.
    let received = staged.commit().await?;
    publish_source(content, upload, id, StoredFile { received, mime, sniffed }, received_file).await?;
    // Bytes of an earlier resumable attempt.
    release::free_staged(content, upload.uid).await;
    Ok(())
}
