//! `POST /organizations/{id}/invites`: invitations to several addresses.

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

/// Most addresses in one request.
const ADDRESSES_MAX: usize = 50;

/// Whom to invite to which role.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateInvitesIn {
    /// 1 to 50 email addresses.
    user_emails: Vec<String>,
    /// A staff role, not above yours.
    role: Role,
}

/// What became of one address.
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

/// Invite up to 50 people to the staff
///
/// Each address gets its own answer, in the order of the request: some may be invited and others not.
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
    if input.user_emails.is_empty() || input.user_emails.len() > ADDRESSES_MAX {
        return Err(Error::from(StaffError::InvitedCount).into());
    }
    Ok(Json(invite_all(&orgs, &bearer, id, input).await?))
}

async fn invite_all(
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
            // A failed statement ends the transaction, so it is the answer to the whole request.
            Err(error @ Error::Db(_)) => return Err(error),
            Err(error) => InvitedOut { user_email, uid: None, problem: Some(ApiError::from(error).0) },
        });
    }
    tx.commit().await?;
    Ok(answers.into_iter().collect())
}
