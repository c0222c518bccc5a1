//! Sign-in by other providers: OpenID Connect with code, PKCE, state and nonce.

mod apple;
mod http;
mod provider;
mod settings;

use serde::{Deserialize, Serialize};

pub use provider::{Asked, Provider};
pub use settings::SignInSettings;

/// The providers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProviderName {
    /// Google.
    Google,
    /// Apple.
    Apple,
}

impl ProviderName {
    /// As in addresses and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Apple => "apple",
        }
    }

    /// As people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Apple => "Apple",
        }
    }

    /// As a line of `vitrine doctor` begins.
    fn doctor(self) -> &'static str {
        match self {
            Self::Google => "sign-in by Google",
            Self::Apple => "sign-in by Apple",
        }
    }

    /// From an address or a table.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Google, Self::Apple].into_iter().find(|name| name.as_str() == text)
    }
}

/// What a provider said about somebody, signature, audience, time and nonce checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Who says so.
    pub issuer: String,
    /// How the issuer calls the person, for ever.
    pub subject: String,
    /// The address, if it was shared.
    pub email: Option<String>,
    /// Whether the issuer says that the address is the person's.
    pub is_verified: bool,
    /// First name; empty when it was not shared.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// The whole name.
    pub display_name: String,
}

/// How a provider was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Its discovery document and keys were read.
    Answers,
    /// It is not set up.
    Absent,
    /// It is set up and cannot be used: why.
    Broken(String),
}

/// The providers that are set up.
#[derive(Default)]
pub struct Providers {
    google: Option<Provider>,
    apple: Option<Provider>,
}

impl Providers {
    /// From the settings; a provider without a client id is not set up.
    ///
    /// # Errors
    /// A sentence saying which setting is wrong.
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

    /// Whether each of them answers.
    async fn reach(&self) -> Vec<(ProviderName, Reached)> {
        let mut reached = Vec::new();
        for name in [ProviderName::Google, ProviderName::Apple] {
            let found = match self.get(name) {
                None => Reached::Absent,
                Some(provider) => match provider.metadata(true).await {
                    Ok(_) => Reached::Answers,
                    Err(error) => Reached::Broken(error.to_string()),
                },
            };
            reached.push((name, found));
        }
        reached
    }

    /// The provider of this name, if it is set up.
    pub fn get(&self, name: ProviderName) -> Option<&Provider> {
        match name {
            ProviderName::Google => self.google.as_ref(),
            ProviderName::Apple => self.apple.as_ref(),
        }
    }
}
