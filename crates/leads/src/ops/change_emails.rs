//! `PATCH /organizations/{id}/users/me/emails`: changes which emails a member of staff wants.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::rights::ViewAnalytics;
use serde::Deserialize;

use crate::dto::StaffEmailsOut;
use crate::store::email::Wanted;
use crate::{Error, Leads, emails, store};

/// A change to your email settings; fields that are not sent stay unchanged.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffEmailsIn {
    hot_leads: Option<bool>,
    weekly_summary: Option<bool>,
}

/// Update your email settings
///
/// For staff.
#[utoipa::path(patch, path = "/organizations/{id}/users/me/emails", tag = "leads",
    params(("id" = Uuid, Path)), request_body = StaffEmailsIn, responses(
    (status = 200, body = StaffEmailsOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn change_emails(
    State(leads): State<Leads>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Body(sent): Body<StaffEmailsIn>,
) -> ApiResult<Json<StaffEmailsOut>> {
    Ok(Json(change(&leads, &bearer, id, &sent).await?.into()))
}

async fn change(leads: &Leads, bearer: &Bearer, org: OrgId, sent: &StaffEmailsIn) -> Result<Wanted, Error> {
    let tx = leads.db.write_tx_on(org).await?;
    let scope = leads.orgs.enter_in::<ViewAnalytics>(&tx, bearer, org).await?;
    let before = store::email::wanted(&tx, org, scope.person()).await?;
    let wanted = Wanted {
        hot_leads: sent.hot_leads.unwrap_or(before.hot_leads),
        weekly_summary: sent.weekly_summary.unwrap_or(before.weekly_summary),
    };
    emails::set_wanted(leads, &tx, org, scope.person(), wanted).await?;
    tx.commit().await?;
    Ok(wanted)
}
