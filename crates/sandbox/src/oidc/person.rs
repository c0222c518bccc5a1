//! The person who signs in, and their claims.

use aws_lc_rs::digest::{SHA256, digest};
use kernel::Email;
use serde_json::{Map, Value, json};

use super::Provider;

/// Longest name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// A person who filled in the sign-in page.
#[derive(Clone, Debug)]
pub(super) struct Person {
    name: String,
    email: Email,
    verified: bool,
}

/// The errors in the form, by field.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FieldErrors {
    pub(super) name: Option<&'static str>,
    pub(super) email: Option<&'static str>,
}

impl Person {
    /// Validates the form.
    pub(super) fn new(name: &str, email: &str, verified: bool) -> Result<Self, FieldErrors> {
        let name = name.trim();
        let fits = name.chars().count() <= MAX_NAME_CHARS && !name.contains(char::is_control);
        let name_error = match name {
            "" => Some("Enter a name."),
            _ if !fits => Some("Enter a name of at most 100 characters."),
            _ => None,
        };
        match Email::parse(email) {
            Some(email) if name_error.is_none() => Ok(Self { name: name.to_owned(), email, verified }),
            email => {
                let email = match email {
                    Some(_) => None,
                    None => Some("Enter an email address, such as ada@example.com."),
                };
                Err(FieldErrors { name: name_error, email })
            }
        }
    }

    /// Splits the name. The last of several words is the family name.
    fn names(&self) -> (&str, Option<&str>) {
        self.name
            .rsplit_once(char::is_whitespace)
            .map_or((&self.name, None), |(given, family)| (given.trim_end(), Some(family)))
    }

    /// Returns the subject, which depends on the address only, in the provider's format: digits at Google,
    /// three parts at Apple.
    pub(super) fn subject(&self, provider: Provider) -> String {
        let seed = format!("{}\n{}", provider.path(), self.email);
        let hash = digest(&SHA256, seed.as_bytes());
        let number = |from: usize, count: usize| {
            hash.as_ref().iter().skip(from).take(count).fold(0_u128, |sum, byte| sum << 8 | u128::from(*byte))
        };
        match provider {
            Provider::Google => format!("1{:020}", number(0, 16) % 10_u128.pow(20)),
            Provider::Apple => {
                format!(
                    "{:06}.{:032x}.{:04}",
                    number(16, 8) % 1_000_000,
                    number(0, 16),
                    number(24, 8) % 10_000
                )
            }
        }
    }

    /// Returns the claims of the ID token for the requested scopes.
    pub(super) fn claims(&self, provider: Provider, has_scope: impl Fn(&str) -> bool) -> Map<String, Value> {
        let mut claims = Map::new();
        claims.insert("sub".into(), self.subject(provider).into());
        if has_scope("email") {
            claims.insert("email".into(), self.email.as_str().into());
            claims.insert(
                "email_verified".into(),
                match provider {
                    Provider::Google => self.verified.into(),
                    Provider::Apple => self.verified.to_string().into(),
                },
            );
        }
        if provider == Provider::Google && has_scope("profile") {
            let (given, family) = self.names();
            claims.insert("name".into(), self.name.as_str().into());
            claims.insert("given_name".into(), given.into());
            if let Some(family) = family {
                claims.insert("family_name".into(), family.into());
            }
        }
        claims
    }

    /// Returns what Apple sends next to the code on the first sign-in.
    pub(super) fn user(&self, has_scope: impl Fn(&str) -> bool) -> Value {
        let mut user = Map::new();
        if has_scope("name") {
            let (given, family) = self.names();
            user.insert("name".into(), json!({ "firstName": given, "lastName": family.unwrap_or_default() }));
        }
        if has_scope("email") {
            user.insert("email".into(), self.email.as_str().into());
        }
        Value::Object(user)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_checked_at_once() {
        let errors = Person::new(" ", "ada", true).unwrap_err();
        assert!(errors.name.is_some() && errors.email.is_some());
        let long = Person::new(&"x".repeat(101), "ada@example.com", true).unwrap_err();
        assert_eq!(long, FieldErrors { name: Some("Enter a name of at most 100 characters."), email: None });
        assert!(Person::new("Ada\u{7}", "ada@example.com", true).is_err());
        assert!(Person::new(&"ä".repeat(100), "ada@example.com", true).is_ok());
    }

    #[test]
    fn a_subject_belongs_to_one_address_at_one_provider() {
        let subject = |email, provider| Person::new("Ada", email, true).unwrap().subject(provider);
        let google = subject("Ada@example.com", Provider::Google);
        assert_eq!(google, subject("ada@example.com", Provider::Google));
        assert_ne!(google, subject("bob@example.com", Provider::Google));
        assert!(google.len() == 21 && google.bytes().all(|byte| byte.is_ascii_digit()), "{google}");
        let apple = subject("ada@example.com", Provider::Apple);
        assert_eq!(apple.split('.').map(str::len).collect::<Vec<_>>(), [6, 32, 4], "{apple}");
    }

    #[test]
    fn the_last_of_several_words_is_the_family_name() {
        for (name, given, family) in [
            ("Ada", "Ada", None),
            ("Ada Lovelace", "Ada", Some("Lovelace")),
            (" Ada  King  Lovelace ", "Ada  King", Some("Lovelace")),
        ] {
            let person = Person::new(name, "ada@example.com", true).unwrap();
            assert_eq!(person.names(), (given, family), "{name}");
        }
    }
}
