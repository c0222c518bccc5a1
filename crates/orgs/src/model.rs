//! Organisations and the rules for their settings.

use std::collections::HashSet;
use std::str::FromStr;

use kernel::{Colour, Email, Millis, Patch, Privacy, PublicUrl, Uid, WebUrl};

use crate::{Error, Role};

/// Maximum number of pinned playlists.
pub const PINS_MAX: usize = 4;
/// The limit of a billing account's name, which becomes the name of an organisation bought with it.
const NAME_MAX: usize = 300;
const TEXT_MAX: usize = 2_000;

/// The standing of an organisation with respect to its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// The plan is paid.
    Active,
    /// The last payment failed; everything still works.
    PastDue,
    /// The plan has been unpaid for too long: members can look and staff can pay, but no one can make
    /// changes, and app users see no content.
    Suspended,
    /// The plan has ended: the organisation is hidden from its members but kept in storage.
    Ended,
}

impl Standing {
    /// Returns the value as stored and as used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::PastDue => "pastDue",
            Self::Suspended => "suspended",
            Self::Ended => "ended",
        }
    }
}

impl FromStr for Standing {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Active, Self::PastDue, Self::Suspended, Self::Ended]
            .into_iter()
            .find(|standing| standing.as_str() == text)
            .ok_or(())
    }
}

/// The colours and wallpaper of an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Path of the wallpaper image, or empty.
    pub background: String,
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
            background: String::new(),
            primary: "#ca4500".to_owned(),
            secondary: "#703cd2".to_owned(),
            text: "#ffffff".to_owned(),
        }
    }
}

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Organisation {
    /// The organisation's id.
    pub uid: Uid,
    /// Display name.
    pub name: String,
    /// Strapline.
    pub description: String,
    /// Path of the logo image, or empty.
    pub logo: String,
    /// URL of the website, or empty.
    pub website: String,
    /// Who may see the organisation.
    pub privacy: Privacy,
    /// The code of the join link, if there is one.
    pub join_code: Option<String>,
    /// The playlist the viewer app opens first.
    pub default_playlist: Option<Uid>,
    /// Pinned playlists, in display order.
    pub pinned_playlists: Vec<Uid>,
    /// Colours and wallpaper.
    pub theme: Theme,
    /// Contact email, or empty.
    pub contact_email: String,
    /// Contact phone, or empty.
    pub contact_phone: String,
    /// Standing with respect to the plan.
    pub standing: Standing,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change to the settings.
    pub modified_at: Millis,
}

impl Organisation {
    /// Returns the modification time of a change made at `now`. Two changes within one millisecond get
    /// different times, because editors compare them to detect conflicts.
    pub(crate) fn next_modified_at(&self, now: Millis) -> Millis {
        now.max(self.modified_at + 1)
    }
}

/// A person's membership in an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The membership's id.
    pub uid: Uid,
    /// The organisation's id.
    pub org: Uid,
    /// The person's id.
    pub person: Uid,
    /// The person's role in the organisation.
    pub role: Role,
    /// Time of joining.
    pub created_at: Millis,
}

/// The initial data of a new organisation.
#[derive(Clone, Debug)]
pub struct NewOrg {
    /// Display name; must not be empty.
    pub name: String,
    /// The person who becomes super admin.
    pub owner: Uid,
    /// Contact email, or empty.
    pub contact_email: String,
    /// Contact phone, or empty.
    pub contact_phone: String,
}

/// A change of the settings; fields that are `None` stay as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub name: Option<String>,
    pub description: Option<String>,
    pub logo: Option<String>,
    pub website: Option<String>,
    pub privacy: Option<Privacy>,
    pub default_playlist: Option<Option<Uid>>,
    pub pinned_playlists: Option<Vec<Uid>>,
    pub background: Option<String>,
    pub primary: Option<String>,
    pub secondary: Option<String>,
    pub text: Option<String>,
    pub contact_email: Option<String>,
    pub contact_phone: Option<String>,
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

/// Validates the URL of a website; may be empty.
pub fn website(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() && WebUrl::parse(&text).is_none() => Err(Error::InvalidWebsite),
        other => Ok(other),
    }
}

/// Validates a contact email; may be empty.
///
/// # Errors
/// [`Error::InvalidEmail`] if the text is not an email address.
pub fn contact_email(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() && Email::parse(&text).is_none() => Err(Error::InvalidEmail),
        other => Ok(other),
    }
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

/// Returns the path of an image on this server; may be empty. Whether it was uploaded for the organisation is
/// checked later through [`crate::ImageOwnership`].
pub fn image(field: &'static str, public: &PublicUrl, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() => {
            public.image_path(&text).map(|path| Some(path.to_owned())).ok_or(Error::ForeignImage(field))
        }
        other => Ok(other),
    }
}

/// Validates the pins: at most four, no duplicates. Whether new pins are public is checked later through
/// [`crate::OrgPlaylists`].
pub fn pins(value: Patch<Vec<Uid>>) -> Result<Option<Vec<Uid>>, Error> {
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
    use super::*;

    #[test]
    fn four_pins_fit_and_five_do_not() {
        let ids: Vec<Uid> = (1..=5).map(Uid::from_u128).collect();
        assert_eq!(pins(Patch::Value(ids[..4].to_vec())).unwrap().map(|pins| pins.len()), Some(4));
        assert!(matches!(pins(Patch::Value(ids)), Err(Error::TooManyPins)));
        assert!(matches!(pins(Patch::Value(vec![Uid::nil(); 2])), Err(Error::DuplicatePin)));
        assert_eq!(pins(Patch::Null).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn settings_may_be_cleared_but_a_name_may_not() {
        assert!(matches!(name(Patch::Null), Err(Error::NameRequired)));
        assert_eq!(website(Patch::Value(String::new())).unwrap().as_deref(), Some(""));
        assert!(matches!(website(Patch::Value("example".into())), Err(Error::InvalidWebsite)));
        assert_eq!(contact_email(Patch::Value(String::new())).unwrap().as_deref(), Some(""));
        assert!(matches!(contact_email(Patch::Value("ada".into())), Err(Error::InvalidEmail)));
        assert!(matches!(
            colour("theme.primaryColor", Patch::Value("red".into())),
            Err(Error::InvalidColour(_))
        ));
    }

    #[test]
    fn an_unknown_standing_is_not_read() {
        assert!("whatever".parse::<Standing>().is_err());
    }
}
