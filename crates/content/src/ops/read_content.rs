//! `GET /content/{id}`: one item, for staff.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::ListContent;

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::{Content, Error, store};

/// Get a content item
#[utoipa::path(get, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ContentOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_content(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
) -> ApiResult<Json<ContentOut>> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<ListContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let item = store::content::by_id(content.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}
