//! Ends uploads as rejected.

use kernel::UploadId;

use crate::upload::error::UploadError;
use crate::upload::release;
use crate::{Content, Error, store};

/// Returns whether this error proves that no row refers to the bytes. After a lost connection to the database
/// this is unknown, and if another request with the same bytes was faster, they are being served.
pub fn proves_unreferenced(error: &Error) -> bool {
    error.reject_reason().is_some() || matches!(error, Error::IngestRejected)
}

/// Rejects the upload if this error ends it, frees what it holds, and returns the error to report.
pub async fn reject_and_free(content: &Content, uid: UploadId, failure: UploadError) -> Error {
    match reject(content, uid, &failure).await {
        Ok(false) => failure.error,
        Ok(true) => {
            release::free_staged(content, uid).await;
            failure.error
        }
        Err(worse) => worse,
    }
}

/// Rejects the upload if this error ends it, and returns whether it does. The caller removes what was
/// received.
pub async fn reject(content: &Content, uid: UploadId, failure: &UploadError) -> Result<bool, Error> {
    let Some(reason) = failure.error.reject_reason() else { return Ok(false) };
    let (tx, now) = (content.db.write_tx().await?, content.ambient.now());
    store::upload::reject(&tx, uid, reason, *failure.received, now).await?;
    tx.commit().await?;
    metrics::counter!("vitrine_uploads_total", "outcome" => reason.as_str()).increment(1);
    Ok(true)
}
