//! The unsubscribe link of emails about leads: organisation, person and kind of email, signed. It is valid as long as
//! the server's secret is.

use audience::PageEmails;
use kernel::{OrgId, PersonId, PublicUrl, Signer};
use orgs::Organisation;

const PURPOSE: &str = "staff-emails";

/// Which emails to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailKind {
    /// Emails about hot leads.
    HotLeads,
    /// Weekly summaries.
    WeeklySummary,
}

impl EmailKind {
    fn byte(self) -> u8 {
        match self {
            Self::HotLeads => 1,
            Self::WeeklySummary => 2,
        }
    }
}

/// Which emails to stop, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsubscribeLink {
    pub org: OrgId,
    pub person: PersonId,
    pub kind: EmailKind,
}

/// Returns the absolute URL of the unsubscribe page.
pub fn url(signer: &Signer, public: &PublicUrl, link: UnsubscribeLink) -> String {
    let mut payload = [*link.org.as_bytes(), *link.person.as_bytes()].concat();
    payload.push(link.kind.byte());
    public.at(&format!("/v1/unsubscribe/staff/{}", signer.sign(PURPOSE, &payload)))
}

/// Decodes a token signed by this server; returns `None` for any other text.
pub fn read(signer: &Signer, token: &str) -> Option<UnsubscribeLink> {
    let payload = signer.verify(PURPOSE, token)?;
    let (org, rest) = payload.split_at_checked(16)?;
    let (person, kind) = rest.split_at_checked(16)?;
    let all = [EmailKind::HotLeads, EmailKind::WeeklySummary];
    Some(UnsubscribeLink {
        org: OrgId::from_slice(org).ok()?,
        person: PersonId::from_slice(person).ok()?,
        kind: all.into_iter().find(|one| kind == [one.byte()])?,
    })
}

/// Returns what the page calls these emails.
pub fn page_emails(kind: EmailKind, organisation: Option<&Organisation>) -> PageEmails {
    let name = organisation.map_or("", |organisation| &organisation.name);
    match kind {
        EmailKind::HotLeads => PageEmails {
            name: format!("emails about hot leads of {name}"),
            without: "You will no longer get an email when a lead becomes hot.",
            again: "You will get an email when a lead becomes hot.",
        },
        EmailKind::WeeklySummary => PageEmails {
            name: format!("weekly summaries of {name}"),
            without: "You will no longer get a summary of the leads every week.",
            again: "You will get a summary of the leads every Monday.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_valid_for_one_kind_of_email_to_one_person_of_one_organisation() {
        let signer = Signer::new(&[7; 32]);
        let public = PublicUrl::parse("https://v.example").unwrap();
        for kind in [EmailKind::HotLeads, EmailKind::WeeklySummary] {
            let link = UnsubscribeLink { org: OrgId::from_u128(1), person: PersonId::from_u128(2), kind };
            let url = url(&signer, &public, link);
            let token = url.strip_prefix("https://v.example/v1/unsubscribe/staff/").unwrap();
            assert_eq!(read(&signer, token), Some(link));
            assert_eq!(read(&Signer::new(&[8; 32]), token), None);
        }
        for payload in [&[0; 32][..], &[0; 8], &[0; 33], &[1; 34]] {
            assert_eq!(read(&signer, &signer.sign(PURPOSE, payload)), None);
        }
        assert_eq!(read(&signer, ""), None);
    }
}
