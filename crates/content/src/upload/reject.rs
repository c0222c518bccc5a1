//! Ends uploads as rejected.

use kernel::Uid;

use crate::store::upload::ReceivedFile;
use crate::upload::release;
use crate::{Content, Error, store};

/// Returns whether this error proves that no row refers to the bytes. After a lost connection to the database
/// this is unknown, and if another request with the same bytes was faster, they are being served.
pub fn proves_unreferenced(error: &Error) -> bool {
    error.reject_reason().is_some() || matches!(error, Error::IngestRejected)
}

/// Rejects the upload if this error ends it, and frees what it holds.
pub async fn reject_and_free(
    content: &Content,
    uid: Uid,
    error: &Error,
    received_file: &ReceivedFile,
) -> Result<(), Error> {
    if reject(content, uid, error, received_file).await? {
        release::free_staged(content, uid).await;
    }
    Ok(())
}

/// Rejects the upload if this error ends it, and returns whether it does. The caller removes what was
/// received.
pub async fn reject(
    content: &Content,
    uid: Uid,
    error: &Error,
    received_file: &ReceivedFile,
) -> Result<bool, Error> {
    let Some(reason) = error.reject_reason() else { return Ok(false) };
    let (tx, now) = (content.db.write_tx().await?, content.ambient.now());
    let received_file = Some(received_file).filter(|received_file| received_file.size > 0);
    store::upload::reject(&tx, uid, reason, received_file, now).await?;
    tx.commit().await?;
    Ok(true)
}
