//! What we write to people: one variant a letter, with the values its template needs.

use kernel::PRODUCT;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, context};

/// A letter. To add one: a variant, its words in [`Letter::values`], and two templates.
#[derive(Clone, PartialEq, Eq)]
pub enum Letter {
    /// A sign-in or sign-up link (rules 5.1).
    MagicLink {
        /// The whole address, code included.
        link: String,
        /// Whether it completes a sign-up.
        signing_up: bool,
        /// How long the link works.
        minutes: i64,
        /// The organisation whose app the person signs in to, when it is not the portal.
        organisation: Option<String>,
    },
    /// A payment on a full account was sent back (rules R-05).
    PurchaseRefunded {
        /// The plan's title.
        plan: String,
        /// The account's nick name.
        account: String,
    },
}

impl std::fmt::Debug for Letter {
    /// The kind only: links are secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind())
    }
}

/// A letter ready to be sent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

impl Letter {
    /// The template's name: a stable word for logs, limits and the outbox.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MagicLink { .. } => "magic_link",
            Self::PurchaseRefunded { .. } => "purchase_refunded",
        }
    }

    /// Subject, the line shown beside it in an inbox, and the template's own values.
    fn values(&self) -> (String, String, Value) {
        match self {
            Self::MagicLink { link, signing_up, minutes, organisation } => {
                let place = organisation.as_deref().unwrap_or(PRODUCT);
                let (subject, lead, action) = if *signing_up {
                    (
                        format!("Welcome to {place}"),
                        format!("Finish signing up at {place} with the button below."),
                        "Finish signing up",
                    )
                } else {
                    (
                        format!("Sign in to {place}"),
                        format!("Sign in to {place} with the button below."),
                        "Sign in",
                    )
                };
                let own = context! {
                    link => link.as_str(), minutes => *minutes, action => action, lead => lead.as_str(),
                };
                (subject, lead, own)
            }
            Self::PurchaseRefunded { plan, account } => (
                "Your payment is being returned".to_owned(),
                "The new subscription was ended at once.".to_owned(),
                context! { plan => plan.as_str(), account => account.as_str() },
            ),
        }
    }
}

/// The templates, compiled once.
pub(crate) struct Templates(Environment<'static>);

impl Templates {
    pub(crate) fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_auto_escape_callback(|name| {
            if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None }
        });
        for (name, source) in [
            ("layout.html", include_str!("templates/layout.html")),
            ("magic_link.html", include_str!("templates/magic_link.html")),
            ("magic_link.txt", include_str!("templates/magic_link.txt")),
            ("purchase_refunded.html", include_str!("templates/purchase_refunded.html")),
            ("purchase_refunded.txt", include_str!("templates/purchase_refunded.txt")),
        ] {
            env.add_template(name, source)?;
        }
        Ok(Self(env))
    }

    /// Subject, text and HTML of a letter. Values from people are escaped in the HTML and cannot add lines to
    /// the subject.
    pub(crate) fn render(&self, letter: &Letter) -> Result<Rendered, minijinja::Error> {
        let (subject, preview, own) = letter.values();
        let subject = one_line(&subject);
        let values = context! {
            product => PRODUCT, subject => subject.as_str(), preview => preview.as_str(), ..own
        };
        let part = |ending: &str| {
            self.0.get_template(&format!("{}.{ending}", letter.kind()))?.render(values.clone())
        };
        let (text, html) = (part("txt")?, part("html")?);
        if text.trim().is_empty() {
            return Err(minijinja::Error::new(ErrorKind::BadSerialization, "the letter is empty"));
        }
        Ok(Rendered { subject, text, html })
    }
}

/// A subject on one line and of a length every server takes.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// The web addresses of a text, in order, each once.
pub fn links_of(text: &str) -> Vec<String> {
    let mut links: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_link = word.starts_with("http://") || word.starts_with("https://");
        if is_link && !links.iter().any(|link| link == word) {
            links.push(word.to_owned());
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(link: &str, organisation: Option<&str>) -> Letter {
        Letter::MagicLink {
            link: link.to_owned(),
            signing_up: false,
            minutes: 10,
            organisation: organisation.map(str::to_owned),
        }
    }

    #[test]
    fn a_link_stands_in_both_parts_whole_and_clickable() {
        let address = "http://127.0.0.1:8080/authenticate?action=login&code=abc";
        let out = Templates::new().unwrap().render(&link(address, None)).unwrap();
        assert_eq!(out.subject, "Sign in to Vitrine");
        assert_eq!(links_of(&out.text), [address]);
        assert!(out.html.contains(r#"action=login&amp;code=abc""#), "{}", out.html);
    }

    #[test]
    fn a_name_can_neither_add_markup_nor_headers() {
        let name = "<b>Evil</b>\r\nBcc: all@example.com";
        let out = Templates::new().unwrap().render(&link("https://v.example/a", Some(name))).unwrap();
        assert!(!out.html.contains("<b>Evil"), "{}", out.html);
        assert!(!out.subject.contains(['\r', '\n']), "{:?}", out.subject);
    }

    #[test]
    fn every_letter_renders() {
        let letters = [
            link("https://v.example/a", Some("Zoë")),
            Letter::MagicLink {
                link: "https://v.example/b".into(),
                signing_up: true,
                minutes: 10,
                organisation: None,
            },
            Letter::PurchaseRefunded { plan: "Essentials Monthly".into(), account: "Acme".into() },
        ];
        let templates = Templates::new().unwrap();
        for letter in letters {
            let out = templates.render(&letter).unwrap();
            assert!(
                out.html.contains("prefers-color-scheme: dark") && !out.text.contains("{{"),
                "{letter:?}"
            );
        }
    }

    #[test]
    fn a_letter_in_a_log_tells_its_kind_and_no_link() {
        assert_eq!(format!("{:?}", link("https://v.example/secret", None)), "magic_link");
    }
}
