//! Which providers people may sign in by.

use kernel::{Ambient, PublicUrl, Secret};
use serde::{Deserialize, Serialize};

use super::{Providers, Reached};

/// Google's issuer.
const GOOGLE: &str = "https://accounts.google.com";
/// Apple's issuer.
const APPLE: &str = "https://appleid.apple.com";

/// Settings of the sign-in by other providers. A provider without a client id is not set up: its button stays and
/// says that it did not work.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SignInSettings {
    /// Google's issuer, where its discovery document is found. VITRINE_OIDC_GOOGLE_ISSUER.
    pub oidc_google_issuer: String,
    /// The OAuth client's id; its redirect address is {public}/v1/auth/oidc/google/callback.
    /// VITRINE_OIDC_GOOGLE_CLIENT_ID.
    pub oidc_google_client_id: String,
    /// The OAuth client's secret. VITRINE_OIDC_GOOGLE_CLIENT_SECRET.
    #[schema(value_type = String)]
    pub oidc_google_client_secret: Secret,
    /// Apple's issuer. VITRINE_OIDC_APPLE_ISSUER.
    pub oidc_apple_issuer: String,
    /// The Services ID; its return address is {public}/v1/auth/oidc/apple/callback. VITRINE_OIDC_APPLE_CLIENT_ID.
    pub oidc_apple_client_id: String,
    /// The team's id. VITRINE_OIDC_APPLE_TEAM_ID.
    pub oidc_apple_team_id: String,
    /// The id of the key. VITRINE_OIDC_APPLE_KEY_ID.
    pub oidc_apple_key_id: String,
    /// The file with the private key, AuthKey_XXXXXXXXXX.p8 as Apple gives it. VITRINE_OIDC_APPLE_KEY_FILE.
    pub oidc_apple_key_file: String,
    /// The private key itself, for the sandbox.
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
    /// Says whether the server can start with these settings.
    ///
    /// # Errors
    /// A sentence that names the setting and what to do about it.
    pub fn check(&self) -> Result<(), String> {
        for (name, issuer) in [("GOOGLE", &self.oidc_google_issuer), ("APPLE", &self.oidc_apple_issuer)] {
            check_issuer(name, issuer)?;
        }
        if !self.oidc_google_client_id.is_empty() && self.oidc_google_client_secret.is_empty() {
            return Err("VITRINE_OIDC_GOOGLE_CLIENT_SECRET is missing: it belongs to \
                        VITRINE_OIDC_GOOGLE_CLIENT_ID."
                .to_owned());
        }
        if self.oidc_apple_client_id.is_empty() {
            return Ok(());
        }
        let has_key = !self.oidc_apple_key_file.is_empty() || !self.apple_key.is_empty();
        for (name, is_there) in [
            ("TEAM_ID", !self.oidc_apple_team_id.is_empty()),
            ("KEY_ID", !self.oidc_apple_key_id.is_empty()),
            ("KEY_FILE", has_key),
        ] {
            if !is_there {
                return Err(format!(
                    "VITRINE_OIDC_APPLE_{name} is missing: it belongs to VITRINE_OIDC_APPLE_CLIENT_ID."
                ));
            }
        }
        self.apple_pem().map(drop)
    }

    /// Asks each provider for its discovery document: for an operator, not for a request.
    pub async fn reach(&self, public: &PublicUrl) -> Vec<(&'static str, Reached)> {
        match Providers::new(self, public, &Ambient::system()) {
            Ok(providers) => {
                let reached = providers.reach().await;
                reached.into_iter().map(|(name, reached)| (name.doctor(), reached)).collect()
            }
            Err(sentence) => vec![("sign-in providers", Reached::Broken(sentence))],
        }
    }

    /// Apple's private key as PEM.
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

/// An issuer is reached by https, or on this machine.
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

    fn wrong(change: impl FnOnce(&mut SignInSettings)) -> String {
        let mut settings = SignInSettings::default();
        change(&mut settings);
        settings.check().err().unwrap_or_default()
    }

    #[test]
    fn a_provider_is_set_up_whole_or_not_at_all() {
        assert_eq!(wrong(|_| ()), "");
        assert!(wrong(|s| s.oidc_google_client_id = "id".into()).contains("GOOGLE_CLIENT_SECRET is missing"));
        assert!(wrong(|s| s.oidc_apple_client_id = "id".into()).contains("APPLE_TEAM_ID is missing"));
        let all_but_file = wrong(|s| {
            s.oidc_apple_client_id = "id".into();
            s.oidc_apple_team_id = "team".into();
            s.oidc_apple_key_id = "key".into();
        });
        assert!(all_but_file.contains("APPLE_KEY_FILE is missing"), "{all_but_file}");
        let no_such_file = wrong(|s| {
            s.oidc_apple_client_id = "id".into();
            s.oidc_apple_team_id = "team".into();
            s.oidc_apple_key_id = "key".into();
            s.oidc_apple_key_file = "/no/such/key.p8".into();
        });
        assert!(no_such_file.contains("cannot read /no/such/key.p8"), "{no_such_file}");
    }

    #[test]
    fn an_issuer_in_the_clear_is_only_one_on_this_machine() {
        assert_eq!(wrong(|s| s.oidc_google_issuer = "http://127.0.0.1:9000/google".into()), "");
        for bad in ["http://accounts.example", "accounts.example", "ftp://a.example", ""] {
            assert!(wrong(|s| s.oidc_google_issuer = bad.into()).contains("OIDC_GOOGLE_ISSUER"), "{bad}");
        }
    }
}
