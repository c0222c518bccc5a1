//! `POST /content/{id}/processing`: another attempt after processing failed.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::OrgScope;
use orgs::rights::EditContent;

use crate::dto::ContentOut;
use crate::error::ProcessingStateError;
use crate::grant::ViewContext;
use crate::item::Item;
use crate::jobs::{ProcessFile, is_waiting};
use crate::model::Processing;
use crate::{Content, Error, store};

/// Retry processing
///
/// Processes the file of a content item again after a failure. The file is kept and can be played in the
/// meantime.
#[utoipa::path(post, path = "/content/{id}/processing", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ContentOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn retry_processing(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
) -> ApiResult<Json<ContentOut>> {
    let org = store::content::org_of(content.db.read(), id).await?;
    let scope = content.orgs.enter_for::<EditContent>(&bearer, org, "Content").await.map_err(Error::from)?;
    let item = retry(&content, &scope, id).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}

async fn retry(content: &Content, scope: &OrgScope<EditContent>, id: ContentId) -> Result<Item, Error> {
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let item = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    let version = match (&item.source, item.processing) {
        (_, Processing::Running) => return Err(Error::ProcessingState(ProcessingStateError::UnderWay)),
        // A queued file whose job was lost may be queued again.
        (_, Processing::Queued) if is_waiting(content, &tx, id).await? => {
            return Err(Error::ProcessingState(ProcessingStateError::UnderWay));
        }
        (Some(source), Processing::Failed | Processing::None | Processing::Queued)
            if item.kind.is_processed() =>
        {
            source.version
        }
        _ => return Err(Error::ProcessingState(ProcessingStateError::Nothing)),
    };
    if !store::processing_run::queue(&tx, scope.org(), id).await? {
        return Err(Error::ProcessingState(ProcessingStateError::UnderWay));
    }
    content.jobs.enqueue(&tx, &ProcessFile { org: scope.org(), content: id, version }).await?;
    let queued = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    tx.commit().await?;
    Ok(queued)
}
