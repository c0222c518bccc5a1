//! `POST /uploads`: a public image.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{Body, Reply};
use identity::{Bearer, Caller};
use kernel::{DAY, Problem, SECOND, Uid, Uuid};
use orgs::rights::EditContent;
use serde::Deserialize;

use crate::model::{self, Announced, IMAGE_MAX, UploadStatus};
use crate::ops::ingest_file::sentence;
use crate::store::upload::{Target, Upload};
use crate::wire::{FileIn, IngestOut, UploadOut};
use crate::{Content, Error, store};

/// Signing purpose of ingest addresses.
pub const INGEST: &str = "ingest";

/// An image that will be sent, and its organisation.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewUpload {
    file: FileIn,
    /// Absent for the caller's own photo.
    org_id: Option<Uuid>,
}

/// Start an image upload
///
/// The response contains the address to send the image to, and its public path, which works once the upload
/// is complete.
#[utoipa::path(post, path = "/uploads", tag = "content", request_body = NewUpload, responses(
    (status = 201, body = UploadOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 413, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem), (status = 507, body = Problem),
))]
pub async fn create_upload(
    State(room): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Body(new): Body<NewUpload>,
) -> Reply<(StatusCode, Json<UploadOut>)> {
    if let Some(org) = new.org_id {
        room.orgs.enter::<EditContent>(&bearer, org).await.map_err(Error::from)?;
    }
    let file = picture(new.file)?;
    let answer = create(&room, caller.person(), new.org_id, file).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

fn picture(sent: FileIn) -> Result<Announced, Error> {
    let file = sent.parse_whole(IMAGE_MAX).map_err(|error| match error {
        Error::FileTooLarge => Error::ImageTooLarge,
        other => other,
    })?;
    let mime = model::image_type(file.mime.as_deref().unwrap_or_default())?;
    Ok(Announced { mime: Some(mime), ..file })
}

async fn create(room: &Content, person: Uid, org: Option<Uid>, file: Announced) -> Result<UploadOut, Error> {
    let (now, file_size) = (room.ambient.now(), file.size.unwrap_or(0));
    let name = format!("{:032x}", u128::from_be_bytes(room.ambient.bytes()));
    let upload = Upload::expected(room.ambient.uid(), org, person, Target::Image(name), file, now);
    room.storage.check_space(file_size)?;
    let tx = room.db.write_tx_on(person).await?;
    let (announced, first) = store::upload::pictures_since(&tx, person, now - DAY).await?;
    if announced >= room.settings.pictures_per_day {
        let wait = (first.unwrap_or(now) + DAY - now) / SECOND;
        return Err(Error::TooManyPictures(u32::try_from(wait).unwrap_or(u32::MAX).max(1)));
    }
    store::upload::insert(&tx, &upload, now).await?;
    tx.commit().await?;
    Ok(expected(room, &upload))
}

/// Returns the signed address to which the file of an upload is sent.
pub fn ingest_address(room: &Content, upload: Uid) -> String {
    room.public.at(&format!("/v1/ingest/{}", room.signer.sign(INGEST, upload.as_bytes())))
}

/// Converts an upload to its JSON shape, with the ingest address while its file is expected.
pub fn expected(room: &Content, upload: &Upload) -> UploadOut {
    let waits = upload.status == UploadStatus::Pending && room.ambient.now() < upload.expires_at;
    let ingest = waits.then(|| IngestOut {
        url: ingest_address(room, upload.uid),
        path: match &upload.target {
            Target::Content(uid) => format!("/v1/content/{uid}"),
            Target::Image(name) => format!("/images/{name}"),
        },
    });
    let message = upload.reason.as_deref().and_then(sentence);
    UploadOut { uid: upload.uid, status: upload.status, ingest, reason: upload.reason.clone(), message }
}
