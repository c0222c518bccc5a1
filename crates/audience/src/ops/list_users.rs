//! `GET /organizations/{id}/users`: staff and app users in one list, one row per person.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, PageQuery, Path, Query, search_text};
use identity::{Bearer, ProfileOut};
use kernel::{OrgId, PersonId, Problem, Uuid, iso};
use orgs::Role;
use orgs::rights::ListUsers;
use serde::{Deserialize, Serialize};

use crate::{Audience, model, store};

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
    /// Part of a name, the email address or the company.
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
    /// When that answer was given.
    time_consent: Option<String>,
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
#[utoipa::path(get, path = "/organizations/{id}/users", tag = "audience",
    params(("id" = Uuid, Path), UsersQuery), responses(
    (status = 200, body = UsersOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_users(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(query): Query<UsersQuery>,
) -> ApiResult<Json<UsersOut>> {
    let scope = audience.orgs.enter::<ListUsers>(&bearer, id).await?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let filter = store::people::Filter { search: search_text(query.search)?, admins: query.admins };
    let rows = store::people::page(audience.db.read(), scope.org(), &filter, keyset).await?;
    let total = store::people::count(audience.db.read(), scope.org()).await?;
    let people: Vec<PersonId> = rows.iter().map(|row| row.person).collect();
    let mut profiles = audience.profiles(&people).await?;
    let data = rows
        .into_iter()
        .filter_map(|row| {
            let profile = profiles.remove(&row.person)?;
            let full_profile =
                model::may_see_profile(row.joined_at.is_some(), row.consent.map(|(given, _)| given));
            Some(UserOut {
                user_id: row.person.into(),
                membership_id: row.membership.map(Into::into),
                role: row.role,
                user: if full_profile { profile } else { profile.name_only() },
                time_joined: row.joined_at.map(iso),
                consent: row.consent.map(|(given, _)| given),
                time_consent: row.consent.map(|(_, at)| iso(at)),
            })
        })
        .collect();
    Ok(Json(UsersOut { data, total }))
}
