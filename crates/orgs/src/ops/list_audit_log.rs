//! `GET /organizations/{id}/audit`: the audit log of an organisation.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query, parse_uid};
use identity::Bearer;
use kernel::{OrgId, PersonId, Problem};
use sea_orm::ActiveEnum as _;
use serde::Deserialize;

use crate::Orgs;
use crate::audit::{AuditAction, AuditFilter, AuditSubject};
use crate::dto::AuditEntryOut;
use crate::rights::ReadAuditLog;

/// Filter and page of the log.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// `uid` of the last row of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100; default 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// Only this action.
    #[param(value_type = Option<AuditAction>)]
    action: Option<String>,
    /// Only what this person did.
    user_id: Option<String>,
}

/// List the changes in an organization
///
/// Newest first. Entries are kept for 24 months unless the operator sets another time.
#[utoipa::path(get, path = "/organizations/{id}/audit", tag = "orgs",
    params(("id" = Uuid, Path), AuditQuery), responses(
    (status = 200, body = List<AuditEntryOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_audit_log(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Json<List<AuditEntryOut>>> {
    let scope = orgs.enter::<ReadAuditLog>(&bearer, id).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let action = query.action.filter(|action| !action.is_empty());
    let action = action
        .map(|action| AuditAction::try_from_value(&action))
        .transpose()
        .map_err(|_| Problem::field("action", "unknown_action", "This action is not known."))?;
    let actor = query.user_id.filter(|user| !user.is_empty());
    let actor = actor.map(|user| parse_uid::<PersonId>("userId", &user)).transpose()?;
    let filter = AuditFilter { subject: AuditSubject::Org(scope.org()), action, actor };
    Ok(Json(orgs.audit_log(orgs.db.read(), filter, keyset).await?.into_iter().collect()))
}
