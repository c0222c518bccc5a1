//! `POST /organizations/{id}/invites`: invitations of several people to the staff, or of viewers.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiError, ApiResult, List, Path, RawBody, read_json};
use identity::Bearer;
use kernel::{InviteId, OrgId, Problem, Uuid};
use serde::{Deserialize, Serialize};

use crate::rights::GiveRoles;
use crate::staff_error::StaffError;
use crate::{Error, Orgs, Role};

/// Most addresses in one request: people to become staff, and viewers.
const STAFF_MAX: usize = 50;
const VIEWERS_MAX: usize = 100;

/// Whom to invite to which role.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateInvitesIn {
    /// 1 to 50 email addresses, or up to 100 of viewers.
    user_emails: Vec<String>,
    /// A staff role, not above yours, or `user` for viewers.
    role: Role,
}

/// The result for one address.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitedOut {
    /// The address as it was sent.
    user_email: String,
    /// The id of the invitation; null if none was sent.
    uid: Option<Uuid>,
    /// Why no invitation was sent.
    problem: Option<Problem>,
}

/// Invite people to the staff, or viewers
///
/// Each address gets its own answer, in the order of the request: some may be invited and others not. Viewers get
/// the role `user`: their link leads to the viewer app and works for their address only, whatever the privacy of
/// the organization.
#[utoipa::path(post, path = "/organizations/{id}/invites", tag = "orgs", params(("id" = Uuid, Path)),
    request_body = CreateInvitesIn, responses(
    (status = 200, body = List<InvitedOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn create_invites(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    RawBody(body): RawBody,
) -> ApiResult<Json<List<InvitedOut>>> {
    // Without the right to invite, the caller does not even learn whether the body is valid.
    orgs.enter::<GiveRoles>(&bearer, id).await?;
    let input: CreateInvitesIn = read_json(&body)?;
    let (max, wrong_count) = match input.role {
        Role::User => (VIEWERS_MAX, StaffError::InvitedViewerCount),
        _ => (STAFF_MAX, StaffError::InvitedCount),
    };
    if !(1..=max).contains(&input.user_emails.len()) {
        return Err(Error::from(wrong_count).into());
    }
    let invited = match input.role {
        Role::User => invite_viewers(&orgs, &bearer, id, input.user_emails).await?,
        _ => invite_staff(&orgs, &bearer, id, input).await?,
    };
    Ok(Json(invited))
}

async fn invite_viewers(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    user_emails: Vec<String>,
) -> Result<List<InvitedOut>, Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<GiveRoles>(&tx, bearer, org).await?;
    let answers = orgs.invite_viewers(&scope, &user_emails).await?;
    tx.commit().await?;
    Ok(user_emails
        .into_iter()
        .zip(answers)
        .map(|(user_email, answer)| match answer {
            Ok(uid) => InvitedOut { user_email, uid: Some(uid.into()), problem: None },
            Err(error) => InvitedOut { user_email, uid: None, problem: Some(error.into()) },
        })
        .collect())
}

async fn invite_staff(
    orgs: &Orgs,
    bearer: &Bearer,
    org: OrgId,
    input: CreateInvitesIn,
) -> Result<List<InvitedOut>, Error> {
    let tx = orgs.db.write_tx_on(org).await?;
    let scope = orgs.enter_in::<GiveRoles>(&tx, bearer, org).await?;
    let mut answers = Vec::with_capacity(input.user_emails.len());
    let mut sent: HashMap<String, InviteId> = HashMap::new();
    for user_email in input.user_emails {
        // An address that is repeated is invited once.
        let address = user_email.trim().to_lowercase();
        let invited = match sent.get(&address) {
            Some(uid) => Ok(*uid),
            None => orgs.invite(&scope, &user_email, input.role).await,
        };
        answers.push(match invited {
            Ok(uid) => {
                sent.insert(address, uid);
                InvitedOut { user_email, uid: Some(uid.into()), problem: None }
            }
            // A failed statement ends the transaction, so the whole request fails with it.
            Err(error @ Error::Db(_)) => return Err(error),
            Err(error) => InvitedOut { user_email, uid: None, problem: Some(ApiError::from(error).0) },
        });
    }
    tx.commit().await?;
    Ok(answers.into_iter().collect())
}
