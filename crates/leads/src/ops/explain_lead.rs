//! `GET /analytics/leads/{userId}`: why a lead has its score.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path, Query, parse_org_id};
use identity::Bearer;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Problem, Uid, Uuid, iso};
use orgs::rights::ViewAnalytics;
use serde::{Deserialize, Serialize};

use crate::dto::LeadOut;
use crate::model::LeadKey;
use crate::reasons::{Reason, ReasonCause, reasons};
use crate::{Error, Leads, store};

/// Entries of the ledger that are read; two of them may be one reason.
const ENTRIES_MAX: i64 = 300;

/// The organisation of the lead.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeadQuery {
    /// Id of the organization.
    org_id: Option<String>,
}

/// Something that gave a lead points.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeadReasonOut {
    cause: ReasonCause,
    /// Points as they were given.
    points: f64,
    /// What is left of them today.
    current: f64,
    /// When it happened; the latest time of the day if it happened more than once.
    time: String,
    /// The item that was watched or downloaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_id: Option<Uuid>,
    /// Its title; absent if it was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_title: Option<String>,
    /// The playlist whose contact was tapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    playlist_id: Option<Uuid>,
    /// Its title; absent if it was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    playlist_title: Option<String>,
}

/// A lead with what gave it its points.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LeadExplanationOut {
    lead: LeadOut,
    /// Newest first, at most 100.
    reasons: Vec<LeadReasonOut>,
}

/// Explain a lead's score
///
/// Lists what gave the lead points under the person's current consent. Entries are kept for 13 months
/// unless the operator sets another time.
#[utoipa::path(get, path = "/analytics/leads/{userId}", tag = "leads",
    params(("userId" = Uuid, Path), LeadQuery), responses(
    (status = 200, body = LeadExplanationOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn explain_lead(
    State(leads): State<Leads>,
    bearer: Bearer,
    Path(person): Path<PersonId>,
    Query(query): Query<LeadQuery>,
) -> ApiResult<Json<LeadExplanationOut>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = leads.orgs.enter::<ViewAnalytics>(&bearer, org).await?;
    Ok(Json(explain(&leads, LeadKey { org: scope.org(), person }).await?))
}

async fn explain(leads: &Leads, key: LeadKey) -> Result<LeadExplanationOut, Error> {
    let conn = leads.db.read();
    let lead = store::list::current(conn, key.org, &[key.person]).await?.remove(&key.person);
    let lead = lead.ok_or_else(|| Problem::not_found("Lead"))?;
    let entries = store::ledger::of_person(conn, key, lead.since, ENTRIES_MAX).await?;
    let first_days: HashMap<Uid, i64> =
        store::ledger::first_days(conn, key, lead.since).await?.into_iter().collect();
    let all = reasons(&entries, &first_days, leads.ambient.now().days());
    let titles = Titles::read(leads, key.org, &all).await?;
    Ok(LeadExplanationOut {
        lead: lead.into(),
        reasons: all.into_iter().map(|one| titles.out(one)).collect(),
    })
}

/// Titles of the items and playlists of the reasons.
struct Titles {
    content: HashMap<ContentId, String>,
    playlists: HashMap<PlaylistId, String>,
}

impl Titles {
    async fn read(leads: &Leads, org: OrgId, reasons: &[Reason]) -> Result<Self, Error> {
        let (mut content, mut playlists) = (Vec::new(), Vec::new());
        for reason in reasons {
            match (reason.cause, reason.item) {
                (ReasonCause::Contact, Some(item)) => playlists.push(PlaylistId::from(item)),
                (_, Some(item)) => content.push(ContentId::from(item)),
                (_, None) => {}
            }
        }
        let conn = leads.db.read();
        let playlists = leads.playlists.by_ids(conn, org, &playlists).await?;
        Ok(Self {
            content: content::titles(conn, org, &content).await?,
            playlists: playlists.into_iter().map(|playlist| (playlist.uid, playlist.title)).collect(),
        })
    }

    fn out(&self, reason: Reason) -> LeadReasonOut {
        let Reason { cause, item, points, current, at } = reason;
        let playlist = item.filter(|_| cause == ReasonCause::Contact).map(PlaylistId::from);
        let content = item.filter(|_| cause != ReasonCause::Contact).map(ContentId::from);
        LeadReasonOut {
            cause,
            points,
            current,
            time: iso(at),
            content_id: content.map(Into::into),
            content_title: content.and_then(|uid| self.content.get(&uid).cloned()),
            playlist_id: playlist.map(Into::into),
            playlist_title: playlist.and_then(|uid| self.playlists.get(&uid).cloned()),
        }
    }
}
