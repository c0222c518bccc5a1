//! Settings of the sign-in providers.

use kernel::{Ambient, PublicUrl, Secret};
use serde::{Deserialize, Serialize};

use super::{ProviderStatus, Providers};

/// Default issuer of Google.
const GOOGLE: &str = "https://accounts.google.com";
/// Default issuer of Apple.
const APPLE: &str = "https://appleid.apple.com";

/// Settings for sign-in through providers. A provider without a client id is not configured: its button
/// remains and leads to an error message.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SignInSettings {
    /// Google's issuer URL, from which the discovery document is read. `VITRINE_OIDC_GOOGLE_ISSUER`.
    pub oidc_google_issuer: String,
    /// The id of the OAuth client, whose redirect URL is {public}/v1/auth/oidc/google/callback.
    /// `VITRINE_OIDC_GOOGLE_CLIENT_ID`.
    pub oidc_google_client_id: String,
    /// The secret of the OAuth client. `VITRINE_OIDC_GOOGLE_CLIENT_SECRET`.
    #[schema(value_type = String)]
    pub oidc_google_client_secret: Secret,
    /// Apple's issuer URL. `VITRINE_OIDC_APPLE_ISSUER`.
    pub oidc_apple_issuer: String,
    /// The Services ID, whose return URL is {public}/v1/auth/oidc/apple/callback.
    /// `VITRINE_OIDC_APPLE_CLIENT_ID`.
    pub oidc_apple_client_id: String,
    /// The id of the Apple developer team. `VITRINE_OIDC_APPLE_TEAM_ID`.
    pub oidc_apple_team_id: String,
    /// The id of the private key. `VITRINE_OIDC_APPLE_KEY_ID`.
    pub oidc_apple_key_id: String,
    /// Path of the private key, the file `AuthKey_XXXXXXXXXX.p8` issued by Apple. `VITRINE_OIDC_APPLE_KEY_FILE`.
    pub oidc_apple_key_file: String,
    /// The private key itself, set only by the sandbox.
    #[serde(skip)]
    #[schema(ignore)]
    pub apple_key: Secret,
}

impl Default for SignInSettings {
    fn default() -> Self {
        Self {
            oidc_google_issuer: GOOGLE.to_owned(),
            oidc_google_client_id: String::new(),
            oidc_google_client_secret: Secret::default(),
            oidc_apple_issuer: APPLE.to_owned(),
            oidc_apple_client_id: String::new(),
            oidc_apple_team_id: String::new(),
            oidc_apple_key_id: String::new(),
            oidc_apple_key_file: String::new(),
            apple_key: Secret::default(),
        }
    }
}

impl SignInSettings {
    /// Checks that the server can start with these settings.
    ///
    /// # Errors
    /// A sentence that names the setting and says how to fix it.
    pub fn check(&self) -> Result<(), String> {
        for (name, issuer) in [("GOOGLE", &self.oidc_google_issuer), ("APPLE", &self.oidc_apple_issuer)] {
            check_issuer(name, issuer)?;
        }
        if !self.oidc_google_client_id.is_empty() && self.oidc_google_client_secret.is_empty() {
            return Err("VITRINE_OIDC_GOOGLE_CLIENT_SECRET is missing: set it together with \
                        VITRINE_OIDC_GOOGLE_CLIENT_ID."
                .to_owned());
        }
        if self.oidc_apple_client_id.is_empty() {
            return Ok(());
        }
        let has_key = !self.oidc_apple_key_file.is_empty() || !self.apple_key.is_empty();
        for (name, is_set) in [
            ("TEAM_ID", !self.oidc_apple_team_id.is_empty()),
            ("KEY_ID", !self.oidc_apple_key_id.is_empty()),
            ("KEY_FILE", has_key),
        ] {
            if !is_set {
                return Err(format!(
                    "VITRINE_OIDC_APPLE_{name} is missing: set it together with VITRINE_OIDC_APPLE_CLIENT_ID."
                ));
            }
        }
        self.apple_pem().map(drop)
    }

    /// Requests the discovery document of each provider: for `vitrine doctor`, not for requests.
    pub async fn check_providers(&self, public: &PublicUrl) -> Vec<(&'static str, ProviderStatus)> {
        match Providers::new(self, public, &Ambient::system()) {
            Ok(providers) => {
                let statuses = providers.check().await;
                statuses.into_iter().map(|(name, status)| (name.doctor_label(), status)).collect()
            }
            Err(sentence) => vec![("sign-in providers", ProviderStatus::Unusable(sentence))],
        }
    }

    /// Returns Apple's private key as PEM.
    pub(super) fn apple_pem(&self) -> Result<Secret, String> {
        if !self.apple_key.is_empty() {
            return Ok(self.apple_key.clone());
        }
        let file = &self.oidc_apple_key_file;
        let pem = std::fs::read_to_string(file)
            .map_err(|error| format!("VITRINE_OIDC_APPLE_KEY_FILE: cannot read {file}: {error}"))?;
        Ok(Secret::new(pem))
    }
}

/// Checks that an issuer uses https, or runs on this machine.
fn check_issuer(name: &str, issuer: &str) -> Result<(), String> {
    let url = url::Url::parse(issuer).ok();
    let is_safe = url.as_ref().is_some_and(|url| match (url.scheme(), url.host()) {
        ("https", Some(_)) => true,
        ("http", Some(url::Host::Domain(host))) => host == "localhost",
        ("http", Some(url::Host::Ipv4(address))) => address.is_loopback(),
        ("http", Some(url::Host::Ipv6(address))) => address.is_loopback(),
        _ => false,
    });
    if is_safe {
        return Ok(());
    }
    Err(format!("VITRINE_OIDC_{name}_ISSUER must be an https:// address, but is {issuer:?}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(change: impl FnOnce(&mut SignInSettings)) -> String {
        let mut settings = SignInSettings::default();
        change(&mut settings);
        settings.check().err().unwrap_or_default()
    }

    #[test]
    fn a_provider_needs_all_of_its_settings() {
        assert_eq!(error_of(|_| ()), "");
        assert!(
            error_of(|s| s.oidc_google_client_id = "id".into()).contains("GOOGLE_CLIENT_SECRET is missing")
        );
        assert!(error_of(|s| s.oidc_apple_client_id = "id".into()).contains("APPLE_TEAM_ID is missing"));
        let all_but_file = error_of(|s| {
            s.oidc_apple_client_id = "id".into();
            s.oidc_apple_team_id = "team".into();
            s.oidc_apple_key_id = "key".into();
        });
        assert!(all_but_file.contains("APPLE_KEY_FILE is missing"), "{all_but_file}");
        let no_such_file = error_of(|s| {
            s.oidc_apple_client_id = "id".into();
            s.oidc_apple_team_id = "team".into();
            s.oidc_apple_key_id = "key".into();
            s.oidc_apple_key_file = "/no/such/key.p8".into();
        });
        assert!(no_such_file.contains("cannot read /no/such/key.p8"), "{no_such_file}");
    }

    #[test]
    fn an_http_issuer_must_be_on_this_machine() {
        assert_eq!(error_of(|s| s.oidc_google_issuer = "http://127.0.0.1:9000/google".into()), "");
        for bad in ["http://accounts.example", "accounts.example", "ftp://a.example", ""] {
            assert!(error_of(|s| s.oidc_google_issuer = bad.into()).contains("OIDC_GOOGLE_ISSUER"), "{bad}");
        }
    }
}
