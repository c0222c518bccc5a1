//! Organisations and the rules for their settings.

use std::collections::HashSet;

use kernel::{
    Colour, Email, InviteId, MembershipId, OrgId, Patch, PersonId, PlaylistId, Privacy, PublicUrl, Timestamp,
    WebUrl,
};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::{Error, Role, grant};

/// Maximum number of pinned playlists.
pub const PINS_MAX: usize = 4;
/// The limit of a billing account's name, which becomes the name of an organisation bought with it.
const NAME_MAX: usize = 300;
const TEXT_MAX: usize = 2_000;
/// The time zone of an organisation that has chosen none.
pub const UTC: &str = "UTC";

/// The standing of an organization with respect to its plan.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Standing {
    /// The plan is paid.
    #[sea_orm(string_value = "active")]
    Active,
    /// The last payment failed; everything still works.
    #[sea_orm(string_value = "pastDue")]
    PastDue,
    /// The plan has been unpaid for too long: members can look and the plan can be paid or bought again, but no one
    /// can make changes, and app users see no content.
    #[sea_orm(string_value = "suspended")]
    Suspended,
    /// The plan has ended: the organisation is hidden from its members but kept in storage.
    #[sea_orm(string_value = "ended")]
    Ended,
}

impl Standing {
    /// Returns whether app users see content.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::PastDue)
    }
}

/// The standing that follows from the payment provider's last answer, and when time alone changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanStanding {
    /// The standing when the provider answered.
    pub answered: Standing,
    /// When an organisation that is past due is suspended.
    pub suspended_from: Option<Timestamp>,
}

impl From<Standing> for PlanStanding {
    fn from(answered: Standing) -> Self {
        Self { answered, suspended_from: None }
    }
}

impl PlanStanding {
    /// Returns the standing at `now`.
    pub fn at(self, now: Timestamp) -> Standing {
        match self {
            Self { answered: Standing::PastDue, suspended_from: Some(from) } if from <= now => {
                Standing::Suspended
            }
            Self { answered, .. } => answered,
        }
    }
}

/// The colours and wallpaper of an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Path of the wallpaper image, if there is one.
    pub background: Option<String>,
    /// Background colour.
    pub primary: String,
    /// Button colour.
    pub secondary: String,
    /// Text colour.
    pub text: String,
}

impl Default for Theme {
    /// Orange, purple and white, in shades of the palette with enough contrast for white text.
    fn default() -> Self {
        Self {
            background: None,
            primary: "#ca4500".to_owned(),
            secondary: "#703cd2".to_owned(),
            text: "#ffffff".to_owned(),
        }
    }
}

/// The settings and the standing of an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Organisation {
    /// The organization's id.
    pub uid: OrgId,
    /// Display name.
    pub name: String,
    /// Strapline.
    pub description: String,
    /// Path of the logo image, if there is one.
    pub logo: Option<String>,
    /// URL of the website, if there is one.
    pub website: Option<String>,
    /// Who may see the organization.
    pub privacy: Privacy,
    /// The code of the joining link, if there is one.
    pub join_code: Option<String>,
    /// The playlist the viewer app opens first.
    pub default_playlist: Option<PlaylistId>,
    /// Pinned playlists, in display order.
    pub pinned_playlists: Vec<PlaylistId>,
    /// Colours and wallpaper.
    pub theme: Theme,
    /// Contact email, if there is one.
    pub contact_email: Option<String>,
    /// Contact phone, if there is one.
    pub contact_phone: Option<String>,
    /// IANA name of the time zone in which days and hours are reported.
    pub time_zone: String,
    /// Standing with respect to the plan when this was read.
    pub standing: Standing,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change to the settings.
    pub modified_at: Timestamp,
}

impl Organisation {
    /// Returns the modification time of a change made at `now`. Two changes within one millisecond get
    /// different times, because editors compare them to detect conflicts.
    pub(crate) fn next_modified_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.modified_at + 1)
    }
}

/// A person's membership in an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The membership's id.
    pub uid: MembershipId,
    /// The organization's id.
    pub org: OrgId,
    /// The person's id.
    pub person: PersonId,
    /// The person's role in the organization.
    pub role: Role,
    /// Time of joining.
    pub created_at: Timestamp,
}

/// A person's latest answer to the notice of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsentAnswer {
    /// Whether consent was given.
    pub given: bool,
    /// When it was given.
    pub at: Timestamp,
}

/// A person an organisation knows: a member, or one who answered the notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgPerson {
    /// The person's id.
    pub person: PersonId,
    /// The membership's id; `None` for people who are not members.
    pub membership: Option<MembershipId>,
    /// `User` for people who are not members.
    pub role: Role,
    /// When the person became a member.
    pub joined_at: Option<Timestamp>,
    /// Latest answer to the notice.
    pub answer: Option<ConsentAnswer>,
    /// Whether the person is kept from rejoining.
    pub is_blocked: bool,
}

impl OrgPerson {
    /// Returns whether the organisation may see the person's profile.
    pub fn shows_profile(&self) -> bool {
        may_see_profile(self.membership.is_some(), self.answer.map(|answer| answer.given))
    }
}

/// Returns whether an organisation may see a person's profile: that of members, and of people who consent.
pub fn may_see_profile(is_member: bool, consent: Option<bool>) -> bool {
    is_member || consent == Some(true)
}

/// Which people to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeopleFilter {
    /// Beginnings of words of a name, the email address or the company.
    pub search: Option<String>,
    /// Only managers, account admins and super admins.
    pub admins: bool,
}

/// An invitation to the staff of an organisation. Its state follows from its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The invitation's id.
    pub uid: InviteId,
    /// The organisation's id.
    pub org: OrgId,
    /// The address it was sent to, in lower case.
    pub email: String,
    /// The role that the person gets.
    pub role: Role,
    /// The person who sent it. One to a staff role is void when that person may no longer give the role.
    pub inviter: PersonId,
    /// Time of sending.
    pub sent_at: Timestamp,
    /// Time from which it can no longer be accepted.
    pub expires_at: Timestamp,
    /// Time of its acceptance.
    pub accepted_at: Option<Timestamp>,
    /// Time at which it was revoked or replaced.
    pub revoked_at: Option<Timestamp>,
}

impl Invite {
    /// Returns whether its sender may no longer give the role. `members` must contain the sender's membership, if
    /// there is one.
    pub(crate) fn is_void(&self, members: &[Membership]) -> bool {
        // Viewers are invited by the organisation: they may come when the member of staff has left.
        if !self.role.is_staff() {
            return false;
        }
        let sender = members.iter().find(|member| member.person == self.inviter);
        !grant::may_invite(sender.map(|member| member.role), self.role)
    }

    /// Returns whether it can be accepted at `now`, unless it is void.
    pub fn is_pending(&self, now: Timestamp) -> bool {
        self.accepted_at.is_none() && self.revoked_at.is_none() && now < self.expires_at
    }
}

/// The initial data of a new organisation.
#[derive(Clone, Debug)]
pub struct NewOrg {
    /// Display name; must not be empty.
    pub name: String,
    /// The person who becomes super admin.
    pub owner: PersonId,
    /// Contact email, if there is one.
    pub contact_email: Option<String>,
    /// Contact phone, if there is one.
    pub contact_phone: Option<String>,
    /// Time zone of its reports, as [`crate::known_time_zone`] returned it; UTC if there is none.
    pub time_zone: Option<String>,
}

/// A change of the settings; fields that are `None` or absent stay as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub name: Option<String>,
    pub description: Option<String>,
    pub logo: Patch<String>,
    pub website: Patch<String>,
    pub privacy: Option<Privacy>,
    pub default_playlist: Patch<PlaylistId>,
    pub pinned_playlists: Option<Vec<PlaylistId>>,
    pub background: Patch<String>,
    pub primary: Option<String>,
    pub secondary: Option<String>,
    pub text: Option<String>,
    pub contact_email: Patch<String>,
    pub contact_phone: Patch<String>,
    pub time_zone: Option<String>,
}

/// Validates the name, which must not be empty.
pub fn name(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(name) if name.trim().is_empty() => Err(Error::NameRequired),
        Some(name) if name.chars().count() > NAME_MAX => Err(Error::TooLong("name")),
        other => Ok(other),
    }
}

/// Validates a free text of limited length.
pub fn text(field: &'static str, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if text.chars().count() > TEXT_MAX => Err(Error::TooLong(field)),
        other => Ok(other),
    }
}

/// Validates a text of limited length that may be cleared.
pub fn optional_text(field: &'static str, value: Patch<String>) -> Result<Patch<String>, Error> {
    match value.null_if_empty() {
        Patch::Value(text) if text.chars().count() > TEXT_MAX => Err(Error::TooLong(field)),
        other => Ok(other),
    }
}

/// Validates the URL of a website, which may be cleared.
pub fn website(value: Patch<String>) -> Result<Patch<String>, Error> {
    match value.null_if_empty() {
        Patch::Value(text) if WebUrl::parse(&text).is_none() => Err(Error::InvalidWebsite),
        other => Ok(other),
    }
}

/// Validates a contact email, which may be cleared.
///
/// # Errors
/// [`Error::InvalidEmail`] if the text is not an email address.
pub fn contact_email(value: Patch<String>) -> Result<Patch<String>, Error> {
    match value.null_if_empty() {
        Patch::Value(text) if Email::parse(&text).is_none() => Err(Error::InvalidEmail),
        other => Ok(other),
    }
}

/// Validates a time zone; null or an empty text is UTC.
pub fn time_zone(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(UTC.to_owned()) {
        Some(name) if name.is_empty() => Ok(Some(UTC.to_owned())),
        Some(name) => known_time_zone(&name).map(Some).ok_or(Error::UnknownTimeZone),
        None => Ok(None),
    }
}

/// Returns the IANA name of a time zone as the database of time zones spells it. `None` if it has no such zone.
pub fn known_time_zone(name: &str) -> Option<String> {
    let zone = jiff::tz::TimeZone::get(name).ok()?;
    zone.iana_name().filter(|name| *name != "Etc/Unknown").map(str::to_owned)
}

/// Validates a colour; null keeps the stored one.
pub fn colour(field: &'static str, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.value() {
        None => Ok(None),
        Some(text) => {
            let colour = Colour::parse(&text).ok_or(Error::InvalidColour(field))?;
            Ok(Some(colour.as_str().to_owned()))
        }
    }
}

/// Returns the path of an image on this server, which may be cleared. Whether it was uploaded for the
/// organisation is checked later through [`crate::ImageOwnership`].
pub fn image(field: &'static str, public: &PublicUrl, value: Patch<String>) -> Result<Patch<String>, Error> {
    value
        .null_if_empty()
        .try_map(|text| public.image_path(&text).map(str::to_owned).ok_or(Error::ForeignImage(field)))
}

/// Validates the pins: at most four, no duplicates. Whether new pins are public is checked later through
/// [`crate::OrgPlaylists`].
pub fn pins(value: Patch<Vec<PlaylistId>>) -> Result<Option<Vec<PlaylistId>>, Error> {
    let pins = value.or_null(Vec::new());
    if let Some(pins) = &pins {
        if pins.len() > PINS_MAX {
            return Err(Error::TooManyPins);
        }
        if pins.iter().collect::<HashSet<_>>().len() < pins.len() {
            return Err(Error::DuplicatePin);
        }
    }
    Ok(pins)
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    #[test]
    fn four_pins_fit_and_five_do_not() {
        let ids: Vec<PlaylistId> = (1..=5).map(PlaylistId::from_u128).collect();
        assert_eq!(pins(Patch::Value(ids[..4].to_vec())).unwrap().map(|pins| pins.len()), Some(4));
        assert!(matches!(pins(Patch::Value(ids)), Err(Error::TooManyPins)));
        assert!(matches!(pins(Patch::Value(vec![PlaylistId::nil(); 2])), Err(Error::DuplicatePin)));
        assert_eq!(pins(Patch::Null).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn settings_may_be_cleared_but_a_name_may_not() {
        assert!(matches!(name(Patch::Null), Err(Error::NameRequired)));
        assert_eq!(website(Patch::Value(String::new())).unwrap(), Patch::Null);
        assert_eq!(website(Patch::Null).unwrap(), Patch::Null);
        assert_eq!(website(Patch::Absent).unwrap(), Patch::Absent);
        assert!(matches!(website(Patch::Value("example".into())), Err(Error::InvalidWebsite)));
        assert_eq!(contact_email(Patch::Value(String::new())).unwrap(), Patch::Null);
        assert!(matches!(contact_email(Patch::Value("ada".into())), Err(Error::InvalidEmail)));
        assert!(matches!(
            colour("theme.primaryColor", Patch::Value("red".into())),
            Err(Error::InvalidColour(_))
        ));
    }

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        assert_eq!(Standing::values(), ["active", "pastDue", "suspended", "ended"]);
        assert!(Standing::iter().all(|standing| serde_json::json!(standing) == standing.to_value()));
        assert!(Standing::try_from_value(&"whatever".to_owned()).is_err());
    }
}
