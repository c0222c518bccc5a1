//! `GET /accounts/{id}/managers`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, Path};
use identity::Caller;
use kernel::{AccountId, Problem};

use crate::dto::ManagerOut;
use crate::{Billing, access};

/// List the people who manage a billing account
///
/// The first one first.
#[utoipa::path(get, path = "/accounts/{id}/managers", tag = "billing", params(("id" = Uuid, Path)), responses(
    (status = 200, body = List<ManagerOut>), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_managers(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
) -> ApiResult<Json<List<ManagerOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let people = billing.orgs.identity().people(billing.db.read(), &account.managers).await?;
    let person = |uid| people.iter().find(|person| person.uid == uid);
    Ok(Json(account.managers.into_iter().filter_map(person).map(ManagerOut::from).collect()))
}
