//! `GET /accounts/{id}/audit`: the audit log of a billing account.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::Caller;
use kernel::{AccountId, Problem};
use orgs::{AuditEntryOut, AuditFilter, AuditSubject};

use crate::{Billing, access};

/// List the changes of a billing account
///
/// Newest first. Entries are kept for 24 months unless the operator sets another time.
#[utoipa::path(get, path = "/accounts/{id}/audit", tag = "billing", params(("id" = Uuid, Path), PageQuery),
    responses(
    (status = 200, body = List<AuditEntryOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn list_account_audit_log(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<AuditEntryOut>>> {
    access::own_account(&billing, caller.person(), id).await?;
    let filter = AuditFilter { subject: AuditSubject::Account(id), action: None, actor: None };
    let entries = billing.orgs.audit_log(billing.db.read(), filter, page.keyset()?).await?;
    Ok(Json(entries.into_iter().collect()))
}
