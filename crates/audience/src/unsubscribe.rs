//! The unsubscribe link: organisation and person, signed. It is valid as long as the server's secret is.

use kernel::{OrgId, PersonId, PublicUrl, Signer};

const PURPOSE: &str = "unsubscribe";

/// Whose announcements to stop, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsubscribeLink {
    pub org: OrgId,
    pub person: PersonId,
}

/// Returns the absolute URL of the unsubscribe page.
pub fn url(signer: &Signer, public: &PublicUrl, org: OrgId, person: PersonId) -> String {
    let payload = [*org.as_bytes(), *person.as_bytes()].concat();
    public.at(&format!("/v1/unsubscribe/{}", signer.sign(PURPOSE, &payload)))
}

/// Decodes a token signed by this server; returns `None` for any other text.
pub fn read(signer: &Signer, token: &str) -> Option<UnsubscribeLink> {
    let payload = signer.verify(PURPOSE, token)?;
    let (org, person) = payload.split_at_checked(16)?;
    Some(UnsubscribeLink { org: OrgId::from_slice(org).ok()?, person: PersonId::from_slice(person).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_valid_for_one_person_of_one_organisation() {
        let signer = Signer::new(&[7; 32]);
        let public = PublicUrl::parse("https://v.example").unwrap();
        let (org, person) = (OrgId::from_u128(1), PersonId::from_u128(2));
        let url = url(&signer, &public, org, person);
        let token = url.strip_prefix("https://v.example/v1/unsubscribe/").unwrap();
        assert_eq!(read(&signer, token), Some(UnsubscribeLink { org, person }));
        assert_eq!(read(&Signer::new(&[8; 32]), token), None);
        assert_eq!(read(&signer, &signer.sign("playback", &[0; 32])), None);
        assert_eq!(read(&signer, &signer.sign(PURPOSE, &[0; 8])), None);
        assert_eq!(read(&signer, ""), None);
    }
}
