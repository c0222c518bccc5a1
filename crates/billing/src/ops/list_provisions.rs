//! `GET /accounts/{id}/provisions`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query, parse_uid};
use identity::Caller;
use kernel::{AccountId, Problem};
use serde::Deserialize;

use crate::dto::ProvisionOut;
use crate::{Billing, access, store};

/// Which purchases to list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ProvisionsQuery {
    /// uid of the last row of the previous page.
    start_after: Option<String>,
    /// Number of rows, 1 to 100. The default is 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// uid of the purchase that a page waits for. While its buyer pays, the payment provider is asked about it first,
    /// at most every 3 seconds, so a lost webhook causes no delay.
    awaited: Option<String>,
}

/// List the purchases of a billing account
///
/// Newest first.
#[utoipa::path(get, path = "/accounts/{id}/provisions", tag = "billing",
    params(("id" = Uuid, Path), ProvisionsQuery), responses(
    (status = 200, body = List<ProvisionOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn list_provisions(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Query(query): Query<ProvisionsQuery>,
) -> ApiResult<Json<List<ProvisionOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    if let Some(text) = query.awaited.as_deref().filter(|text| !text.is_empty()) {
        billing.awaited(account.uid, parse_uid("awaited", text)?).await?;
    }
    let now = billing.ambient.now();
    let rows = store::provision::page(billing.db.read(), account.uid, keyset).await?;
    Ok(Json(rows.into_iter().map(|row| ProvisionOut::at(row, now)).collect()))
}
