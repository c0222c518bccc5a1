//! Ingest addresses: the only credential for sending the file of an upload, for as long as it is pending and
//! its creator has the right.

use kernel::UploadId;
use orgs::rights::EditContent;
use sea_orm::ConnectionTrait;

use crate::model::UploadStatus;
use crate::store::upload::Upload;
use crate::{Content, Error, store};

/// Signing purpose of ingest addresses.
const PURPOSE: &str = "ingest";

/// Returns the signed address to which the file of an upload is sent.
pub fn ingest_address(content: &Content, upload: UploadId) -> String {
    content.public.at(&format!("/v1/ingest/{}", content.signer.sign(PURPOSE, upload.as_bytes())))
}

/// Returns the upload of an ingest address, if it is still pending.
pub async fn pending_upload(content: &Content, token: &str) -> Result<Upload, Error> {
    let uid = content.signer.verify(PURPOSE, token).and_then(|bytes| UploadId::from_slice(&bytes).ok());
    still_pending(content, uid.ok_or(Error::IngestExpired)?).await
}

/// Returns the upload, if it is still pending.
pub async fn still_pending(content: &Content, uid: UploadId) -> Result<Upload, Error> {
    let upload = store::upload::by_uid(content.db.read(), uid).await?.ok_or(Error::IngestExpired)?;
    match upload.status {
        UploadStatus::Available => Err(Error::IngestUsed),
        UploadStatus::Rejected => Err(Error::IngestRejected),
        UploadStatus::Pending if content.ambient.now() >= upload.expires_at => Err(Error::IngestExpired),
        UploadStatus::Pending => Ok(upload),
    }
}

/// Checks that the person who began an upload may still finish it: an organisation's file needs the right at
/// the end as well as at the beginning.
pub async fn check_right(
    content: &Content,
    conn: &impl ConnectionTrait,
    upload: &Upload,
) -> Result<(), Error> {
    match upload.org {
        Some(org) if !content.orgs.may::<EditContent>(conn, org, upload.person).await? => {
            Err(Error::RightWithdrawn)
        }
        _ => Ok(()),
    }
}
