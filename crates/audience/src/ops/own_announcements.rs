//! `GET`, `PATCH /organizations/{id}/users/me/announcements`: whether you get an organisation's emails.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::rights::Withdraw;
use serde::{Deserialize, Serialize};

use crate::{Audience, Error, store};

/// Whether you get emails about what is new.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AnnouncementEmails {
    /// True unless you unsubscribed.
    emails: bool,
}

/// Read whether you get emails about what is new
#[utoipa::path(get, path = "/organizations/{id}/users/me/announcements", tag = "audience",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = AnnouncementEmails), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn read_own_announcements(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<Json<AnnouncementEmails>> {
    let scope = audience.orgs.enter::<Withdraw>(&bearer, id).await?;
    let stopped = store::unsubscribe::is_set(audience.db.read(), scope.org(), scope.person()).await?;
    Ok(Json(AnnouncementEmails { emails: !stopped }))
}

/// Turn emails about what is new on or off
///
/// The same as the unsubscribe link in each of these emails. Works regardless of the state of the organization's plan.
#[utoipa::path(patch, path = "/organizations/{id}/users/me/announcements", tag = "audience",
    params(("id" = Uuid, Path)), request_body = AnnouncementEmails, responses(
    (status = 200, body = AnnouncementEmails), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn change_own_announcements(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(wanted): Body<AnnouncementEmails>,
) -> ApiResult<Json<AnnouncementEmails>> {
    change(&audience, &bearer, id, wanted.emails).await?;
    Ok(Json(wanted))
}

async fn change(audience: &Audience, bearer: &Bearer, org: OrgId, emails: bool) -> Result<(), Error> {
    let tx = audience.db.write_tx_on(org).await?;
    let scope = audience.orgs.enter_in::<Withdraw>(&tx, bearer, org).await?;
    if emails {
        store::unsubscribe::clear(&tx, scope.org(), scope.person()).await?;
    } else {
        store::unsubscribe::set(&tx, scope.org(), scope.person(), audience.ambient.now()).await?;
    }
    Ok(tx.commit().await?)
}
