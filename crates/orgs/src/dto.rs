//! JSON shapes used by more than one operation.

use std::collections::HashMap;

use kernel::{PersonId, Privacy, PublicUrl, Uuid, iso};
use sea_orm::ActiveEnum as _;
use serde::Serialize;
use serde_json::Value;

use crate::audit::{AuditAction, AuditEntry, AuditReferences};
use crate::grant;
use crate::model::{Membership, Organisation, Standing, Theme};
use crate::rights::Role;

/// Colors and wallpaper of an organization.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThemeOut {
    /// Absolute URL of the wallpaper image, or empty.
    pub background_url: String,
    /// Background color.
    pub primary_color: String,
    /// Button color.
    pub secondary_color: String,
    /// Text color.
    pub brand_text_color: String,
}

impl ThemeOut {
    /// Converts a theme to its JSON shape.
    pub fn of(theme: &Theme, public: &PublicUrl) -> Self {
        Self {
            background_url: public.address_of(theme.background.as_deref().unwrap_or_default()),
            primary_color: theme.primary.clone(),
            secondary_color: theme.secondary.clone(),
            brand_text_color: theme.text.clone(),
        }
    }
}

/// Contact details of an organization.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactOut {
    /// Email address, or empty.
    pub email: String,
    /// Phone number, or empty.
    pub phone_number: String,
}

/// An organization, as its members see it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganisationOut {
    /// The organization's id.
    pub uid: Uuid,
    /// The same id as `uid`.
    pub id: Uuid,
    /// Display name.
    pub name: String,
    /// Strapline.
    pub description: String,
    /// Absolute URL of the logo, or empty.
    pub logo_url: String,
    /// URL of the website, or empty.
    pub website: String,
    /// The joining link: for staff only, and only if one was created for a public organization.
    pub public_join_url: Option<String>,
    /// Who may see the organization.
    pub privacy: Privacy,
    /// The playlist the viewer app opens first.
    pub default_playlist: Option<Uuid>,
    /// Pinned playlists, in display order.
    pub pinned_playlists: Vec<Uuid>,
    /// Colors and wallpaper.
    pub theme: ThemeOut,
    /// Contact details.
    pub contact: ContactOut,
    /// IANA name of the time zone in which days and hours are reported.
    pub time_zone: String,
    /// Standing of the organization with respect to its plan.
    pub state: Standing,
    /// Staff roles that the caller may invite people to, highest first.
    pub assignable_roles: Vec<Role>,
    /// Creation time.
    pub time_created: String,
    /// Time of the last change; send it with a PATCH to detect conflicting edits.
    pub time_modified: String,
}

impl OrganisationOut {
    /// Converts an organisation to its JSON shape for a member with the given role. `is_individual`: whether it
    /// belongs to one person.
    pub fn of(organisation: &Organisation, role: Role, is_individual: bool, public: &PublicUrl) -> Self {
        let join = organisation.join_code.as_deref().filter(|_| role.is_staff());
        Self {
            uid: organisation.uid.into(),
            id: organisation.uid.into(),
            name: organisation.name.clone(),
            description: organisation.description.clone(),
            logo_url: public.address_of(organisation.logo.as_deref().unwrap_or_default()),
            website: organisation.website.clone().unwrap_or_default(),
            public_join_url: join.map(|code| join_url(public, code)),
            privacy: organisation.privacy,
            default_playlist: organisation.default_playlist.map(Into::into),
            pinned_playlists: organisation.pinned_playlists.iter().copied().map(Into::into).collect(),
            theme: ThemeOut::of(&organisation.theme, public),
            contact: ContactOut {
                email: organisation.contact_email.clone().unwrap_or_default(),
                phone_number: organisation.contact_phone.clone().unwrap_or_default(),
            },
            time_zone: organisation.time_zone.clone(),
            state: organisation.standing,
            assignable_roles: grant::assignable(role, is_individual),
            time_created: iso(organisation.created_at),
            time_modified: iso(organisation.modified_at),
        }
    }
}

/// Returns the joining link with this code.
pub fn join_url(public: &PublicUrl, code: &str) -> String {
    public.at(&format!("/app/join/{code}"))
}

/// The organization of a membership, in brief.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipOrganisationOut {
    /// The organization's id.
    pub id: Uuid,
    /// The same id as `id`.
    pub uid: Uuid,
    /// Display name.
    pub name: String,
    /// Strapline.
    pub description: String,
    /// Absolute URL of the logo, or empty.
    pub logo_url: String,
    /// Who may see the organization.
    pub privacy: Privacy,
    /// Standing of the organization with respect to its plan.
    pub state: Standing,
    /// IANA name of the time zone in which days and hours are reported.
    pub time_zone: String,
}

/// A membership of the signed-in person.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipOut {
    /// The membership's id.
    pub uid: Uuid,
    /// The person's id.
    pub user_id: Uuid,
    /// Time of joining.
    pub time_created: String,
    /// The person's role in the organization.
    pub role: Role,
    /// The organization, in brief.
    pub organisation: MembershipOrganisationOut,
}

impl MembershipOut {
    /// Converts a membership to its JSON shape.
    pub fn of(membership: &Membership, organisation: &Organisation, public: &PublicUrl) -> Self {
        Self {
            uid: membership.uid.into(),
            user_id: membership.person.into(),
            time_created: iso(membership.created_at),
            role: membership.role,
            organisation: MembershipOrganisationOut {
                id: organisation.uid.into(),
                uid: organisation.uid.into(),
                name: organisation.name.clone(),
                description: organisation.description.clone(),
                logo_url: public.address_of(organisation.logo.as_deref().unwrap_or_default()),
                privacy: organisation.privacy,
                state: organisation.standing,
                time_zone: organisation.time_zone.clone(),
            },
        }
    }
}

/// The person who made a change.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditActorOut {
    /// The person's id.
    pub user_id: Uuid,
    /// Name to show; empty if the person was deleted, or has none and is not a member any more.
    pub display_name: String,
}

/// What was changed.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditTargetOut {
    /// `person`, `invite`, `organization`, `playlist`, `content` or `account`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Id of what was changed.
    pub id: Uuid,
    /// Its name; empty if it has none, or was deleted with the person it belonged to.
    pub name: String,
    /// Whether it is still there: a person who is a member (of a billing account: who has an account), an item or a
    /// playlist that was not deleted. True for the rest.
    pub exists: bool,
}

/// A change.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntryOut {
    /// The entry's id, which paging continues from.
    pub uid: Uuid,
    /// Time of the change.
    pub time: String,
    /// Who made it; null if the server did.
    pub actor: Option<AuditActorOut>,
    /// What was done.
    pub action: AuditAction,
    /// What was changed.
    pub target: AuditTargetOut,
    /// The changed fields before; null if none is recorded.
    #[schema(value_type = Option<HashMap<String, Value>>)]
    pub before: Option<Value>,
    /// The changed fields after; null if none is recorded.
    #[schema(value_type = Option<HashMap<String, Value>>)]
    pub after: Option<Value>,
    /// Titles of the playlists that `before` and `after` refer to, by id; without deleted ones.
    pub titles: HashMap<Uuid, String>,
}

impl AuditEntryOut {
    /// Converts an entry to its JSON shape, with what it refers to.
    pub(crate) fn of(entry: AuditEntry, known: &AuditReferences) -> Self {
        let AuditEntry { uid, created_at, record } = entry;
        let name_of = |person: PersonId| known.names.get(&person).cloned();
        let word = record.action.to_value();
        let kind = word.split('.').next().unwrap_or_default().to_owned();
        let playlists = record.playlists();
        let titles = playlists.iter().filter_map(|id| Some((*id, known.titles.get(id)?.clone()))).collect();
        let (name, exists) = match kind.as_str() {
            "person" => (name_of(record.target.into()), known.members.contains(&record.target.into())),
            "invite" => (known.invited.get(&record.target).cloned(), true),
            "playlist" | "content" => (record.name, known.titles.contains_key(&record.target)),
            _ => (record.name, true),
        };
        Self {
            uid,
            time: iso(created_at),
            actor: record.actor.map(|actor| AuditActorOut {
                user_id: actor.into(),
                display_name: name_of(actor).unwrap_or_default(),
            }),
            action: record.action,
            target: AuditTargetOut { kind, id: record.target, name: name.unwrap_or_default(), exists },
            before: record.before,
            after: record.after,
            titles,
        }
    }
}
