//! Emails about leads to staff who want them: a lead has become hot, and the summary of a week.

use kernel::PRODUCT;
use minijinja::context;

use crate::brand::NAME_MAX;
use crate::texts::{Texts, short};

/// An email about the leads of an organisation.
#[derive(Clone, PartialEq, Eq)]
pub struct LeadsEmail {
    /// What it says.
    pub notice: LeadsNotice,
    /// The organisation's name.
    pub organisation: String,
    /// The list of leads.
    pub link: String,
    /// The person's page to unsubscribe from these emails.
    pub unsubscribe_url: String,
}

/// What an email about leads says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadsNotice {
    /// A lead has become hot.
    Hot {
        /// The person's name.
        name: String,
        /// The score.
        score: i64,
    },
    /// The leads of a week. It names no one.
    Week {
        /// People who became leads in the week.
        new: i64,
        /// People who became leads in the week before.
        before: i64,
        /// Hot leads now.
        hot: i64,
        /// Warm leads now.
        warm: i64,
        /// Cold leads now.
        cold: i64,
    },
}

impl LeadsNotice {
    /// Returns the name of the templates.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Hot { .. } => "hot_lead",
            Self::Week { .. } => "leads_of_the_week",
        }
    }
}

pub(crate) fn texts(email: &LeadsEmail) -> Texts {
    let organisation = short(&email.organisation, NAME_MAX);
    // The subject names no person: it stays in the outbox for a week, whatever becomes of the lead.
    let (subject, lead, values) = match &email.notice {
        LeadsNotice::Hot { name, score } => (
            format!("A lead of {organisation} is hot"),
            format!("{} is now a hot lead of {organisation}.", short(name, NAME_MAX)),
            context! { score },
        ),
        LeadsNotice::Week { new, before, hot, warm, cold } => (
            format!("Leads of {organisation} last week"),
            format!("{organisation} got {} last week.", new_leads(*new)),
            context! { before => new_leads(*before), hot, warm, cold },
        ),
    };
    let values = context! {
        organisation, link => email.link.as_str(), unsubscribe_url => email.unsubscribe_url.as_str(),
        product => PRODUCT, ..values
    };
    Texts { subject, lead, values }
}

fn new_leads(count: i64) -> String {
    match count {
        0 => "no new leads".to_owned(),
        1 => "1 new lead".to_owned(),
        count => format!("{count} new leads"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EmailMessage;
    use crate::render::{Rendered, Templates, links_of};

    const LINK: &str = "https://v.example/org/1/leads";
    const UNSUBSCRIBE: &str = "https://v.example/v1/unsubscribe/staff/abc";

    fn rendered(notice: LeadsNotice) -> Rendered {
        let message = EmailMessage::Leads(Box::new(LeadsEmail {
            notice,
            organisation: "Zoë & Söhne".into(),
            link: LINK.into(),
            unsubscribe_url: UNSUBSCRIBE.into(),
        }));
        Templates::new().unwrap().render(&message).unwrap()
    }

    #[test]
    fn both_link_to_the_leads_and_to_unsubscribe_and_load_nothing() {
        let week = LeadsNotice::Week { new: 3, before: 1, hot: 2, warm: 5, cold: 40 };
        for notice in [LeadsNotice::Hot { name: "Ada Lovelace".into(), score: 53 }, week] {
            let out = rendered(notice);
            assert_eq!(links_of(&out.text), [LINK, UNSUBSCRIBE]);
            for part in [LINK, UNSUBSCRIBE] {
                assert!(out.html.contains(&format!("href=\"{part}\"")), "{part}: {}", out.html);
            }
            assert!(out.html.contains("Zoë &amp; Söhne") && out.text.contains("Zoë & Söhne"));
            assert!(out.text.lines().all(|line| line.len() <= 110), "{}", out.text);
            for foreign in ["<img", "<script", "url(", "@import", "{{", "{%"] {
                assert!(!out.html.contains(foreign), "{foreign}");
            }
        }
    }

    #[test]
    fn an_email_about_a_hot_lead_names_the_person_in_its_body_only() {
        let out = rendered(LeadsNotice::Hot { name: "<b>Ada</b>\r\nBcc: a@example.com".into(), score: 53 });
        assert_eq!(out.subject, "A lead of Zoë & Söhne is hot");
        assert!(out.text.contains("score of 53") && out.html.contains("&lt;b&gt;Ada"), "{}", out.text);
        assert!(!out.html.contains("<b>Ada") && !out.text.lines().any(|line| line.starts_with("Bcc")));
    }

    #[test]
    fn the_summary_counts_new_leads_and_those_there_are() {
        let out = rendered(LeadsNotice::Week { new: 1, before: 0, hot: 2, warm: 5, cold: 40 });
        assert_eq!(out.subject, "Leads of Zoë & Söhne last week");
        for part in ["got 1 new lead last week", "no new leads", "2 hot", "5 warm", "40 cold"] {
            assert!(out.text.contains(part), "{part}: {}", out.text);
        }
    }
}
