//! `DELETE /content/{id}/captions/{language}`: removes the captions in one language.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde_json::json;

use crate::error::ProcessingStateError;
use crate::jobs::RemoveCaptions;
use crate::{Content, Error, captions, store};

/// Delete captions
#[utoipa::path(delete, path = "/content/{id}/captions/{language}", tag = "content",
    params(("id" = Uuid, Path), ("language" = String, Path, description = "BCP 47, such as pt-BR")),
    responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn delete_captions(
    State(content): State<Content>,
    bearer: Bearer,
    Path((id, language)): Path<(ContentId, String)>,
) -> ApiResult<StatusCode> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let language =
        captions::language(&language).ok_or(Error::ProcessingState(ProcessingStateError::NoLanguage))?;
    delete(&content, &scope, id, &language).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    language: &str,
) -> Result<(), Error> {
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let item = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    let (gone, kept): (Vec<_>, Vec<_>) = item.captions.into_iter().partition(|one| one.language == language);
    let Some(gone) = gone.first() else {
        return Err(Error::ProcessingState(ProcessingStateError::NoCaptions));
    };
    let now = content.ambient.now().max(item.modified_at + 1);
    store::processing_run::set_captions(&tx, id, &kept, now).await?;
    let deleted = AuditRecord::by(&scope, AuditAction::CaptionsDeleted, id).named(&item.title);
    content.orgs.record(&tx, deleted.change(json!({ "language": language }), json!({}))).await?;
    let job = RemoveCaptions { org: scope.org(), content: id, version: gone.version };
    content.jobs.enqueue(&tx, &job).await?;
    Ok(tx.commit().await?)
}
