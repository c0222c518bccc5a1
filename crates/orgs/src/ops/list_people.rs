//! `GET /profiles/{id1;id2;…}?orgId=`: profiles of an organisation's members, and of people who consent.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, Path, Query, parse_org_id};
use identity::{Bearer, ProfileOut};
use kernel::{PersonId, Problem};
use serde::Deserialize;

use crate::rights::{ListStaff, ViewAnalytics};
use crate::{Error, OrgPerson, OrgScope, Orgs, Role, store};

/// Maximum number of ids per request.
const IDS_MAX: usize = 50;

/// The organisation on whose behalf the profiles are requested.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PeopleQuery {
    /// The organization that knows the people; required.
    org_id: Option<String>,
}

/// List the profiles of an organization's people
///
/// The profiles are in the order of the ids, at most 50. Unknown ids and people who neither are members nor consent
/// are left out, and so are staff if you may not list roles.
#[utoipa::path(get, path = "/profiles/{ids}", tag = "orgs",
    params(("ids" = String, Path, description = "uids, separated by semicolons"), PeopleQuery), responses(
    (status = 200, body = List<ProfileOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_people(
    State(orgs): State<Orgs>,
    bearer: Bearer,
    Path(ids): Path<String>,
    Query(query): Query<PeopleQuery>,
) -> ApiResult<Json<List<ProfileOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    Ok(Json(people(&orgs, &scope, &parse_ids(&ids)?).await?))
}

/// Handles the URL without any id, which the route with a parameter does not match.
pub async fn list_people_without_ids(
    orgs: State<Orgs>,
    bearer: Bearer,
    query: Query<PeopleQuery>,
) -> ApiResult<Json<List<ProfileOut>>> {
    list_people(orgs, bearer, Path(String::new()), query).await
}

/// Parses the requested ids, skipping those that are not uids.
fn parse_ids(ids: &str) -> Result<Vec<PersonId>, Error> {
    let parts: Vec<&str> = ids.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts.len() {
        0 => Err(Error::NoIds),
        n if n > IDS_MAX => Err(Error::TooManyIds),
        _ => Ok(parts.iter().filter_map(|part| part.parse().ok()).collect()),
    }
}

async fn people(
    orgs: &Orgs,
    scope: &OrgScope<ViewAnalytics>,
    ids: &[PersonId],
) -> Result<List<ProfileOut>, Error> {
    let conn = orgs.db.read();
    let members = store::membership::of_people(conn, scope.org(), ids).await?;
    let roles: HashMap<PersonId, Role> = members.iter().map(|member| (member.person, member.role)).collect();
    let may_see = |person: &OrgPerson| match (person.membership, roles.get(&person.person)) {
        (Some(_), Some(role)) => !role.is_staff() || scope.may::<ListStaff>(),
        (Some(_), None) => false,
        (None, _) => person.shows_profile(),
    };
    let known = store::people::of_people(conn, scope.org(), ids).await?;
    let visible: Vec<PersonId> = known.into_iter().filter(may_see).map(|person| person.person).collect();
    let people = orgs.identity.people(conn, &visible).await?;
    let mut profiles: HashMap<PersonId, ProfileOut> =
        people.iter().map(|person| (person.uid, orgs.identity.profile(person))).collect();
    Ok(ids.iter().filter_map(|id| profiles.remove(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_fifty_ids() {
        let id = "018f0000-0000-7000-8000-000000000001";
        assert!(matches!(parse_ids(" ; "), Err(Error::NoIds)));
        assert_eq!(parse_ids(&format!("{id};nonsense")).unwrap(), [id.parse::<PersonId>().unwrap()]);
        assert!(matches!(parse_ids(&vec![id; 51].join(";")), Err(Error::TooManyIds)));
    }
}
