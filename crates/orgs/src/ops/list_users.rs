//! `GET /organizations/{id}/users`: staff and app users in one list, one row per person.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, PageQuery, Path, Query, search_text};
use identity::{Bearer, ProfileOut};
use kernel::{OrgId, PersonId, Problem, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::model::{OrgPerson, PeopleFilter};
use crate::rights::ListUsers;
use crate::{Orgs, Role, store};

/// Filter and page of the list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// `userId` of the last row of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100; default 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
    /// Beginnings of words of a name, the email address or the company; all of them must match.
    search: Option<String>,
    /// Whether to return only managers, account admins and super admins.
    #[serde(default)]
    admins: bool,
}

/// A person known to the organization: staff, an app user, or a person who answered the notice.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserOut {
    user_id: Uuid,
    /// The membership's id; null for people who are not members.
    membership_id: Option<Uuid>,
    /// Role in the organization; `user` for people without a membership.
    role: Role,
    /// Profile; only the display name for people with neither a membership nor consent.
    user: ProfileOut,
    /// When the person became a member; null for people who are no longer members.
    time_joined: Option<String>,
    /// Latest answer to the notice; null if the person has not answered.
    consent: Option<bool>,
    /// Whether the person is kept from rejoining.
    blocked: bool,
    /// When that answer was given.
    time_consent: Option<String>,
    /// When the person was last active; absent without consent, and if there was no activity under it.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_seen_at: Option<String>,
}

/// A page of people.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct UsersOut {
    data: Vec<UserOut>,
    /// Number of people, regardless of search and filter.
    total: i64,
}

/// List an organization's people
///
/// Returns staff and app users in one list, newest person first.
#[utoipa::path(get, path = "/organizations/{id}/users", tag = "orgs",
    params(("id" = Uuid, Path), UsersQuery), responses(
    (status = 200, body = UsersOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_users(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(query): Query<UsersQuery>,
) -> ApiResult<Json<UsersOut>> {
    let scope = orgs.enter::<ListUsers>(&bearer, id).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let filter = PeopleFilter { search: search_text(query.search)?, admins: query.admins };
    let conn = orgs.db.read();
    let (rows, total) = futures::try_join!(
        store::people::page(conn, scope.org(), &filter, keyset),
        store::people::count(conn, scope.org()),
    )?;
    let people: Vec<PersonId> = rows.iter().map(|row| row.person).collect();
    let consents = |row: &&OrgPerson| row.answer.is_some_and(|answer| answer.given);
    let consenting: Vec<PersonId> = rows.iter().filter(consents).map(|row| row.person).collect();
    let (people, last_seen) = futures::try_join!(
        orgs.identity.people(conn, &people),
        orgs.ports.last_seen.last_seen(conn, scope.org(), &consenting),
    )?;
    let mut profiles: HashMap<PersonId, ProfileOut> =
        people.iter().map(|person| (person.uid, orgs.identity.profile(person))).collect();
    let data = rows
        .into_iter()
        .filter_map(|row| {
            let profile = profiles.remove(&row.person)?;
            Some(UserOut {
                user_id: row.person.into(),
                membership_id: row.membership.map(Into::into),
                user: if row.shows_profile() { profile } else { profile.name_only() },
                role: row.role,
                time_joined: row.joined_at.map(iso),
                consent: row.answer.map(|answer| answer.given),
                blocked: row.is_blocked,
                time_consent: row.answer.map(|answer| iso(answer.at)),
                last_seen_at: last_seen.get(&row.person).copied().map(iso),
            })
        })
        .collect();
    Ok(Json(UsersOut { data, total }))
}
