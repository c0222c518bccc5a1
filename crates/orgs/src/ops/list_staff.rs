//! `GET /organizations/{id}/users/staff`: the staff of an organisation.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::{Bearer, ProfileOut};
use kernel::{OrgId, PersonId, Problem, Uuid, iso};
use serde::Serialize;

use crate::rights::ListStaff;
use crate::{Orgs, Role, store};

/// A staff member.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffOut {
    /// The membership's id, which paging continues from.
    uid: Uuid,
    org_id: Uuid,
    role: Role,
    time_created: String,
    user_id: Uuid,
    user: Option<ProfileOut>,
}

/// List the staff of an organization
///
/// Newest first.
#[utoipa::path(get, path = "/organizations/{id}/users/staff", tag = "orgs",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = List<StaffOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_staff(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<StaffOut>>> {
    let scope = orgs.enter::<ListStaff>(&bearer, id).await?;
    let rows = store::membership::staff(orgs.db.read(), scope.org(), page.keyset()?).await?;
    let uids: Vec<PersonId> = rows.iter().map(|row| row.person).collect();
    let people = orgs.identity.people(orgs.db.read(), &uids).await?;
    let mut profiles: HashMap<PersonId, ProfileOut> =
        people.iter().map(|person| (person.uid, orgs.identity.profile(person))).collect();
    Ok(Json(
        rows.into_iter()
            .map(|row| StaffOut {
                uid: row.uid.into(),
                org_id: row.org.into(),
                role: row.role,
                time_created: iso(row.created_at),
                user_id: row.person.into(),
                user: profiles.remove(&row.person),
            })
            .collect(),
    ))
}
