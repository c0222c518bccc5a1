//! Branding of an organisation, for its emails and the unsubscribe page.

use kernel::PublicUrl;
use mail::Brand;
use orgs::Organisation;

/// Returns the branding of an organisation for its emails and the unsubscribe page.
pub fn brand(organisation: &Organisation, public: &PublicUrl) -> Brand {
    Brand {
        name: organisation.name.clone(),
        logo: organisation.logo.as_deref().map(|path| public.at(path)),
        background: organisation.theme.primary.clone(),
        text: organisation.theme.text.clone(),
        button: organisation.theme.secondary.clone(),
    }
}
