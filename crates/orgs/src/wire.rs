//! JSON shapes used by more than one operation.

use kernel::{Privacy, PublicUrl, Uuid, iso};
use serde::Serialize;

use crate::model::{Membership, Organisation, Standing, Theme};
use crate::rights::Role;

/// The organisation's colours and wallpaper.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThemeOut {
    /// Absolute address of the wallpaper, or empty.
    pub background_url: String,
    /// Background.
    pub primary_color: String,
    /// Button colour.
    pub secondary_color: String,
    /// Text colour.
    pub brand_text_color: String,
}

impl ThemeOut {
    /// The wire shape of a theme.
    pub fn of(theme: &Theme, public: &PublicUrl) -> Self {
        Self {
            background_url: public.address_of(&theme.background),
            primary_color: theme.primary.clone(),
            secondary_color: theme.secondary.clone(),
            brand_text_color: theme.text.clone(),
        }
    }
}

/// Whom to write to or call.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactOut {
    /// E-mail, or empty.
    pub email: String,
    /// Phone number, or empty.
    pub phone_number: String,
}

/// An organisation in full (spec section 3), for its members.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganisationOut {
    /// Its id.
    pub uid: Uuid,
    /// The same id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its strapline.
    pub description: String,
    /// Absolute address of its logo, or empty.
    pub logo_url: String,
    /// Its website, or empty.
    pub website: String,
    /// The joining link, for staff of a public organisation that made one.
    pub public_join_url: Option<String>,
    /// Who may see it.
    pub privacy: Privacy,
    /// The playlist the viewer app opens first.
    pub default_playlist: Option<Uuid>,
    /// Pinned playlists, in their order.
    pub pinned_playlists: Vec<Uuid>,
    /// Its colours.
    pub theme: ThemeOut,
    /// Its contact.
    pub contact: ContactOut,
    /// How it stands with its plan.
    pub state: Standing,
    /// When it was made.
    pub time_created: String,
    /// When it was changed last.
    pub time_modified: String,
}

impl OrganisationOut {
    /// The wire shape of an organisation for a member of the given role.
    pub fn of(organisation: &Organisation, role: Role, public: &PublicUrl) -> Self {
        let join = organisation.join_code.as_deref().filter(|_| role.is_staff());
        Self {
            uid: organisation.uid,
            id: organisation.uid,
            name: organisation.name.clone(),
            description: organisation.description.clone(),
            logo_url: public.address_of(&organisation.logo),
            website: organisation.website.clone(),
            public_join_url: join.map(|code| join_url(public, code)),
            privacy: organisation.privacy,
            default_playlist: organisation.default_playlist,
            pinned_playlists: organisation.pinned_playlists.clone(),
            theme: ThemeOut::of(&organisation.theme, public),
            contact: ContactOut {
                email: organisation.contact_email.clone(),
                phone_number: organisation.contact_phone.clone(),
            },
            state: organisation.standing,
            time_created: iso(organisation.created_at),
            time_modified: iso(organisation.modified_at),
        }
    }
}

/// The address a joining code is reached at.
pub fn join_url(public: &PublicUrl, code: &str) -> String {
    public.at(&format!("/app/join/{code}"))
}

/// The part of an organisation that a membership carries.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipOrganisationOut {
    /// Its id.
    pub id: Uuid,
    /// The same id.
    pub uid: Uuid,
    /// Its name.
    pub name: String,
    /// Absolute address of its logo, or empty.
    pub logo_url: String,
    /// Who may see it.
    pub privacy: Privacy,
    /// How it stands with its plan.
    pub state: Standing,
}

/// A membership of the caller.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipOut {
    /// Its id.
    pub uid: Uuid,
    /// The person.
    pub user_id: Uuid,
    /// Since when.
    pub time_created: String,
    /// The role.
    pub role: Role,
    /// Where.
    pub organisation: MembershipOrganisationOut,
}

impl MembershipOut {
    /// The wire shape of a membership.
    pub fn of(membership: &Membership, organisation: &Organisation, public: &PublicUrl) -> Self {
        Self {
            uid: membership.uid,
            user_id: membership.person,
            time_created: iso(membership.created_at),
            role: membership.role,
            organisation: MembershipOrganisationOut {
                id: organisation.uid,
                uid: organisation.uid,
                name: organisation.name.clone(),
                logo_url: public.address_of(&organisation.logo),
                privacy: organisation.privacy,
                state: organisation.standing,
            },
        }
    }
}
