//! JSON shapes used by more than one operation.

use kernel::{Timestamp, Uuid, iso};
use serde::Serialize;

use crate::model::{Lead, Temperature};
use crate::store::email::Wanted;

/// A lead.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeadOut {
    user_id: Uuid,
    org_id: Uuid,
    /// 0 to 100.
    score: i64,
    temperature: Temperature,
    /// When score or temperature last changed.
    last_modified: String,
    /// Start of the latest visit, or a later moment that gave points; null if that is unknown.
    last_seen: Option<String>,
    /// When the person became a lead.
    time_created: String,
}

impl From<Lead> for LeadOut {
    fn from(lead: Lead) -> Self {
        Self {
            user_id: lead.person.into(),
            org_id: lead.org.into(),
            score: lead.score,
            temperature: lead.temperature,
            last_modified: iso(lead.modified_at),
            last_seen: (lead.last_seen_at > Timestamp::EPOCH).then(|| iso(lead.last_seen_at)),
            time_created: iso(lead.created_at),
        }
    }
}

/// Which emails you get as a member of staff.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffEmailsOut {
    /// An email when a lead becomes hot, at most once a week for each lead.
    hot_leads: bool,
    /// A summary of the leads on Mondays at 08:00 in the organization's time zone.
    weekly_summary: bool,
}

impl From<Wanted> for StaffEmailsOut {
    fn from(wanted: Wanted) -> Self {
        Self { hot_leads: wanted.hot_leads, weekly_summary: wanted.weekly_summary }
    }
}
