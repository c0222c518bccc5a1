//! `GET /uploads/{uid}`: the status of an upload.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::{Bearer, Caller};
use kernel::{ContentId, Problem, UploadId};
use orgs::rights::ListContent;

use crate::dto::UploadOut;
use crate::model::{Origin, UploadStatus};
use crate::store::upload::{Target, Upload};
use crate::{Content, Error, store};

/// Get an upload
///
/// Staff can read the uploads of their organization, a person the uploads of their own images. The uid of a
/// content item works as well. A completed upload is `available` while its content exists, and 404
/// afterwards.
#[utoipa::path(get, path = "/uploads/{uid}", tag = "content", params(("uid" = Uuid, Path)), responses(
    (status = 200, body = UploadOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_upload(
    State(content): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Path(uid): Path<UploadId>,
) -> ApiResult<Json<UploadOut>> {
    let Some(upload) = store::upload::by_uid(content.db.read(), uid).await? else {
        return Ok(Json(of_content(&content, &bearer, ContentId::from(uid.uid())).await?));
    };
    // An organisation's upload needs the right to read its content, even for the person who started it; an
    // own image needs only that person.
    if upload.org.is_some() || upload.person != caller.person() {
        let entered = content.orgs.enter_of::<ListContent>(&bearer, upload.org, "Upload").await;
        entered.map_err(Error::from)?;
    }
    check_content_exists(&content, &upload).await?;
    Ok(Json(UploadOut::of(&upload, &content)))
}

/// Checks that the content of a completed upload still exists.
async fn check_content_exists(content: &Content, upload: &Upload) -> Result<(), Error> {
    let (Some(org), Target::Content(id), UploadStatus::Available) =
        (upload.org, &upload.target, upload.status)
    else {
        return Ok(());
    };
    store::content::by_id(content.db.read(), org, *id).await?.map(|_| ()).ok_or(Error::NoUpload)
}

/// Describes the upload of an item that needed none, or whose record has been pruned.
async fn of_content(content: &Content, bearer: &Bearer, id: ContentId) -> Result<UploadOut, Error> {
    let scope = content.orgs.enter_of::<ListContent>(bearer, store::content::owner(id), "Upload").await?;
    let item = store::content::by_id(content.db.read(), scope.org(), id).await?.ok_or(Error::NoUpload)?;
    let status = if item.origin == Origin::Draft { UploadStatus::Rejected } else { UploadStatus::Available };
    Ok(UploadOut::of_none(id, status))
}
