//! `POST /join/{code}`: becoming an app user, with an answer to the notice.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body, Path};
use identity::Caller;
use kernel::{PersonId, Problem};
use orgs::Organisation;
use serde::{Deserialize, Serialize};

use crate::dto::JoinOrganisationOut;
use crate::model::{self, ConsentAnswer, Method};
use crate::{Audience, Error, store};

/// The answer to the notice.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinIn {
    consent: bool,
    /// Version of the notice that was shown, which a yes requires; an answer to an older version is rejected.
    notice_version: Option<String>,
}

/// The organization that the caller joined.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct JoinOut {
    organisation: JoinOrganisationOut,
}

/// Join an organization
///
/// Makes the caller an app user. An existing role is kept. The code is that of the organization's joining link, or of
/// an invitation, which only the person with the invited address can use.
#[utoipa::path(post, path = "/join/{code}", tag = "audience", params(("code" = String, Path)),
    request_body = JoinIn, responses(
    (status = 200, description = "The caller had already joined", body = JoinOut), (status = 201, body = JoinOut),
    (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn join(
    State(audience): State<Audience>,
    caller: Caller,
    Path(code): Path<String>,
    Body(sent): Body<JoinIn>,
) -> ApiResult<(StatusCode, Json<JoinOut>)> {
    model::check_notice_version(sent.consent, sent.notice_version.as_deref())?;
    let (organisation, new) = join_organisation(&audience, caller.person(), &code, sent.consent).await?;
    let out = JoinOut { organisation: JoinOrganisationOut::of(&organisation, &audience.public) };
    Ok((if new { StatusCode::CREATED } else { StatusCode::OK }, Json(out)))
}

/// Stores membership and answer together. Repeating the same answer, for example by a double click, does not
/// store it twice.
async fn join_organisation(
    audience: &Audience,
    person: PersonId,
    code: &str,
    given: bool,
) -> Result<(Organisation, bool), Error> {
    let found = audience.orgs.join_link(audience.db.read(), code).await?.ok_or(Error::InvalidLink)?;
    let tx = audience.db.write_tx_on(found.organisation.uid).await?;
    // Read again under the lock: the link may have been replaced in between.
    let link = audience.orgs.join_link(&tx, code).await?.ok_or(Error::InvalidLink)?;
    if audience.orgs.is_blocked(&tx, link.organisation.uid, person).await? {
        return Err(Error::Blocked);
    }
    let joined = audience.orgs.join(&tx, &link, person).await;
    if matches!(joined, Err(orgs::Error::Full)) {
        drop(tx);
        if let Err(error) = audience.orgs.report_full(link.organisation.uid).await {
            tracing::warn!(%error, "failed to write to the admins of a full organisation");
        }
        return Err(orgs::Error::Full.into());
    }
    let new = joined?.ok_or(Error::InvalidLink)?;
    let organisation = link.organisation;
    let before = store::consent::latest(&tx, organisation.uid, person).await?;
    if before.is_none_or(|before| before.consent.given != given) {
        audience
            .record_answer(&tx, &ConsentAnswer { org: organisation.uid, person, given, method: Method::Join })
            .await?;
    }
    tx.commit().await?;
    Ok((organisation, new))
}
