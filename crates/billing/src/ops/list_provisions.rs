//! `GET /accounts/{id}/provisions`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::Caller;
use kernel::{AccountId, Problem};

use crate::dto::ProvisionOut;
use crate::{Billing, access, store};

/// List the purchases of a billing account
///
/// Newest first.
#[utoipa::path(get, path = "/accounts/{id}/provisions", tag = "billing",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = List<ProvisionOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn list_provisions(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<ProvisionOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let now = billing.ambient.now();
    let rows = store::provision::page(billing.db.read(), account.uid, page.keyset()?).await?;
    Ok(Json(rows.into_iter().map(|row| ProvisionOut::at(row, now)).collect()))
}
