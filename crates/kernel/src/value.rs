//! Values validated on construction.

use email_address::{EmailAddress, Options};
use sea_orm::{DeriveActiveEnum, EnumIter};

/// An email address, trimmed and in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses an address whose domain contains a dot. Returns `None` if the address is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let options =
            Options::default().with_minimum_sub_domains(2).without_display_text().without_domain_literal();
        let plain = text.len() <= 254 && !text.chars().any(|c| c.is_control() || c == '"');
        (plain && EmailAddress::parse_with_options(&text, options).is_ok()).then_some(Self(text))
    }

    /// Returns the address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Email {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// An http or https URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl(url::Url);

impl WebUrl {
    /// Parses an absolute URL. Returns `None` if it is invalid, has no host, or contains credentials.
    pub fn parse(text: &str) -> Option<Self> {
        let url = url::Url::parse(text.trim()).ok()?;
        let web = matches!(url.scheme(), "http" | "https") && url.has_host();
        (web && url.username().is_empty() && url.password().is_none()).then_some(Self(url))
    }

    /// Returns the parsed URL.
    pub fn url(&self) -> &url::Url {
        &self.0
    }

    /// Returns the URL as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The public origin of this installation, with which every link we hand out starts. It is read from the
/// settings only, never from a request's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(url::Url);

impl PublicUrl {
    /// Parses `scheme://host[:port]`. Returns `None` if there is a path, query, fragment or password.
    pub fn parse(text: &str) -> Option<Self> {
        let WebUrl(url) = WebUrl::parse(text)?;
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        bare.then_some(Self(url))
    }

    /// Returns scheme, host and port, without a trailing slash.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Returns host and port, as in the Host header.
    pub fn host(&self) -> String {
        self.origin().split_once("://").map(|(_, host)| host.to_owned()).unwrap_or_default()
    }

    /// Returns the absolute URL of a path that starts with a slash.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.origin())
    }

    /// Returns the path of an absolute URL on this host, or `None` for other hosts.
    pub fn path_of<'a>(&self, address: &'a str) -> Option<&'a str> {
        address.strip_prefix(&self.origin()).filter(|path| path.starts_with('/'))
    }

    /// Returns the path of an image on this host, given its absolute URL or the path itself, or `None` for
    /// anything else. Checks the form only: the crate that stores images knows which exist and who owns them.
    pub fn image_path<'a>(&self, address: &'a str) -> Option<&'a str> {
        let path = self.path_of(address).unwrap_or(address);
        let name = path.strip_prefix("/images/")?;
        let hex = name.len() == 32 && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        hex.then_some(path)
    }

    /// Returns the absolute URL of a stored path, or an empty string if the path is empty.
    pub fn address_of(&self, path: &str) -> String {
        if path.is_empty() { String::new() } else { self.at(path) }
    }

    /// Returns whether the scheme is https.
    pub fn is_secure(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns whether the host is a loopback address, reachable only from this machine.
    pub fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            Some(url::Host::Domain(name)) => name == "localhost",
            None => false,
        }
    }

    /// Returns `host[:port]`, as in a Host header.
    pub fn authority(&self) -> &str {
        self.0.authority()
    }
}

/// A phone number: as typed, plus its E.164 form if it can be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone {
    typed: String,
    e164: Option<String>,
}

impl Phone {
    /// Accepts any non-empty text of at most 40 characters without control characters; it need not be a valid
    /// number. `country`, an ISO 3166 code, applies to numbers without a calling code.
    pub fn parse(text: &str, country: Option<&str>) -> Option<Self> {
        let fits = !text.trim().is_empty() && text.chars().count() <= 40 && !text.contains(char::is_control);
        let country = country.and_then(|code| code.parse().ok());
        // In most of the world, 00 is dialled in place of the plus.
        let dialled = text.trim().strip_prefix("00").map(|rest| format!("+{rest}"));
        let e164 = phonenumber::parse(country, dialled.as_deref().unwrap_or(text))
            .ok()
            .filter(phonenumber::PhoneNumber::is_valid)
            .map(|number| number.format().mode(phonenumber::Mode::E164).to_string());
        fits.then(|| Self { typed: text.to_owned(), e164 })
    }

    /// Returns the number as typed.
    pub fn as_typed(&self) -> &str {
        &self.typed
    }

    /// Returns the E.164 form, such as `+441632960000`, if the number is valid and its country is known.
    pub fn e164(&self) -> Option<&str> {
        self.e164.as_deref()
    }
}

/// Returns the ISO 3166 code of a number's country, or `None` if the number does not reveal it.
pub fn country_of_phone(text: &str) -> Option<String> {
    let number = phonenumber::parse(None, text).ok()?;
    number.country().id().map(|id| id.as_ref().to_owned())
}

/// Returns the calling code of a number in international form, such as `+44`, or `None` if there is none.
pub fn calling_code(text: &str) -> Option<String> {
    text.trim_start().starts_with('+').then_some(())?;
    let number = phonenumber::parse(None, text).ok()?;
    Some(format!("+{}", number.country().code()))
}

/// Returns the English name of a country by its ISO 3166 code.
pub fn country_name(code: &str) -> Option<&'static str> {
    // Names of the Unicode CLDR, as browsers show them.
    let mut countries = include_str!("countries.txt").lines().filter_map(|line| line.split_once('\t'));
    countries.find(|(known, _)| *known == code).map(|(_, name)| name)
}

/// A colour as `#rrggbb`, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colour(String);

impl Colour {
    /// Parses `#rrggbb`. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix('#')?;
        (hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit())).then(|| Self(text.to_lowercase()))
    }

    /// Returns the colour as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who may see an organization, playlist or content item.
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
pub enum Privacy {
    /// Staff only.
    #[sea_orm(string_value = "private")]
    Private,
    /// Members who have the link.
    #[sea_orm(string_value = "unlisted")]
    Unlisted,
    /// All members.
    #[sea_orm(string_value = "public")]
    Public,
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    #[test]
    fn addresses_are_trimmed_lowered_and_checked() {
        assert_eq!(Email::parse(" Ada@Example.COM ").unwrap().as_str(), "ada@example.com");
        for bad in ["", "ada", "ada@", "@example.com", "ada@localhost", "a b@example.com", "a\n@example.com"]
        {
            assert!(Email::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn only_http_and_https_urls_are_web_urls() {
        assert!(WebUrl::parse("https://example.com/a?b").is_some());
        for bad in
            ["javascript:alert('vimeo')", "ftp://example.com", "https://", "example.com", "https://u:p@e.com"]
        {
            assert!(WebUrl::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn links_start_with_the_configured_origin() {
        let public = PublicUrl::parse("https://v.example:8443/").unwrap();
        assert_eq!(public.at("/app/"), "https://v.example:8443/app/");
        assert_eq!(public.path_of("https://v.example:8443/images/a"), Some("/images/a"));
        assert_eq!(public.path_of("https://v.example:84430/images/a"), None);
        assert_eq!(public.path_of("https://evil.example/images/a"), None);
        assert!(PublicUrl::parse("https://v.example/path").is_none() && !public.is_loopback());
        assert!(PublicUrl::parse("http://127.0.0.1:8080").unwrap().is_loopback());
    }

    #[test]
    fn an_image_is_identified_by_its_path_on_this_server() {
        let public = PublicUrl::parse("https://v.example:8443").unwrap();
        let path = format!("/images/{}", "0f".repeat(16));
        assert_eq!(public.image_path(&format!("https://v.example:8443{path}")), Some(path.as_str()));
        assert_eq!(public.image_path(&path), Some(path.as_str()));
        let elsewhere = format!("https://evil.example{path}");
        for bad in
            [&elsewhere, "/images/..", "/images/x.svg", "/images/../secret", "/images/", "/media/x", "", "x"]
        {
            assert_eq!(public.image_path(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_number_is_kept_as_typed_and_its_country_is_known() {
        let phone = Phone::parse("+44 20 7946 0958", None).unwrap();
        assert_eq!(phone.as_typed(), "+44 20 7946 0958");
        assert_eq!(phone.e164(), Some("+442079460958"));
        assert_eq!(country_of_phone("+44 20 7946 0958").as_deref(), Some("GB"));
        let e164 = |text: &str, country| Phone::parse(text, country).unwrap().e164().map(str::to_owned);
        assert_eq!(e164("0044 20 7946 0958", None).as_deref(), Some("+442079460958"));
        assert_eq!(e164("020 7946 0958", Some("GB")).as_deref(), Some("+442079460958"));
        assert_eq!(e164("+33 1 42 68 53 00", Some("GB")).as_deref(), Some("+33142685300"));
        for (text, country) in [
            ("020 7946 0958", None),
            ("020 7946 0958", Some("Atlantis")),
            ("call me", Some("GB")),
            ("+44 1", None),
        ] {
            assert_eq!(e164(text, country), None, "{text} {country:?}");
        }
        assert!(Phone::parse("  ", None).is_none());
    }

    #[test]
    fn colours_are_six_hex_digits() {
        assert_eq!(Colour::parse("#EB5900").unwrap().as_str(), "#eb5900");
        assert!(Colour::parse("#fff").is_none() && Colour::parse("red;").is_none());
    }

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        assert_eq!(Privacy::values(), ["private", "unlisted", "public"]);
        assert!(Privacy::iter().all(|privacy| serde_json::json!(privacy) == privacy.to_value()));
    }
}
