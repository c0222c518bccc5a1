//! `GET /analytics/activity`: what consenting people did last.

use std::collections::{HashMap, HashSet};

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query, parse_org_id};
use identity::Bearer;
use kernel::{PersonId, Problem, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::store::people::{ActivityEntry, RecentEntry};
use crate::titles::Titles;
use crate::{Analytics, Error};

/// Organisation and number of entries.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// Number of entries, 1 to 100; default 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
}

/// Something a person did.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecentActivityOut {
    user_id: Uuid,
    /// May be empty.
    display_name: String,
    /// `visit`, `view`, `download` or `contact`.
    #[serde(rename = "type")]
    kind: String,
    time: String,
    content_id: Option<Uuid>,
    /// Null if the item was deleted.
    content_title: Option<String>,
    playlist_id: Option<Uuid>,
    /// Null if the playlist was deleted.
    playlist_title: Option<String>,
}

/// List an organization's recent activity
///
/// What people who consented did last, newest first.
#[utoipa::path(get, path = "/analytics/activity", tag = "analytics", params(ActivityQuery), responses(
    (status = 200, body = List<RecentActivityOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_activity(
    State(analytics): State<Analytics>,
    bearer: Bearer,
    Query(query): Query<ActivityQuery>,
) -> ApiResult<Json<List<RecentActivityOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = analytics.deps.orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    let limit = PageQuery { start_after: None, limit: query.limit }.keyset()?.limit;
    let conn = analytics.deps.db.read();
    let recent = analytics.reports.recent(scope.org(), limit).await.map_err(Error::from)?;
    let entries: Vec<ActivityEntry> = recent.iter().map(|recent| recent.entry.clone()).collect();
    let titles = Titles::of(&analytics, &scope, &entries).await.map_err(Error::from)?;
    let people: HashSet<PersonId> = recent.iter().map(|recent| recent.person).collect();
    let people: Vec<PersonId> = people.into_iter().collect();
    let people = analytics.deps.identity.people(conn, &people).await.map_err(Error::from)?;
    let names: HashMap<PersonId, String> =
        people.into_iter().map(|person| (person.uid, person.display_name.unwrap_or_default())).collect();
    Ok(Json(recent.into_iter().map(|recent| out(recent, &names, &titles)).collect()))
}

fn out(
    RecentEntry { person, entry }: RecentEntry,
    names: &HashMap<PersonId, String>,
    titles: &Titles,
) -> RecentActivityOut {
    RecentActivityOut {
        user_id: person.into(),
        display_name: names.get(&person).cloned().unwrap_or_default(),
        kind: entry.kind,
        time: iso(entry.at),
        content_title: entry.content.and_then(|content| titles.content.get(&content.into()).cloned()),
        content_id: entry.content.map(Into::into),
        playlist_title: entry.playlist.and_then(|playlist| titles.playlists.get(&playlist).cloned()),
        playlist_id: entry.playlist.map(Into::into),
    }
}
