//! Cancels the unfinished uploads of an organisation that was deleted.

use jobs::{Job, JobError};
use kernel::{Millis, OrgId, UploadId};
use serde::{Deserialize, Serialize};

use crate::upload::release;
use crate::{Content, Error, store};

/// Uploads read in one query.
const PAGE: u64 = 100;

/// The organisation whose uploads to cancel.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelUploads {
    pub org: OrgId,
}

impl Job for CancelUploads {
    const KIND: &'static str = "content_cancel_uploads";
    const RETRY_FOR: Option<Millis> = None;
}

/// Cancels the uploads, unless the organisation was restored.
pub async fn run(content: Content, job: CancelUploads) -> Result<(), JobError> {
    let mut after = UploadId::nil();
    while !content.orgs.exists(content.db.read(), job.org).await? {
        let page = store::purge::pending_uploads(content.db.read(), job.org, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = *last;
        for upload in page {
            match release::cancel(&content, upload).await {
                // It ended meanwhile.
                Ok(()) | Err(Error::IngestUsed | Error::NoUpload) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}
