//! `POST /content/{id}/processing`: another attempt after processing failed.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::OrgScope;
use orgs::rights::EditContent;

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::item::Item;
use crate::jobs::{Requeue, requeue};
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
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let item = retry(&content, &scope, id).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}

async fn retry(content: &Content, scope: &OrgScope<EditContent>, id: ContentId) -> Result<Item, Error> {
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let queued = requeue(content, &tx, (scope.org(), id), Requeue::Unprocessed).await?;
    tx.commit().await?;
    Ok(queued)
}
