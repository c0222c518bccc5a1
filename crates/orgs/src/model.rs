//! Organisations and the rules of their settings.

use std::collections::HashSet;

use kernel::{Colour, Email, Millis, Patch, Privacy, PublicUrl, Uid, WebUrl};

use crate::{Error, Role};

/// Pinned playlists at the most (spec section 9).
pub const PINS_MAX: usize = 4;
/// As long as the name of a billing account, which a bought organisation begins with.
const NAME_MAX: usize = 300;
const TEXT_MAX: usize = 2_000;

/// How an organisation stands with its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// Paid.
    Active,
    /// The last payment failed; everything works.
    PastDue,
    /// Long unpaid: members may look and staff may pay, nobody changes anything, app users see no content.
    Suspended,
    /// Over: hidden from memberships, kept in storage.
    Ended,
}

impl Standing {
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::PastDue => "pastDue",
            Self::Suspended => "suspended",
            Self::Ended => "ended",
        }
    }

    /// Reads the stored word; an unknown one counts as over, so that nothing opens by mistake.
    pub fn read(text: &str) -> Self {
        match text {
            "active" => Self::Active,
            "pastDue" => Self::PastDue,
            "suspended" => Self::Suspended,
            _ => Self::Ended,
        }
    }
}

/// The organisation's colours and wallpaper (G-40).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Path of the wallpaper, or empty.
    pub background: String,
    /// Background.
    pub primary: String,
    /// Button colour.
    pub secondary: String,
    /// Text colour.
    pub text: String,
}

impl Default for Theme {
    /// Orange, purple and white (G-29), in the shades of the palette that carry white text.
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
    /// Its id.
    pub uid: Uid,
    /// Its name.
    pub name: String,
    /// Its strapline.
    pub description: String,
    /// Path of its logo, or empty.
    pub logo: String,
    /// Its website, or empty.
    pub website: String,
    /// Who may see it.
    pub privacy: Privacy,
    /// The code of its joining link, while it has one.
    pub join_code: Option<String>,
    /// The playlist the viewer app opens first.
    pub default_playlist: Option<Uid>,
    /// Pinned playlists, in their order.
    pub pinned_playlists: Vec<Uid>,
    /// Its colours.
    pub theme: Theme,
    /// Contact e-mail, or empty.
    pub contact_email: String,
    /// Contact phone, or empty.
    pub contact_phone: String,
    /// How it stands with its plan.
    pub standing: Standing,
    /// When it was made.
    pub created_at: Millis,
    /// When it was changed last.
    pub modified_at: Millis,
}

impl Organisation {
    /// Returns the time of a change at `now`: two changes within one millisecond still differ for editors that
    /// compare times.
    pub(crate) fn next_modified_at(&self, now: Millis) -> Millis {
        now.max(self.modified_at + 1)
    }
}

/// A person's membership.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Its id.
    pub uid: Uid,
    /// The organisation.
    pub org: Uid,
    /// The person.
    pub person: Uid,
    /// The role.
    pub role: Role,
    /// Since when.
    pub created_at: Millis,
}

/// What a new organisation begins with.
#[derive(Clone, Debug)]
pub struct Founding {
    /// Its name; must not be empty.
    pub name: String,
    /// Who becomes its super admin.
    pub owner: Uid,
    /// Contact e-mail, or empty.
    pub contact_email: String,
    /// Contact phone, or empty.
    pub contact_phone: String,
}

/// A change of the settings; what is `None` stays.
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

/// A name: not empty.
pub fn name(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(name) if name.trim().is_empty() => Err(Error::NameRequired),
        Some(name) if name.chars().count() > NAME_MAX => Err(Error::TooLong("name")),
        other => Ok(other),
    }
}

/// Free text of bounded length.
pub fn text(field: &'static str, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if text.chars().count() > TEXT_MAX => Err(Error::TooLong(field)),
        other => Ok(other),
    }
}

/// A website, or nothing.
pub fn website(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() && WebUrl::parse(&text).is_none() => Err(Error::InvalidWebsite),
        other => Ok(other),
    }
}

/// A contact e-mail, or nothing.
///
/// # Errors
/// [`Error::InvalidEmail`] for what is no address.
pub fn contact_email(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() && Email::parse(&text).is_none() => Err(Error::InvalidEmail),
        other => Ok(other),
    }
}

/// A colour; null keeps the stored one.
pub fn colour(field: &'static str, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.value() {
        None => Ok(None),
        Some(text) => {
            let colour = Colour::parse(&text).ok_or(Error::InvalidColour(field))?;
            Ok(Some(colour.as_str().to_owned()))
        }
    }
}

/// The path of a picture here, or none. Whether it is the organisation's is asked of the content's room.
pub fn image(field: &'static str, public: &PublicUrl, value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if !text.is_empty() => {
            public.image_path(&text).map(|path| Some(path.to_owned())).ok_or(Error::ForeignImage(field))
        }
        other => Ok(other),
    }
}

/// Pins: at most four, each once. Whether the new ones are public is asked of the playlists' room.
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
    fn an_unknown_standing_opens_nothing() {
        assert_eq!(Standing::read("whatever"), Standing::Ended);
    }
}
