//! Values that are right by construction.

use std::str::FromStr;

use email_address::{EmailAddress, Options};

/// An e-mail address, trimmed and in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Reads an address with a dot in its domain, as people have them; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let options =
            Options::default().with_minimum_sub_domains(2).without_display_text().without_domain_literal();
        let plain = text.len() <= 254 && !text.chars().any(|c| c.is_control() || c == '"');
        (plain && EmailAddress::parse_with_options(&text, options).is_ok()).then_some(Self(text))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Email {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// An http or https address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl(url::Url);

impl WebUrl {
    /// Reads an absolute address with a host and without a password; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let url = url::Url::parse(text.trim()).ok()?;
        let web = matches!(url.scheme(), "http" | "https") && url.has_host();
        (web && url.username().is_empty() && url.password().is_none()).then_some(Self(url))
    }

    /// The parsed address.
    pub fn url(&self) -> &url::Url {
        &self.0
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A phone number: kept as typed, with its international form when it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    typed: String,
    e164: Option<String>,
}

impl Phone {
    /// Any non-empty text of at most 40 characters; it need not be a valid number (spec section 5).
    pub fn parse(text: &str) -> Option<Self> {
        let fits = !text.trim().is_empty() && text.chars().count() <= 40 && !text.contains(char::is_control);
        let e164 = phonenumber::parse(None, text)
            .ok()
            .map(|number| number.format().mode(phonenumber::Mode::E164).to_string());
        fits.then(|| Self { typed: text.to_owned(), e164 })
    }

    /// As the person typed it.
    pub fn as_typed(&self) -> &str {
        &self.typed
    }

    /// `+441632960000`, when the number names its country.
    pub fn e164(&self) -> Option<&str> {
        self.e164.as_deref()
    }
}

/// The ISO 3166 code of the country a number belongs to; `None` for numbers without a country.
pub fn country_of_phone(text: &str) -> Option<String> {
    let number = phonenumber::parse(None, text).ok()?;
    number.country().id().map(|id| id.as_ref().to_owned())
}

/// A colour as `#rrggbb`, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colour(String);

impl Colour {
    /// Reads `#rrggbb`; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix('#')?;
        (hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit())).then(|| Self(text.to_lowercase()))
    }

    /// The colour as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who may see a thing (spec section 3).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Privacy {
    /// Staff only.
    Private,
    /// Whoever has the link, among those who joined.
    Unlisted,
    /// Everybody who joined.
    Public,
}

impl Privacy {
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Unlisted => "unlisted",
            Self::Public => "public",
        }
    }
}

impl FromStr for Privacy {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "private" => Ok(Self::Private),
            "unlisted" => Ok(Self::Unlisted),
            "public" => Ok(Self::Public),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_trimmed_lowered_and_checked() {
        assert_eq!(Email::parse(" Ada@Example.COM ").unwrap().as_str(), "ada@example.com");
        for bad in ["", "ada", "ada@", "@example.com", "ada@localhost", "a b@example.com", "a\n@example.com"] {
            assert!(Email::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn only_web_addresses_are_web_addresses() {
        assert!(WebUrl::parse("https://example.com/a?b").is_some());
        for bad in ["javascript:alert('vimeo')", "ftp://example.com", "https://", "example.com", "https://u:p@e.com"] {
            assert!(WebUrl::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_number_keeps_its_typing_and_knows_its_country() {
        let phone = Phone::parse("+44 20 7946 0958").unwrap();
        assert_eq!(phone.as_typed(), "+44 20 7946 0958");
        assert_eq!(phone.e164(), Some("+442079460958"));
        assert_eq!(country_of_phone("+44 20 7946 0958").as_deref(), Some("GB"));
        assert_eq!(Phone::parse("call me").unwrap().e164(), None);
        assert!(Phone::parse("  ").is_none());
    }

    #[test]
    fn colours_are_six_hex_digits() {
        assert_eq!(Colour::parse("#EB5900").unwrap().as_str(), "#eb5900");
        assert!(Colour::parse("#fff").is_none() && Colour::parse("red;").is_none());
    }
}
