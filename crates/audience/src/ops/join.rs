//! `POST /join/{code}`: becoming an app user, with an answer to the notice (V-02).

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{Body, Path, Reply};
use identity::Caller;
use kernel::{Problem, Uid};
use orgs::Organisation;
use serde::{Deserialize, Serialize};

use crate::model::{self, Answer, Method};
use crate::wire::JoinOrganisationOut;
use crate::{Audience, Error, store};

/// The answer to the notice.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinIn {
    consent: bool,
    /// The version that was shown; an answer to another one is refused.
    notice_version: Option<String>,
}

/// Where the person is now.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct JoinOut {
    organisation: JoinOrganisationOut,
}

/// Makes the caller an app user of the organisation; a role that is there already stays.
#[utoipa::path(post, path = "/join/{code}", tag = "audience", params(("code" = String, Path)),
    request_body = JoinIn, responses(
    (status = 200, description = "joined before", body = JoinOut), (status = 201, body = JoinOut),
    (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn join(
    State(audience): State<Audience>,
    caller: Caller,
    Path(code): Path<String>,
    Body(sent): Body<JoinIn>,
) -> Reply<(StatusCode, Json<JoinOut>)> {
    model::answers_current(sent.notice_version.as_deref())?;
    let (organisation, new) = admit(&audience, caller.person(), &code, sent.consent).await?;
    let out = JoinOut { organisation: JoinOrganisationOut::of(&organisation, &audience.public) };
    Ok((if new { StatusCode::CREATED } else { StatusCode::OK }, Json(out)))
}

/// Membership and answer together. The same answer again, as after a double click, is not kept twice.
async fn admit(
    audience: &Audience,
    person: Uid,
    code: &str,
    given: bool,
) -> Result<(Organisation, bool), Error> {
    let found = audience.orgs.by_join_code(audience.db.read(), code).await?.ok_or(Error::InvalidLink)?;
    let tx = audience.db.write_tx_on(found.uid).await?;
    // Read again behind the lock: the link may have been rotated meanwhile.
    let organisation = audience.orgs.by_join_code(&tx, code).await?.ok_or(Error::InvalidLink)?;
    audience.identity.require_proved(&tx, person).await?;
    let new = audience.orgs.admit(&tx, organisation.uid, person).await?;
    let before = store::consent::latest(&tx, organisation.uid, person).await?;
    if before.is_none_or(|before| before.consent.given != given) {
        audience.keep(&tx, &Answer { org: organisation.uid, person, given, method: Method::Join }).await?;
    }
    tx.commit().await?;
    Ok((organisation, new))
}
