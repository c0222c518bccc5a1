//! `GET /organizations/{id}/users/me/emails`: which emails a member of staff wants.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, Problem};
use orgs::rights::ViewAnalytics;

use crate::dto::StaffEmailsOut;
use crate::{Error, Leads, store};

/// Get your email settings
///
/// For staff. Both are off unless you turned them on.
#[utoipa::path(get, path = "/organizations/{id}/users/me/emails", tag = "leads",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = StaffEmailsOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_emails(
    State(leads): State<Leads>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<Json<StaffEmailsOut>> {
    let scope = leads.orgs.enter::<ViewAnalytics>(&bearer, id).await?;
    let wanted = store::email::wanted(leads.db.read(), scope.org(), scope.person()).await;
    Ok(Json(wanted.map_err(Error::from)?.into()))
}
