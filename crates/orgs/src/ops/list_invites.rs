//! `GET /organizations/{id}/invites`: invitations that were not answered.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::{Bearer, ProfileOut};
use kernel::{OrgId, PersonId, Problem, Timestamp, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::model::{Invite, Membership};
use crate::rights::ListStaff;
use crate::store::invite::Kind;
use crate::{Orgs, Role, store};

/// The state of an invitation that was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OpenInviteStatus {
    /// It can be accepted.
    Pending,
    /// It was not accepted in time. It can be sent again.
    Expired,
    /// The person who sent it may no longer give the role. It can be sent again by someone who may.
    Void,
}

/// An invitation that was neither accepted nor revoked.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenInviteOut {
    /// The invitation's id, which paging continues from.
    uid: Uuid,
    user_email: String,
    role: Role,
    status: OpenInviteStatus,
    /// Time of sending.
    time_sent: String,
    /// Time from which it can no longer be accepted.
    time_expires: String,
    /// The person who sent it: only the name.
    invited_by: Option<ProfileOut>,
}

/// Which invitations to list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OpenInvitesQuery {
    /// `true` lists the invitations of viewers only, `false` those to the staff only.
    viewers: Option<bool>,
}

/// List the open invitations of an organization
///
/// Newest first.
#[utoipa::path(get, path = "/organizations/{id}/invites", tag = "orgs",
    params(("id" = Uuid, Path), PageQuery, OpenInvitesQuery), responses(
    (status = 200, body = List<OpenInviteOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_invites(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(page): Query<PageQuery>,
    Query(query): Query<OpenInvitesQuery>,
) -> ApiResult<Json<List<OpenInviteOut>>> {
    let scope = orgs.enter::<ListStaff>(&bearer, id).await?;
    let (read, now) = (orgs.db.read(), orgs.ambient.now());
    let invites = store::invite::page(read, scope.org(), query.kind(), page.keyset()?).await?;
    let inviters: Vec<PersonId> = invites.iter().map(|invite| invite.inviter).collect();
    let members = store::membership::of_people(read, scope.org(), &inviters).await?;
    let people = orgs.identity.people(read, &inviters).await?;
    let profiles: HashMap<PersonId, ProfileOut> =
        people.iter().map(|person| (person.uid, orgs.identity.profile(person))).collect();
    Ok(Json(
        invites
            .into_iter()
            .map(|invite| OpenInviteOut {
                uid: invite.uid.into(),
                role: invite.role,
                status: status(&invite, &members, now),
                time_sent: iso(invite.sent_at),
                time_expires: iso(invite.expires_at),
                // The sender may have left since.
                invited_by: profiles.get(&invite.inviter).cloned().map(ProfileOut::name_only),
                user_email: invite.email,
            })
            .collect(),
    ))
}

impl OpenInvitesQuery {
    fn kind(&self) -> Option<Kind> {
        self.viewers.map(|viewers| if viewers { Kind::Viewers } else { Kind::Staff })
    }
}

fn status(invite: &Invite, members: &[Membership], now: Timestamp) -> OpenInviteStatus {
    if invite.is_void(members) {
        OpenInviteStatus::Void
    } else if invite.is_pending(now) {
        OpenInviteStatus::Pending
    } else {
        OpenInviteStatus::Expired
    }
}
