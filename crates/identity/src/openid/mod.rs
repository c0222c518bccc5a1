//! Sign-in through providers: OpenID Connect with authorization code, PKCE, state and nonce.

mod apple;
mod http;
mod provider;
mod settings;

use sea_orm::{ActiveEnum as _, DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

pub use provider::{AuthRequest, Provider};
pub use settings::SignInSettings;

/// The supported providers.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ProviderName {
    /// Google.
    #[sea_orm(string_value = "google")]
    Google,
    /// Apple.
    #[sea_orm(string_value = "apple")]
    Apple,
}

impl ProviderName {
    /// Returns the name used in URLs and tables.
    pub fn word(self) -> String {
        self.to_value()
    }

    /// Returns the name shown to people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Apple => "Apple",
        }
    }

    /// Returns the start of this provider's line in `vitrine doctor`.
    fn doctor_label(self) -> &'static str {
        match self {
            Self::Google => "sign-in by Google",
            Self::Apple => "sign-in by Apple",
        }
    }

    /// Parses a name from a URL.
    pub fn parse(text: &str) -> Option<Self> {
        Self::try_from_value(&text.to_owned()).ok()
    }
}

/// A provider's claims about a person; signature, audience, time and nonce have been verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer of the claims.
    pub issuer: String,
    /// The issuer's permanent id of the person.
    pub subject: String,
    /// The email address, if it was shared.
    pub email: Option<String>,
    /// Whether the issuer has verified the address.
    pub is_verified: bool,
    /// First name; empty if it was not shared.
    pub first_name: String,
    /// Last name; empty if it was not shared.
    pub last_name: String,
    /// Full name; empty if no name was shared.
    pub display_name: String,
}

/// The result of checking a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderStatus {
    /// The discovery document and keys were read.
    Reachable,
    /// The provider is not configured.
    NotConfigured,
    /// The provider is configured but cannot be used, for this reason.
    Unusable(String),
}

/// The configured providers.
#[derive(Default)]
pub struct Providers {
    google: Option<Provider>,
    apple: Option<Provider>,
}

impl Providers {
    /// Creates the providers from the settings; one without a client id is not configured.
    ///
    /// # Errors
    /// A sentence that says which setting is wrong.
    pub fn new(
        settings: &SignInSettings,
        public: &kernel::PublicUrl,
        ambient: &kernel::Ambient,
    ) -> Result<Self, String> {
        let http = http::client()?;
        Ok(Self {
            google: Provider::google(settings, public, ambient, &http)?,
            apple: Provider::apple(settings, public, ambient, &http)?,
        })
    }

    /// Checks whether each provider responds.
    async fn check(&self) -> Vec<(ProviderName, ProviderStatus)> {
        let mut statuses = Vec::new();
        for name in [ProviderName::Google, ProviderName::Apple] {
            let status = match self.get(name) {
                None => ProviderStatus::NotConfigured,
                Some(provider) => match provider.metadata(true).await {
                    Ok(_) => ProviderStatus::Reachable,
                    Err(error) => ProviderStatus::Unusable(error.to_string()),
                },
            };
            statuses.push((name, status));
        }
        statuses
    }

    /// Returns the provider with this name, if it is configured.
    pub fn get(&self, name: ProviderName) -> Option<&Provider> {
        match name {
            ProviderName::Google => self.google.as_ref(),
            ProviderName::Apple => self.apple.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::Iterable as _;

    use super::*;

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        assert_eq!(ProviderName::values(), ["google", "apple"]);
        assert!(ProviderName::iter().all(|name| serde_json::json!(name) == name.to_value()));
    }
}
