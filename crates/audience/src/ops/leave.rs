//! `DELETE /organizations/{id}/users/me`: leaving an organisation.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::rights::Withdraw;

use crate::model::{ConsentAnswer, Method};
use crate::{Audience, Error, store};

/// Leave an organization
///
/// Ends the caller's membership, as staff or as an app user, and withdraws the consent, even if the organization's
/// plan has ended. Positions and marks of what was seen are deleted. The only super admin cannot leave.
#[utoipa::path(delete, path = "/organizations/{id}/users/me", tag = "audience",
    params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn leave(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<StatusCode> {
    end(&audience, &bearer, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end(audience: &Audience, bearer: &Bearer, org: OrgId) -> Result<(), Error> {
    let tx = audience.db.write_tx_on(org).await?;
    let scope = audience.orgs.enter_in::<Withdraw>(&tx, bearer, org).await?;
    audience.orgs.leave(&scope).await?;
    let answer =
        ConsentAnswer { org: scope.org(), person: scope.person(), given: false, method: Method::Leave };
    audience.record_answer(&tx, &answer).await?;
    store::progress::remove(&tx, answer.org, answer.person).await?;
    tx.commit().await?;
    Ok(())
}
