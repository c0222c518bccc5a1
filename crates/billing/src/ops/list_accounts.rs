//! `GET /accounts`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query};
use identity::Caller;
use kernel::Problem;

use crate::dto::AccountOut;
use crate::{Billing, Error, store};

/// List your billing accounts
///
/// Newest first. Returns 404 if you have none.
#[utoipa::path(get, path = "/accounts", tag = "billing", params(PageQuery), responses(
    (status = 200, body = List<AccountOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn list_accounts(
    State(billing): State<Billing>,
    caller: Caller,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<AccountOut>>> {
    let keyset = page.keyset()?;
    let accounts = store::account::page(billing.db.read(), caller.person(), keyset).await?;
    if accounts.is_empty() && keyset.start_after.is_none() {
        return Err(Error::NoAccounts.into());
    }
    Ok(Json(accounts.into_iter().map(AccountOut::from).collect()))
}
