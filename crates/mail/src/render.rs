//! Renders an email into subject, text and HTML.

use kernel::PRODUCT;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, context};

use crate::EmailMessage;
use crate::texts::{one_line, sanitized};

/// A rendered email.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

/// The templates, compiled once.
pub(crate) struct Templates(Environment<'static>);

/// A template file with its name.
macro_rules! template {
    ($name:literal) => {
        ($name, include_str!(concat!("templates/", $name)))
    };
}

impl Templates {
    pub(crate) fn new() -> Result<Self, minijinja::Error> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_auto_escape_callback(|name| {
            if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None }
        });
        for (name, source) in [
            template!("layout.html"),
            template!("branded.html"),
            template!("parts.html"),
            template!("magic_link.html"),
            template!("magic_link.txt"),
            template!("password_reset.html"),
            template!("password_reset.txt"),
            template!("no_account.html"),
            template!("no_account.txt"),
            template!("confirm_address.html"),
            template!("confirm_address.txt"),
            template!("password_dropped.html"),
            template!("password_dropped.txt"),
            template!("password_changed.html"),
            template!("password_changed.txt"),
            template!("provider_added.html"),
            template!("provider_added.txt"),
            template!("invitation.html"),
            template!("invitation.txt"),
            template!("viewer_invitation.html"),
            template!("viewer_invitation.txt"),
            template!("organisation_full.html"),
            template!("organisation_full.txt"),
            template!("purchase_refunded.html"),
            template!("purchase_refunded.txt"),
            template!("plan_bought.html"),
            template!("plan_bought.txt"),
            template!("payment_failed.html"),
            template!("payment_failed.txt"),
            template!("last_payment_failed.html"),
            template!("last_payment_failed.txt"),
            template!("plan_suspended.html"),
            template!("plan_suspended.txt"),
            template!("plan_ended.html"),
            template!("plan_ended.txt"),
            template!("data_removal.html"),
            template!("data_removal.txt"),
            template!("hot_lead.html"),
            template!("hot_lead.txt"),
            template!("leads_of_the_week.html"),
            template!("leads_of_the_week.txt"),
            template!("announcement.html"),
            template!("announcement.txt"),
        ] {
            env.add_template(name, source)?;
        }
        Ok(Self(env))
    }

    /// Renders an email. Values from people are escaped in the HTML and cannot add lines to the subject.
    pub(crate) fn render(&self, message: &EmailMessage) -> Result<Rendered, minijinja::Error> {
        let texts = message.texts();
        let subject = one_line(&texts.subject);
        let values = context! {
            product => PRODUCT, subject => subject.as_str(), title => sanitized(&subject),
            lead => texts.lead.as_str(), ..texts.values
        };
        let part = |ending: &str| {
            self.0.get_template(&format!("{}.{ending}", message.kind()))?.render(values.clone())
        };
        let (text, html) = (part("txt")?, part("html")?);
        if text.trim().is_empty() {
            return Err(minijinja::Error::new(ErrorKind::BadSerialization, "the email is empty"));
        }
        // The template engine drops the final line break.
        let text = format!("{}\n", text.trim_end());
        // The engine escapes slashes for the sake of scripts; mail clients that detect links need them plain.
        Ok(Rendered { subject, text, html: html.replace("&#x2f;", "/") })
    }
}

/// Returns the web addresses in a text, in order and without duplicates.
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
    use crate::{Brand, PlanEmail, PlanNotice, Remedy};

    fn link(link: &str, organisation: Option<&str>) -> EmailMessage {
        EmailMessage::MagicLink {
            link: link.to_owned(),
            digits: "246802".to_owned(),
            signing_up: false,
            minutes: 10,
            brand: organisation.map(|name| Box::new(brand(name, None))),
        }
    }

    fn brand(name: &str, logo: Option<&str>) -> Brand {
        let [background, text, button] = ["#102030", "#ffffff", "#ffee00"].map(str::to_owned);
        Brand { name: name.to_owned(), logo: logo.map(str::to_owned), background, text, button }
    }

    /// An email of each kind about a plan.
    fn plan_emails(link: &str) -> Vec<EmailMessage> {
        let at = kernel::Timestamp::from_seconds(1_800_000_000);
        [
            PlanNotice::Bought { price: Some("$49 per month".into()), renews: at },
            PlanNotice::PaymentFailed { next_attempt: at, suspends: at + 10 * kernel::DAY },
            PlanNotice::LastPaymentFailed { suspends: at, remedy: None },
            PlanNotice::LastPaymentFailed { suspends: at, remedy: Some(Remedy::PayInvoice) },
            PlanNotice::LastPaymentFailed { suspends: at, remedy: Some(Remedy::BuyPlan) },
            PlanNotice::Suspended { ends: at, remedy: Remedy::PayInvoice },
            PlanNotice::Suspended { ends: at, remedy: Remedy::BuyPlan },
            PlanNotice::Ended { removed: at },
            PlanNotice::DataRemoval { removed: at, restorable: true },
        ]
        .map(|notice| {
            EmailMessage::Plan(Box::new(PlanEmail {
                notice,
                plan: "Essentials Monthly".into(),
                organisation: "Acme".into(),
                account: "Acme Inc.".into(),
                link: link.to_owned(),
            }))
        })
        .into()
    }

    /// Every email with its link, if any.
    fn messages() -> Vec<(EmailMessage, Option<&'static str>)> {
        let address = "https://v.example/x?action=login&code=abc";
        let l = || address.to_owned();
        let about_plans = plan_emails(address).into_iter().map(|email| (email, Some(address)));
        let others = vec![
            (link(address, Some("Zoë")), Some(address)),
            (
                EmailMessage::MagicLink {
                    link: l(),
                    digits: "246802".to_owned(),
                    signing_up: true,
                    minutes: 10,
                    brand: None,
                },
                Some(address),
            ),
            (EmailMessage::PasswordReset { link: l(), minutes: 60 }, Some(address)),
            (EmailMessage::NoAccount { sign_up: l() }, Some(address)),
            (EmailMessage::ConfirmAddress { link: l(), minutes: 1440 }, Some(address)),
            (EmailMessage::PasswordDropped { reset: l() }, Some(address)),
            (EmailMessage::PasswordChanged, None),
            (EmailMessage::ProviderAdded { provider: "Google" }, None),
            (
                EmailMessage::Invitation {
                    link: l(),
                    organisation: "Acme".into(),
                    role: "Manager",
                    inviter: "Ada".into(),
                    minutes: 7 * 24 * 60,
                },
                Some(address),
            ),
            (
                EmailMessage::ViewerInvitation {
                    brand: Box::new(brand("Acme", None)),
                    link: l(),
                    minutes: 7 * 24 * 60,
                },
                Some(address),
            ),
            (EmailMessage::OrganisationFull { organisation: "Acme".into(), link: l() }, Some(address)),
            (
                EmailMessage::PurchaseRefunded { plan: "Essentials Monthly".into(), account: "Acme".into() },
                None,
            ),
        ];
        about_plans.chain(others).collect()
    }

    #[test]
    fn emails_about_plans_name_organisation_plan_and_date() {
        let templates = Templates::new().unwrap();
        let emails = plan_emails("https://v.example/billing");
        for message in &emails {
            let out = templates.render(message).unwrap();
            for text in [&out.text, &out.html] {
                // Lines of the text may be broken.
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                for part in ["Acme", "Acme Inc.", "January 15, 2027"] {
                    assert!(text.contains(part), "{message:?} lacks {part}: {text}");
                }
            }
            assert!(out.text.lines().all(|line| line.len() <= 110), "{}", out.text);
        }
        let bought = templates.render(&emails[0]).unwrap();
        assert!(bought.text.contains("It costs $49 per month, and the next payment"), "{}", bought.text);
    }

    /// An invoice of a subscription that has ended is no longer collected: no email may ask for its payment.
    #[test]
    fn an_email_about_a_suspension_names_the_way_back() {
        let templates = Templates::new().unwrap();
        for message in plan_emails("https://v.example/billing") {
            let EmailMessage::Plan(email) = &message else { continue };
            let buys = match email.notice {
                PlanNotice::LastPaymentFailed { remedy: Some(remedy), .. }
                | PlanNotice::Suspended { remedy, .. } => remedy == Remedy::BuyPlan,
                _ => continue,
            };
            let out = templates.render(&message).unwrap();
            for text in [&out.text, &out.html] {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                assert_eq!(text.contains("buy a plan again"), buys, "{text}");
                let pays = text.contains("pay the open invoice") || text.contains("pay under billing");
                assert_eq!(pays, !buys, "{text}");
                assert!(text.contains("is suspended") || text.contains("was therefore suspended"), "{text}");
            }
        }
    }

    #[test]
    fn a_link_is_complete_and_clickable_in_both_parts() {
        let templates = Templates::new().unwrap();
        for (message, address) in messages() {
            let out = templates.render(&message).unwrap();
            assert_eq!(links_of(&out.text), address.as_slice(), "{message:?}: {}", out.text);
            let whole = out.html.matches("https://v.example/x?action=login&amp;code=abc").count();
            // The button's target, and the address to copy, which is a link as well.
            assert_eq!(whole, if address.is_some() { 3 } else { 0 }, "{message:?}: {}", out.html);
        }
    }

    #[test]
    fn a_sign_in_email_has_its_code_in_both_parts() {
        let out = Templates::new().unwrap().render(&link("https://v.example/a", None)).unwrap();
        assert!(out.text.contains("246 802"), "{}", out.text);
        assert!(out.html.contains("246 802"), "{}", out.html);
    }

    #[test]
    fn a_sign_in_to_an_app_has_the_brand_of_its_organisation() {
        let templates = Templates::new().unwrap();
        let logo = "https://v.example/images/org/logo.png";
        let EmailMessage::MagicLink { link, digits, signing_up, minutes, .. } =
            link("https://v.example/a", None)
        else {
            unreachable!()
        };
        let render = |brand: Option<Brand>| {
            let (link, digits, brand) = (link.clone(), digits.clone(), brand.map(Box::new));
            templates.render(&EmailMessage::MagicLink { link, digits, signing_up, minutes, brand }).unwrap()
        };
        let of_acme = render(Some(brand("Acme", Some(logo))));
        assert_eq!(of_acme.subject, "Sign in to Acme");
        let image = format!(r#"<img src="{logo}" alt="""#);
        // The yellow button has the dark text and, invisible on white, an edge.
        for part in [image.as_str(), "background:#102030", "background:#ffee00", "color:#18181e", "#8c8c94"] {
            assert!(of_acme.html.contains(part), "{part} is missing in {}", of_acme.html);
        }
        assert!(!of_acme.html.contains("#ca4500"), "the product's colour is in {}", of_acme.html);
        let of_product = render(None);
        assert!(
            of_product.html.contains("#ca4500") && !of_product.html.contains("<img"),
            "{}",
            of_product.html
        );
    }

    #[test]
    fn a_name_can_neither_add_markup_nor_headers() {
        let name = "<b>Evil</b>\r\nBcc: all@example.com";
        let out = Templates::new().unwrap().render(&link("https://v.example/a", Some(name))).unwrap();
        assert!(!out.html.contains("<b>Evil"), "{}", out.html);
        assert!(!out.subject.contains(['\r', '\n']), "{:?}", out.subject);
        assert!(!out.text.lines().any(|line| line.starts_with("Bcc")), "{}", out.text);
    }

    #[test]
    fn a_name_cannot_carry_an_advertisement() {
        let name = "your prize: EUR 5000 - claim at www.evil.example/x or call +1 900 555 0100, code 1234";
        let out = Templates::new().unwrap().render(&link("https://v.example/a", Some(name))).unwrap();
        for part in [&out.subject, &out.text, &out.html] {
            assert!(!part.contains("www.evil.example") && !part.contains("0100"), "{part}");
        }
    }

    #[test]
    fn a_name_is_not_a_link_and_does_not_reverse_the_text() {
        let name = "Win at https://evil.example\u{202E}now\u{2028}or www.evil.example";
        let out = Templates::new().unwrap().render(&link("https://v.example/a", Some(name))).unwrap();
        assert_eq!(links_of(&out.text), ["https://v.example/a"]);
        for part in [&out.text, &out.html] {
            assert!(!part.contains("evil.example") && !part.contains("https://evil"), "{part}");
            assert!(!part.contains(['\u{202E}', '\u{2028}']), "{part}");
        }
        assert_eq!(sanitized("Zoë & Söhne Inc. (4:3)"), "Zoë & Söhne Inc. (4:\u{2060}3)");
    }

    #[test]
    fn every_email_uses_the_common_layout_and_loads_nothing() {
        let templates = Templates::new().unwrap();
        for (message, _) in messages() {
            let out = templates.render(&message).unwrap();
            for needed in ["prefers-color-scheme: dark", "color-scheme: light dark", "max-width:600px", "<h1"]
            {
                assert!(out.html.contains(needed), "{message:?} lacks {needed}");
            }
            for foreign in ["<img", "<script", "url(", "@import", "<link", "{{", "{%"] {
                assert!(!out.html.contains(foreign), "{message:?} has {foreign}");
            }
            assert!(!out.text.contains(['{', '<']) && out.text.contains(kernel::PRODUCT), "{}", out.text);
            // Gmail truncates emails over 102 KB and ignores styles over 16 KB.
            assert!(out.html.len() < 16_000, "{message:?} has {} bytes", out.html.len());
        }
    }

    #[test]
    fn no_two_kinds_of_email_have_the_same_subject() {
        let templates = Templates::new().unwrap();
        let mut kinds = std::collections::HashMap::new();
        for (message, _) in messages() {
            let subject = templates.render(&message).unwrap().subject;
            let other = kinds.insert(subject.clone(), message.kind());
            assert!(other.is_none_or(|other| other == message.kind()), "{subject}");
        }
    }
}
