//! `DELETE /organizations/{id}/users/me`: leaving an organisation.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::OrgScope;
use orgs::rights::Withdraw;

use crate::model::{ConsentAnswer, Method};
use crate::{Audience, Error};

/// Leave an organization
///
/// Ends the caller's membership as an app user and withdraws the consent, even if the organization's plan has
/// ended. Staff cannot leave this way.
#[utoipa::path(delete, path = "/organizations/{id}/users/me", tag = "audience",
    params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn leave(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<StatusCode> {
    let scope = audience.orgs.enter::<Withdraw>(&bearer, id).await?;
    end(&audience, &scope).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end(audience: &Audience, scope: &OrgScope<Withdraw>) -> Result<(), Error> {
    let tx = audience.db.write_tx_on(scope.org()).await?;
    if !audience.orgs.remove_member(&tx, scope.org(), scope.person()).await? {
        return Err(Error::StaffCannotLeave);
    }
    let answer =
        ConsentAnswer { org: scope.org(), person: scope.person(), given: false, method: Method::Leave };
    audience.record_answer(&tx, &answer).await?;
    tx.commit().await?;
    Ok(())
}
