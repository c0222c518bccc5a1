//! JSON shapes used by more than one operation.

use identity::ProfileOut;
use kernel::{PublicUrl, Uuid, iso};
use orgs::{Organisation, ThemeOut};
use serde::Serialize;

use crate::model::{Method, Record};

/// What a joining page shows of an organisation.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinOrganisationOut {
    /// Its id.
    pub uid: Uuid,
    /// Its name.
    pub name: String,
    /// Its strapline.
    pub description: String,
    /// Absolute address of its logo, or empty.
    pub logo_url: String,
    /// Its colours.
    pub theme: ThemeOut,
}

impl JoinOrganisationOut {
    /// The branded fields of an organisation.
    pub fn of(organisation: &Organisation, public: &PublicUrl) -> Self {
        Self {
            uid: organisation.uid,
            name: organisation.name.clone(),
            description: organisation.description.clone(),
            logo_url: public.address_of(&organisation.logo),
            theme: ThemeOut::of(&organisation.theme, public),
        }
    }
}

/// An answer to the consent notice.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentOut {
    /// The record's id.
    pub uid: Uuid,
    /// The organisation.
    pub org_id: Uuid,
    /// The answer.
    pub consent: bool,
    /// When it was given.
    pub time_created: String,
    /// Who gave it.
    pub user_id: Uuid,
    /// The person's profile.
    pub user: Option<ProfileOut>,
    /// Which notice was answered.
    pub notice_version: String,
    /// How it was given.
    pub method: Method,
}

impl ConsentOut {
    /// The wire shape of a record.
    pub fn of(record: Record, user: Option<ProfileOut>) -> Self {
        Self {
            uid: record.uid,
            org_id: record.org,
            consent: record.consent.given,
            time_created: iso(record.created_at),
            user_id: record.person,
            user,
            notice_version: record.notice_version,
            method: record.method,
        }
    }
}
