//! `GET /content/{id}`: one item, for staff.

use axum::Json;
use axum::extract::State;
use httpkit::{Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid};
use orgs::rights::ListContent;

use crate::wire::{ContentOut, Shown};
use crate::{Content, Error, store};

/// Get a content item
#[utoipa::path(get, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ContentOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_content(
    State(room): State<Content>,
    bearer: Bearer,
    Path(id): Path<Uid>,
) -> Reply<Json<ContentOut>> {
    let org = store::content::org_of(room.db.read(), id).await?;
    let scope = room.orgs.enter_for::<ListContent>(&bearer, org, "Content").await.map_err(Error::from)?;
    let item = store::content::by_id(room.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    let shown = Shown::to(&scope, None);
    Ok(Json(ContentOut::of(&item, shown, &room)))
}
