//! `GET /uploads/{uid}`: how far an upload is (S-27).

use axum::Json;
use axum::extract::State;
use httpkit::{Path, Reply};
use identity::{Bearer, Caller};
use kernel::{Problem, Uid};
use orgs::rights::ListContent;

use crate::model::{Origin, UploadStatus};
use crate::ops::create_upload::expected;
use crate::store::upload::{Target, Upload};
use crate::wire::UploadOut;
use crate::{Content, Error, store};

/// One upload: an organisation's for its staff, a person's own picture for that person. A content's uid works as well.
/// One whose file arrived is `available` as long as its content is there, then 404.
#[utoipa::path(get, path = "/uploads/{uid}", tag = "content", params(("uid" = Uuid, Path)), responses(
    (status = 200, body = UploadOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_upload(
    State(room): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Path(uid): Path<Uid>,
) -> Reply<Json<UploadOut>> {
    let Some(upload) = store::upload::by_uid(room.db.read(), uid).await? else {
        return Ok(Json(of_content(&room, &bearer, uid).await?));
    };
    // An organisation's upload is read by those who may read its contents, its maker included; a person's own
    // picture by that person.
    if upload.org.is_some() || upload.person != caller.person() {
        let entered = room.orgs.enter_for::<ListContent>(&bearer, upload.org, "Upload").await;
        entered.map_err(Error::from)?;
    }
    check_shown(&room, &upload).await?;
    Ok(Json(expected(&room, &upload)))
}

/// A file is available as long as its content is there.
async fn check_shown(room: &Content, upload: &Upload) -> Result<(), Error> {
    let (Some(org), Target::Content(content), UploadStatus::Available) =
        (upload.org, &upload.target, upload.status)
    else {
        return Ok(());
    };
    store::content::by_id(room.db.read(), org, *content).await?.map(|_| ()).ok_or(Error::NoUpload)
}

/// The upload of a content that needed none, or whose record is long gone.
async fn of_content(room: &Content, bearer: &Bearer, uid: Uid) -> Result<UploadOut, Error> {
    let org = store::content::org_of(room.db.read(), uid).await?;
    let scope = room.orgs.enter_for::<ListContent>(bearer, org, "Upload").await?;
    let item = store::content::by_id(room.db.read(), scope.org(), uid).await?.ok_or(Error::NoUpload)?;
    let status = if item.origin == Origin::Draft { UploadStatus::Rejected } else { UploadStatus::Available };
    Ok(UploadOut::of_none(uid, status))
}
