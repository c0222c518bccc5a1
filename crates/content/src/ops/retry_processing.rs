//! `POST /content/{id}/processing`: another try for a file of which nothing could be made.

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

/// Processes a content's file again after it failed. The file itself is kept and can be played meanwhile.
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
        // One whose job died before it began waits for nobody.
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
