//! JSON shapes used by more than one operation.

use identity::ProfileOut;
use kernel::{PublicUrl, Uuid, iso};
use orgs::{Organisation, ThemeOut};
use serde::Serialize;

use crate::model::{ConsentRecord, Method};
use crate::notice;

/// An organization as the join page shows it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinOrganisationOut {
    pub uid: Uuid,
    pub name: String,
    /// Tagline of the organization.
    pub description: String,
    /// Absolute URL of the logo, or empty.
    pub logo_url: String,
    pub theme: ThemeOut,
}

impl JoinOrganisationOut {
    /// Creates the shape from an organisation.
    pub fn of(organisation: &Organisation, public: &PublicUrl) -> Self {
        Self {
            uid: organisation.uid.into(),
            name: organisation.name.clone(),
            description: organisation.description.clone(),
            logo_url: public.address_of(organisation.logo.as_deref().unwrap_or_default()),
            theme: ThemeOut::of(&organisation.theme, public),
        }
    }
}

/// The consent notice to be answered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct NoticeOut {
    /// Version, to be sent back with the answer.
    version: &'static str,
    /// Text, with paragraphs separated by blank lines.
    text: &'static str,
}

impl NoticeOut {
    /// Returns the current notice.
    pub fn current() -> Self {
        Self { version: notice::VERSION, text: notice::TEXT }
    }
}

/// An answer to the consent notice.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentOut {
    /// Id of the consent record.
    pub uid: Uuid,
    /// Id of the organization that asked.
    pub org_id: Uuid,
    /// Whether the person consents.
    pub consent: bool,
    /// When the answer was given.
    pub time_created: String,
    /// Id of the person who answered.
    pub user_id: Uuid,
    /// Profile of the person; lists show only the display name of people with neither membership nor consent.
    pub user: Option<ProfileOut>,
    /// Version of the notice that was answered.
    pub notice_version: String,
    /// How the answer was given.
    pub method: Method,
}

impl ConsentOut {
    /// Creates the shape from a record.
    pub fn of(record: ConsentRecord, user: Option<ProfileOut>) -> Self {
        Self {
            uid: record.uid.into(),
            org_id: record.org.into(),
            consent: record.consent.given,
            time_created: iso(record.created_at),
            user_id: record.person.into(),
            user,
            notice_version: record.notice_version,
            method: record.method,
        }
    }
}
