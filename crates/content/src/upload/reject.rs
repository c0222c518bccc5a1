//! Ends uploads as rejected, and translates between errors and the stored rejection reasons.

use httpkit::ApiError;
use kernel::Uid;

use crate::error::{ImageDecodeError, MismatchError};
use crate::model::UploadStatus;
use crate::store::upload::ReceivedFile;
use crate::upload::release;
use crate::{Content, Error, store};

/// Returns the rejection reason if this error ends the upload; `None` if the same file may be sent again.
fn reject_reason(error: &Error) -> Option<&'static str> {
    match error {
        Error::Mismatch(mismatch) => Some(mismatch.code()),
        Error::TooManyBytes => Some("too_many_bytes"),
        Error::FileTooLarge => Some("file_too_large"),
        Error::QuotaExceeded => Some("quota_exceeded"),
        Error::NotAnImage => Some("not_an_image"),
        Error::Image(error) => Some(error.code()),
        Error::NotFound => Some(release::CONTENT_DELETED),
        Error::RightWithdrawn => Some("right_withdrawn"),
        _ => None,
    }
}

/// Returns the sentence for a stored rejection reason.
pub fn reject_message(reason: &str) -> Option<String> {
    let error = match reason {
        "length_mismatch" => Error::Mismatch(MismatchError::Length),
        "type_mismatch" => Error::Mismatch(MismatchError::Type),
        "checksum_mismatch" => Error::Mismatch(MismatchError::Checksum),
        "content_mismatch" => Error::Mismatch(MismatchError::Content),
        "too_many_bytes" => Error::TooManyBytes,
        "file_too_large" => Error::FileTooLarge,
        "quota_exceeded" => Error::QuotaExceeded,
        "not_an_image" => Error::NotAnImage,
        "image_too_many_pixels" => Error::Image(ImageDecodeError::TooManyPixels),
        "image_profile_too_large" => Error::Image(ImageDecodeError::LargeProfile),
        "image_too_complex" => Error::Image(ImageDecodeError::TooCostly),
        "right_withdrawn" => Error::RightWithdrawn,
        release::CONTENT_DELETED => return Some("The content was deleted during the upload.".to_owned()),
        release::ABANDONED => return Some("The upload was not finished in time.".to_owned()),
        release::CANCELLED => return Some("The upload was cancelled.".to_owned()),
        _ => return None,
    };
    Some(ApiError::from(error).0.message.into_owned())
}

/// Returns whether this error proves that no row refers to the bytes. After a lost connection to the database
/// this is unknown, and if another request with the same bytes was faster, they are being served.
pub fn proves_unreferenced(error: &Error) -> bool {
    reject_reason(error).is_some() || matches!(error, Error::IngestRejected)
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
    let Some(reason) = reject_reason(error) else { return Ok(false) };
    let (tx, now) = (content.db.write_tx().await?, content.ambient.now());
    let received_file = Some(received_file).filter(|received_file| received_file.size > 0);
    store::upload::finish(&tx, uid, UploadStatus::Rejected, Some(reason), received_file, now).await?;
    tx.commit().await?;
    Ok(true)
}
