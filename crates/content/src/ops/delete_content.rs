//! `DELETE /content/{id}`: gone from every list at once, its bytes after 30 days (S-31).

use axum::extract::State;
use http::StatusCode;
use httpkit::{Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid};
use orgs::OrgScope;
use orgs::rights::EditContent;

use crate::{Content, Error, store};

/// Deletes a content that lies in no playlist.
#[utoipa::path(delete, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn delete_content(
    State(room): State<Content>,
    bearer: Bearer,
    Path(id): Path<Uid>,
) -> Reply<StatusCode> {
    let org = store::content::org_of(room.db.read(), id).await?;
    let scope = room.orgs.enter_for::<EditContent>(&bearer, org, "Content").await.map_err(Error::from)?;
    delete(&room, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete(room: &Content, scope: &OrgScope<EditContent>, id: Uid) -> Result<(), Error> {
    let tx = room.db.write_tx_on(scope.org()).await?;
    // Read in the transaction that deletes: a playlist that takes it in waits, then finds it gone.
    let holding = room.shelves.holding(&tx, scope.org(), id).await?;
    if !holding.is_empty() {
        return Err(Error::InUse(holding));
    }
    if !store::content::remove(&tx, scope.org(), id, room.ambient.now()).await? {
        return Err(Error::NotFound);
    }
    Ok(tx.commit().await?)
}
