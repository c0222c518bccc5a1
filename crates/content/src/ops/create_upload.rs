//! `POST /uploads`: a public image.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body};
use identity::{Bearer, Caller};
use kernel::{DAY, OrgId, PersonId, Problem, SECOND};
use orgs::rights::EditContent;
use serde::Deserialize;

use crate::dto::{FileIn, UploadOut};
use crate::model::{self, AnnouncedFile, IMAGE_MAX};
use crate::store::upload::{Target, Upload};
use crate::{Content, Error, store};

/// An image that will be sent, and its organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewUpload {
    file: FileIn,
    /// Absent for the caller's own photo.
    #[schema(value_type = Option<Uuid>)]
    org_id: Option<OrgId>,
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
    State(content): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Body(new): Body<NewUpload>,
) -> ApiResult<(StatusCode, Json<UploadOut>)> {
    if let Some(org) = new.org_id {
        content.orgs.enter::<EditContent>(&bearer, org).await.map_err(Error::from)?;
    }
    let file = image_file(new.file)?;
    let answer = create(&content, caller.person(), new.org_id, file).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

fn image_file(sent: FileIn) -> Result<AnnouncedFile, Error> {
    let file = sent.parse_whole(IMAGE_MAX).map_err(|error| match error {
        Error::FileTooLarge => Error::ImageTooLarge,
        other => other,
    })?;
    let mime = model::image_type(file.mime.as_deref().unwrap_or_default())?;
    Ok(AnnouncedFile { mime: Some(mime), ..file })
}

async fn create(
    content: &Content,
    person: PersonId,
    org: Option<OrgId>,
    file: AnnouncedFile,
) -> Result<UploadOut, Error> {
    let (now, file_size) = (content.ambient.now(), file.size.unwrap_or(0));
    let name = hex::encode(content.ambient.bytes::<16>());
    let upload = Upload::pending(content.ambient.uid(), org, person, Target::Image(name), file, now);
    content.storage.check_space(file_size)?;
    let tx = content.db.write_tx_on(person).await?;
    let (announced, first) = store::upload::images_since(&tx, person, now - DAY).await?;
    if announced >= content.settings.images_per_day {
        let wait = (first.unwrap_or(now) + DAY - now) / SECOND;
        return Err(Error::TooManyImages(u32::try_from(wait).unwrap_or(u32::MAX).max(1)));
    }
    store::upload::insert(&tx, &upload, now).await?;
    tx.commit().await?;
    Ok(UploadOut::of(&upload, content))
}
