//! `POST /content/{id}`: a new version of an item's file.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;
use serde_json::json;

use crate::dto::{FileIn, UploadOut};
use crate::model::{AnnouncedFile, Origin};
use crate::quota::check_quota;
use crate::store::upload::{Target, Upload};
use crate::{Content, Error, store};

/// The file that will be sent; size and type are optional.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewFile {
    file: FileIn,
}

/// Replace the file of a content item
///
/// The response contains the address to send the new version to. The old version is served until the new one
/// is available. To cancel, call `DELETE /uploads/{uid}` with the uid in the response.
#[utoipa::path(post, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path)),
    request_body = NewFile, responses(
    (status = 200, body = UploadOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 402, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 503, body = Problem),
    (status = 507, body = Problem),
))]
pub async fn replace_file(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
    Body(new): Body<NewFile>,
) -> ApiResult<Json<UploadOut>> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let file = new.file.parse(content.settings.file_max_bytes)?;
    Ok(Json(replace(&content, &scope, id, file).await?))
}

async fn replace(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    file: AnnouncedFile,
) -> Result<UploadOut, Error> {
    content.storage.check_space(file.size.unwrap_or(0))?;
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let item = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    if item.origin == Origin::Integration {
        return Err(Error::NotNative);
    }
    if let Some(size) = file.size {
        check_quota(content, &tx, scope.org(), size, size).await?;
    }
    let (uid, now) = (content.ambient.uid(), content.ambient.now());
    let file_name = file.name.clone();
    let upload = Upload::pending(uid, Some(scope.org()), scope.person(), Target::Content(id), file, now);
    store::upload::insert(&tx, &upload, now).await?;
    let replaced = AuditRecord::by(&scope, AuditAction::FileReplaced, id).named(&item.title);
    content.orgs.record(&tx, replaced.change(json!({}), json!({ "fileName": file_name }))).await?;
    tx.commit().await?;
    Ok(UploadOut::of(&upload, content))
}
