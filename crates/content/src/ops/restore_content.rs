//! `POST /content/{id}/restore`: takes back a deletion of the last 30 days.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::item::Item;
use crate::jobs::{ProcessFile, RESTORABLE};
use crate::model::Processing;
use crate::{Content, Error, store};

/// Restore a deleted content item
///
/// Works for 30 days after the deletion, unless the item was deleted permanently. The item is in no playlist.
#[utoipa::path(post, path = "/content/{id}/restore", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ContentOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn restore_content(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
) -> ApiResult<Json<ContentOut>> {
    let owner = store::content::owner_of_unpurged(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let item = restore(&content, &scope, id).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}

async fn restore(content: &Content, scope: &OrgScope<EditContent>, id: ContentId) -> Result<Item, Error> {
    let (tx, now) = (content.db.write_tx_on(scope.org()).await?, content.ambient.now());
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let restored = store::deleted::restore(&tx, scope.org(), id, now - RESTORABLE, now).await?;
    let item = restored.ok_or(Error::NotFound)?;
    let record = AuditRecord::by(&scope, AuditAction::ContentRestored, id).named(&item.title);
    content.orgs.record(&tx, record).await?;
    if let (Processing::Queued, Some(source)) = (item.processing, &item.source) {
        // Its job ended when the item was deleted. One that waits still does no harm: a file is processed once.
        let job = ProcessFile { org: scope.org(), content: id, version: source.version };
        content.jobs.enqueue(&tx, &job).await?;
    }
    if let (None, Some(link)) = (&item.poster, &item.link) {
        content.enqueue_poster(&tx, scope.org(), id, link).await?;
    }
    tx.commit().await?;
    Ok(item)
}
