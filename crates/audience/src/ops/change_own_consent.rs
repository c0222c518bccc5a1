//! `PATCH /organizations/{id}/users/me/consent`: changing your own consent.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::OrgScope;
use orgs::rights::{Participate, Withdraw};
use serde::Deserialize;

use crate::dto::ConsentOut;
use crate::model::{self, ConsentAnswer, ConsentRecord, Method};
use crate::{Audience, Error, store};

/// The new answer.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentIn {
    consent: bool,
    /// Version of the notice that was shown, which a yes requires; a yes to an older version is rejected.
    notice_version: Option<String>,
}

/// Update your own consent
///
/// The latest answer takes effect immediately. Withdrawing works regardless of the state of the
/// organization's plan, and also for people who were removed or blocked while their consent was stored.
#[utoipa::path(patch, path = "/organizations/{id}/users/me/consent", tag = "audience",
    params(("id" = Uuid, Path)), request_body = ConsentIn, responses(
    (status = 200, body = ConsentOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn change_own_consent(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(sent): Body<ConsentIn>,
) -> ApiResult<Json<ConsentOut>> {
    let record = if sent.consent {
        let scope = audience.orgs.enter::<Participate>(&bearer, id).await?;
        model::check_notice_version(true, sent.notice_version.as_deref())?;
        give(&audience, &scope).await?
    } else {
        withdraw(&audience, &bearer, id).await?
    };
    let user = audience.profiles(&[record.person]).await?.remove(&record.person);
    Ok(Json(ConsentOut::of(record, user)))
}

async fn give(audience: &Audience, scope: &OrgScope<Participate>) -> Result<ConsentRecord, Error> {
    let tx = audience.db.write_tx_on(scope.org()).await?;
    let scope = audience.orgs.confirm_in(&tx, scope).await?;
    audience.identity.require_verified_email(&tx, scope.person()).await?;
    let answer =
        ConsentAnswer { org: scope.org(), person: scope.person(), given: true, method: Method::Settings };
    let record = audience.record_answer(&tx, &answer).await?;
    tx.commit().await?;
    Ok(record)
}

/// Withdraws the caller's consent. Works without a membership while a consent is stored; strangers get the same 404 as for any organisation.
async fn withdraw(audience: &Audience, bearer: &Bearer, org: OrgId) -> Result<ConsentRecord, Error> {
    let tx = audience.db.write_tx_on(org).await?;
    let person = match audience.orgs.enter_in::<Withdraw>(&tx, bearer, org).await {
        Ok(scope) => scope.person(),
        // The session was read and is valid; only the membership is missing.
        Err(error @ orgs::Error::NotFound) => {
            let person = bearer.claimed_person();
            let answer = store::consent::latest(&tx, org, person).await?;
            if !answer.is_some_and(|answer| answer.consent.given) {
                return Err(error.into());
            }
            person
        }
        Err(error) => return Err(error.into()),
    };
    let answer = ConsentAnswer { org, person, given: false, method: Method::Settings };
    let record = audience.record_answer(&tx, &answer).await?;
    tx.commit().await?;
    Ok(record)
}
