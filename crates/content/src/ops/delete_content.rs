//! `DELETE /content/{id}`: removes an item from every list at once, and its files after 30 days or on
//! request.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path, Query};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;

use crate::jobs::{DELETED_LIFETIME, PurgeContent};
use crate::reject_reason::RejectReason;
use crate::upload::release;
use crate::{Content, Error, store};

/// How to delete the item.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// `true` removes the files now instead of after 30 days and frees their space in the plan. Also works on
    /// items that were deleted before.
    #[serde(default)]
    permanent: bool,
}

/// Delete a content item
///
/// The item must not be in any playlist. Its files count toward the plan until they are removed. A pending
/// upload for it is cancelled, and what was received and reserved is freed before the response is sent.
#[utoipa::path(delete, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path), DeleteQuery), responses(
    (status = 204), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn delete_content(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
    Query(query): Query<DeleteQuery>,
) -> ApiResult<StatusCode> {
    let owner =
        if query.permanent { store::content::owner_of_unpurged(id) } else { store::content::owner(id) };
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    delete(&content, &scope, id, query.permanent).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    permanent: bool,
) -> Result<(), Error> {
    let (tx, now) = (content.db.write_tx_on(scope.org()).await?, content.ambient.now());
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    // Read in the transaction that deletes: adding the item to a playlist waits for it, then finds it gone.
    let containing = content.playlists.containing(&tx, scope.org(), id).await?;
    if !containing.is_empty() {
        return Err(Error::InUse(containing));
    }
    let title = store::content::by_id(&tx, scope.org(), id).await?.map(|item| item.title);
    let removed = store::content::remove(&tx, scope.org(), id, now).await?
        || permanent && store::content::is_unpurged(&tx, scope.org(), id).await?;
    if !removed {
        return Err(Error::NotFound);
    }
    // Content that was deleted before, and whose storage is freed now, has an entry.
    if let Some(title) = title {
        let deleted = AuditRecord::by(&scope, AuditAction::ContentDeleted, id).named(&title);
        content.orgs.record(&tx, deleted).await?;
    }
    let ended = store::upload::reject_pending(&tx, id, RejectReason::ContentDeleted, now).await?;
    if permanent {
        // Nothing restores the item before the job has removed its files.
        store::deleted::age(&tx, id, now - DELETED_LIFETIME).await?;
        content.jobs.enqueue(&tx, &PurgeContent { org: scope.org(), content: id }).await?;
    }
    tx.commit().await?;
    release::free_uploads(content, &ended).await;
    Ok(())
}
