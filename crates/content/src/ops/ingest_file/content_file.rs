//! Receives and publishes the file of a content item.

use axum::body::Body;
use http::HeaderMap;
use kernel::ContentId;

use super::receive::{StagedFile, expected_length, receive};
use crate::quota::check_quota;
use crate::store::upload::Upload;
use crate::upload::error::UploadError;
use crate::upload::publish::{source_key, store_and_publish};
use crate::upload::release;
use crate::upload_slots::UploadPermit;
use crate::{Content, Error, store};

/// Receives the file and publishes it.
pub async fn ingest(
    content: &Content,
    upload: &Upload,
    id: ContentId,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
) -> Result<(), UploadError> {
    let key = source_key(upload, id)?;
    if upload.file.size.is_none() {
        // Announced without a size: the length of the request is reserved before any byte is read.
        reserve(content, upload, expected_length(content, upload, headers)?).await?;
    }
    let StagedFile { staged, verified } =
        receive(content, upload, &key, headers, body.into_data_stream(), permit).await?;
    let commit = async { staged.commit().await.map(drop).map_err(Error::from) };
    store_and_publish(content, upload, id, verified, commit).await?;
    // Bytes of an earlier resumable attempt.
    release::free_staged(content, upload.uid).await;
    Ok(())
}

/// Reserves the plan's space for a file that was announced without a size.
async fn reserve(content: &Content, upload: &Upload, size: u64) -> Result<(), Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let tx = content.db.write_tx_on(org).await?;
    check_quota(content, &tx, org, size, size).await?;
    store::upload::set_size(&tx, upload.uid, size).await?;
    Ok(tx.commit().await?)
}
