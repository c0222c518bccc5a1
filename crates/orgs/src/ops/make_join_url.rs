//! `POST /organizations/{id}/joinUrl`: the joining link.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, RawBody, read_json};
use identity::Bearer;
use kernel::{OrgId, Privacy, Problem};
use serde::{Deserialize, Serialize};

use crate::audit::{AuditAction, AuditRecord};
use crate::rights::UpdateOrganisation;
use crate::{Error, Orgs, TxScope, dto, store};

/// Whether to replace an existing link. The body may be omitted.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
pub struct JoinUrlIn {
    /// True creates a new link and invalidates the old one.
    #[serde(default)]
    rotate: bool,
}

/// The joining link of an organization.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinUrlOut {
    join_url: String,
}

/// Create the joining link
///
/// Returns the existing link, if there is one, unless `rotate` is true. The organization must be public.
#[utoipa::path(post, path = "/organizations/{id}/joinUrl", tag = "orgs", params(("id" = Uuid, Path)),
    request_body(content = Option<JoinUrlIn>), responses(
    (status = 200, body = JoinUrlOut), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn make_join_url(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    RawBody(body): RawBody,
) -> ApiResult<Json<JoinUrlOut>> {
    // Without the right, the caller does not even learn whether the body is valid.
    orgs.enter::<UpdateOrganisation>(&bearer, id).await?;
    let input: JoinUrlIn = if body.is_empty() { JoinUrlIn::default() } else { read_json(&body)? };
    let tx = orgs.db.write_tx_on(id).await?;
    let scope = orgs.enter_in::<UpdateOrganisation>(&tx, &bearer, id).await?;
    let code = ensure_join_code(&orgs, &scope, input.rotate).await?;
    tx.commit().await?;
    Ok(Json(JoinUrlOut { join_url: dto::join_url(&orgs.public, &code) }))
}

async fn ensure_join_code(
    orgs: &Orgs,
    scope: &TxScope<'_, UpdateOrganisation>,
    rotate: bool,
) -> Result<String, Error> {
    let tx = scope.tx();
    let organisation =
        store::organisation::by_uid(tx, scope.org(), orgs.ambient.now()).await?.ok_or(Error::NotFound)?;
    if organisation.privacy != Privacy::Public {
        return Err(Error::NotPublic);
    }
    if let Some(code) = organisation.join_code.as_ref().filter(|_| !rotate) {
        return Ok(code.clone());
    }
    let code = orgs.ambient.code();
    store::organisation::set_join_code(tx, scope.org(), &code).await?;
    let created = AuditRecord::by(scope, AuditAction::JoinLinkCreated, scope.org());
    orgs.record(tx, created.named(&organisation.name)).await?;
    Ok(code)
}
