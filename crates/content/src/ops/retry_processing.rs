//! `POST /content/{id}/processing`: another attempt after processing failed.

use axum::Json;
use axum::extract::State;
use httpkit::{Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid};
use orgs::OrgScope;
use orgs::rights::EditContent;

use crate::error::Unfit;
use crate::item::Item;
use crate::jobs::{ProcessFile, is_waiting};
use crate::model::Processing;
use crate::wire::{ContentOut, Shown};
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
    State(room): State<Content>,
    bearer: Bearer,
    Path(id): Path<Uid>,
) -> Reply<Json<ContentOut>> {
    let org = store::content::org_of(room.db.read(), id).await?;
    let scope = room.orgs.enter_for::<EditContent>(&bearer, org, "Content").await.map_err(Error::from)?;
    let item = retry(&room, &scope, id).await?;
    let shown = Shown::to(&scope, None);
    Ok(Json(ContentOut::of(&item, shown, &room)))
}

async fn retry(room: &Content, scope: &OrgScope<EditContent>, id: Uid) -> Result<Item, Error> {
    let tx = room.db.write_tx_on(scope.org()).await?;
    let item = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    let version = match (&item.source, item.processing) {
        (_, Processing::Running) => return Err(Error::Unfit(Unfit::UnderWay)),
        // A queued file whose job was lost may be queued again.
        (_, Processing::Queued) if is_waiting(room, &tx, id).await? => {
            return Err(Error::Unfit(Unfit::UnderWay));
        }
        (Some(source), Processing::Failed | Processing::None | Processing::Queued)
            if item.kind.is_processed() =>
        {
            source.version
        }
        _ => return Err(Error::Unfit(Unfit::Nothing)),
    };
    if !store::making::queue(&tx, scope.org(), id).await? {
        return Err(Error::Unfit(Unfit::UnderWay));
    }
    room.jobs.enqueue(&tx, &ProcessFile { org: scope.org(), content: id, version }).await?;
    let queued = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    tx.commit().await?;
    Ok(queued)
}
