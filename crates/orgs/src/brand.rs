//! The branding of an organisation in emails, and on pages that the server renders.

use kernel::PublicUrl;
use mail::Brand;

use crate::Organisation;

/// Returns the branding of an organisation.
pub fn brand(organisation: &Organisation, public: &PublicUrl) -> Brand {
    Brand {
        name: organisation.name.clone(),
        logo: organisation.logo.as_deref().map(|path| public.at(path)),
        background: organisation.theme.primary.clone(),
        text: organisation.theme.text.clone(),
        button: organisation.theme.secondary.clone(),
    }
}
