//! `POST /uploads/tus`: creates a resumable upload for an announced file.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use httpkit::Reply;
use kernel::{Problem, Uid};
use storage::Progress;

use super::feed::{self, Kept, Sent};
use super::metadata::Metadata;
use super::{Found, PIECE_TYPE, UPLOAD_LENGTH, Wrong, address, number, tell};
use crate::ops::create_content::check_quota;
use crate::ops::ingest_file::{arrival, awaited, check_right, end};
use crate::places::Cleared;
use crate::release::forget;
use crate::store::resumable::Resumable;
use crate::store::upload::{Came, Target, Upload};
use crate::{Content, Error, store};

const UPLOAD_DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");

/// Create a resumable upload
///
/// Starts an announced file from its first byte; an earlier resumable upload for the same address is
/// discarded. The ingest address authorises the request, as base64 under the key `ingest` in Upload-Metadata.
/// Upload-Length must be the declared size. The request may contain the first chunk.
#[utoipa::path(post, path = "/uploads/tus", tag = "content",
    request_body(content = String, content_type = "application/offset+octet-stream", description = "Nothing, or the first chunk."),
    responses(
    (status = 201, description = "Location, Upload-Expires, and Upload-Offset if the request contained a chunk"),
    (status = 400, body = Problem), (status = 402, body = Problem), (status = 403, body = Problem),
    (status = 409, body = Problem), (status = 412, body = Problem), (status = 413, body = Problem),
    (status = 423, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn begin_resumable(State(room): State<Content>, headers: HeaderMap, body: Body) -> Reply<Response> {
    let found = begin(&room, &headers).await?;
    let location = address(&room, found.resumable.uid);
    let mut response = StatusCode::CREATED.into_response();
    if headers.get(CONTENT_TYPE).is_some_and(|value| value == PIECE_TYPE) {
        let sent = Sent::read(&headers, 0, body).map_err(Error::from)?;
        let kept = first_piece(&room, found, sent).await?;
        tell(response.headers_mut(), kept.offset, kept.expires_at);
    } else {
        tell(response.headers_mut(), 0, found.resumable.expires_at);
        response.headers_mut().remove(super::UPLOAD_OFFSET);
    }
    let location = HeaderValue::from_str(&location).map_err(|error| httpkit::unexpected(&error))?;
    response.headers_mut().insert(LOCATION, location);
    Ok(response)
}

async fn begin(room: &Content, headers: &HeaderMap) -> Result<Found, Error> {
    if headers.contains_key(UPLOAD_DEFER_LENGTH) {
        return Err(Wrong::Header(UPLOAD_DEFER_LENGTH).into());
    }
    let length = number(headers, &UPLOAD_LENGTH)?;
    let metadata = Metadata::read(headers)?;
    let upload = awaited(room, &metadata.token).await?;
    let Target::Content(content) = upload.target else { return Err(Wrong::Picture.into()) };
    if length > room.settings.file_max_bytes {
        return Err(Error::FileTooLarge);
    }
    if length == 0 || upload.file.size.is_some_and(|announced| announced != length) {
        return Err(Wrong::Length.into());
    }
    if let Err(error) = check_right(room, room.db.read(), &upload).await {
        end(room, upload.uid, &error, &Came::default()).await?;
        return Err(error);
    }
    room.storage.check_space(length)?;
    // A sender that starts again has given up on the earlier request.
    if room.places.clear(upload.uid).await == Cleared::Stayed {
        return Err(Wrong::Locked.into());
    }
    let resumable = Resumable {
        uid: room.ambient.uid(),
        upload: upload.uid,
        arrived: 0,
        length,
        metadata: metadata.others,
        expires_at: upload.expires_at,
    };
    let progress = Progress::none(&arrival::key(&upload, content)?);
    if let Some((place, progress)) = write(room, &upload, &resumable, &progress).await? {
        forget(room, place, progress).await;
    }
    Ok(Found { resumable, upload })
}

/// Stores the new upload in place of an earlier one for the same file, and returns that one.
async fn write(
    room: &Content,
    upload: &Upload,
    new: &Resumable,
    progress: &Progress,
) -> Result<Option<(Uid, Option<Progress>)>, Error> {
    let org = upload.org.ok_or(Error::NotFound)?;
    let tx = room.db.write_tx_on(org).await?;
    if upload.file.size.is_none() {
        // Announced without a size: its space is reserved from now on.
        check_quota(room, &tx, org, new.length, new.length).await?;
        store::upload::set_size(&tx, upload.uid, new.length).await?;
    }
    let before = store::resumable::of_upload(&tx, upload.uid).await?;
    if let Some((uid, _)) = &before {
        store::resumable::remove(&tx, *uid).await?;
    }
    store::resumable::insert(&tx, new, progress, room.ambient.now()).await?;
    tx.commit().await?;
    Ok(before)
}

/// Receives the chunk of the creation request. If it was interrupted, the response still states the offset,
/// from which the sender continues.
async fn first_piece(room: &Content, found: Found, sent: Sent) -> Result<Kept, Error> {
    let (uid, expires_at) = (found.resumable.uid, found.resumable.expires_at);
    match feed::append(room, found, sent).await {
        Err(Error::BrokenOff(_) | Error::Tus(Wrong::Locked | Wrong::NoPlace(_) | Wrong::Checksum)) => {
            let row = store::resumable::by_uid(room.db.read(), uid).await?;
            Ok(row.map_or(Kept { offset: 0, expires_at }, |row| Kept {
                offset: row.arrived,
                expires_at: row.expires_at,
            }))
        }
        done => done,
    }
}
