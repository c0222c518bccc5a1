//! `GET /organizations/{id}/users/consent`: the answers to the consent notice.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Path, Query};
use identity::{Bearer, ProfileOut};
use kernel::{OrgId, PersonId, Problem};
use orgs::may_see_profile;
use orgs::rights::ListConsent;

use crate::dto::ConsentOut;
use crate::{Audience, store};

/// List consents
///
/// Returns the latest answer of each person, newest first.
#[utoipa::path(get, path = "/organizations/{id}/users/consent", tag = "audience",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = List<ConsentOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_consents(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
    Query(page): Query<PageQuery>,
) -> ApiResult<Json<List<ConsentOut>>> {
    let scope = audience.orgs.enter::<ListConsent>(&bearer, id).await?;
    let records = store::consent::page(audience.db.read(), scope.org(), page.keyset()?).await?;
    let people: Vec<PersonId> = records.iter().map(|record| record.person).collect();
    let mut profiles = audience.profiles(&people).await?;
    let members = audience.orgs.memberships_in(audience.db.read(), scope.org(), &people).await?;
    let members: HashSet<PersonId> = members.into_iter().map(|member| member.person).collect();
    Ok(Json(
        records
            .into_iter()
            .map(|record| {
                let full_profile =
                    may_see_profile(members.contains(&record.person), Some(record.consent.given));
                let user = profiles.remove(&record.person);
                let user = if full_profile { user } else { user.map(ProfileOut::name_only) };
                ConsentOut::of(record, user)
            })
            .collect(),
    ))
}
