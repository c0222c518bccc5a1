//! `PUT /ingest/{token}`: the raw bytes of an announced file.
//!
//! The address is the only credential. Bytes are counted, hashed and sniffed while they stream to the disk. A
//! complete request that differs from what was announced ends the upload; an interrupted one leaves it
//! pending for another attempt.

mod content_file;
mod image;
mod receive;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use http::HeaderMap;
use httpkit::{ApiResult, Path};
use kernel::Problem;
use tracing::Instrument as _;

use self::receive::check_headers;
use crate::dto::UploadOut;
use crate::model::UploadStatus;
use crate::store::upload::{Target, Upload};
use crate::upload::address::{check_right, pending_upload, still_pending};
use crate::upload::error::UploadError;
use crate::upload::reject::reject_and_free;
use crate::upload_slots::{RETRY_SECONDS, UploadPermit};
use crate::{Content, Error};

/// Upload an announced file
///
/// Responds once the bytes are stored, verified and available. If the file was uploaded before, the response
/// is 409 `already_available`. A request that is still sending this file ends when a new one begins.
#[utoipa::path(put, path = "/ingest/{token}", tag = "content", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/octet-stream", description = "The raw bytes."),
    responses(
    (status = 200, body = UploadOut), (status = 400, body = Problem), (status = 402, body = Problem),
    (status = 403, body = Problem), (status = 408, body = Problem), (status = 409, body = Problem), (status = 413, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn ingest_file(
    State(content): State<Content>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<UploadOut>> {
    let mut upload = pending_upload(&content, &token).await?;
    // A sender that starts again has given up on the earlier request, whose broken connection may not be
    // noticed yet.
    if content.upload_slots.is_receiving(upload.uid) {
        // A request that cannot be this file must not end one that may be.
        check_headers(&content, &upload, &headers)?;
        content.upload_slots.preempt(upload.uid).await;
        upload = pending_upload(&content, &token).await?;
    }
    let permit = content.upload_slots.acquire_preemptible(upload.uid, upload.person, upload.org);
    let permit = permit.map_err(|_| Problem::too_many(RETRY_SECONDS))?;
    let task = {
        let content = content.clone();
        async move { ingest(&content, upload, &headers, body, &permit).await }
    };
    // When the client disconnects, the request is dropped; a file that was received completely is published
    // anyway.
    let done = tokio::spawn(task.in_current_span()).await;
    let done = done.unwrap_or_else(|error| Err(Error::Storage(error.into())))?;
    Ok(Json(UploadOut::of(&done, &content)))
}

async fn ingest(
    content: &Content,
    upload: Upload,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
) -> Result<Upload, Error> {
    match ingest_target(content, &upload, headers, body, permit).await {
        Ok(()) => Ok(Upload { status: UploadStatus::Available, ..upload }),
        // It may have been asked to yield because the upload was cancelled.
        Err(UploadError { error: error @ Error::BrokenOff(_), .. }) => {
            Err(still_pending(content, upload.uid).await.err().unwrap_or(error))
        }
        Err(failure) => Err(reject_and_free(content, upload.uid, failure).await),
    }
}

async fn ingest_target(
    content: &Content,
    upload: &Upload,
    headers: &HeaderMap,
    body: Body,
    permit: &UploadPermit,
) -> Result<(), UploadError> {
    // Checked again at the end, but someone without the right should not have to send gigabytes to find out.
    check_right(content, content.db.read(), upload).await?;
    match &upload.target {
        Target::Content(uid) => content_file::ingest(content, upload, *uid, headers, body, permit).await,
        Target::Image(name) => image::ingest(content, upload, name, headers, body, permit).await,
    }
}
