//! Settings: which provider takes payments, and how to reach it.

use serde::{Deserialize, Serialize};

use kernel::Secret;

use crate::Access;

/// Stripe's own address.
pub const STRIPE_API: &str = "https://api.stripe.com";

/// Who takes payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Stripe, with the operator's keys.
    Stripe,
    /// The stand-in of the development sandbox.
    Sandbox,
    /// Payment is off: every account has a free active plan.
    None,
}

impl Mode {
    /// Returns the word used in the settings and sent to the web apps.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
            Self::Sandbox => "sandbox",
            Self::None => "none",
        }
    }
}

/// Payments and plans.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct PaymentsSettings {
    /// Who takes payments: `stripe`, `sandbox` (only in the development sandbox) or `none` (every account has
    /// a free plan). If not set, `sandbox` in the sandbox, otherwise `stripe`. `VITRINE_BILLING`.
    #[schema(value_type = Option<String>)]
    pub billing: Option<Mode>,
    /// File with the plans that can be bought; the shipped plans if empty. `VITRINE_PLANS_FILE`.
    pub plans_file: String,
    /// With billing `none`: how many organisations a person may have across all accounts; 0 for no limit.
    /// `VITRINE_FREE_ORGANISATIONS`.
    pub free_organisations: u64,
    /// With billing `none`: how many GB the files of an account's organisations may take together; 0 for no
    /// limit. `VITRINE_FREE_STORAGE_GB`.
    pub free_storage_gb: u64,
    /// Stripe's secret key, `sk_..` or a restricted `rk_..`, which needs to read the account, prices, products, payment
    /// methods and webhook endpoints, and to write customers, checkout sessions, subscriptions, invoices, refunds, and
    /// sessions and configurations of the portal. `VITRINE_STRIPE_SECRET_KEY`.
    #[schema(value_type = String)]
    pub stripe_secret_key: Secret,
    /// The signing secret of the webhook endpoint {public}/v1/webhooks/stripe, `whsec_..`.
    /// `VITRINE_STRIPE_WEBHOOK_SECRET`.
    #[schema(value_type = String)]
    pub stripe_webhook_secret: Secret,
    /// Base address of Stripe's API, without the version. In the sandbox: of the stand-in, if it is not this
    /// server's own. `VITRINE_STRIPE_API_URL`.
    pub stripe_api_url: String,
}

impl Default for PaymentsSettings {
    fn default() -> Self {
        Self {
            billing: None,
            plans_file: String::new(),
            free_organisations: 3,
            free_storage_gb: 250,
            stripe_secret_key: Secret::default(),
            stripe_webhook_secret: Secret::default(),
            stripe_api_url: STRIPE_API.to_owned(),
        }
    }
}

impl PaymentsSettings {
    /// Returns the mode in force. The default is the stand-in in the sandbox, and Stripe elsewhere.
    pub fn mode(&self, sandbox: bool) -> Mode {
        self.billing.unwrap_or(if sandbox { Mode::Sandbox } else { Mode::Stripe })
    }

    /// Returns how to reach the sandbox's stand-in, which the server at `own_url` serves. Settings of Stripe that are
    /// set count for the stand-in too, so that other clients can talk to it, and a proxy can be put before it.
    pub fn stand_in(
        &self,
        own_url: &str,
        own_key: impl FnOnce() -> Secret,
        own_secret: impl FnOnce() -> Secret,
    ) -> Access {
        let set = |secret: &Secret| (!secret.reveal().is_empty()).then(|| secret.clone());
        let base = if self.stripe_api_url == STRIPE_API {
            format!("{own_url}/sandbox/stripe")
        } else {
            self.stripe_api_url.clone()
        };
        Access {
            base,
            secret_key: set(&self.stripe_secret_key).unwrap_or_else(own_key),
            webhook_secret: set(&self.stripe_webhook_secret).unwrap_or_else(own_secret),
        }
    }

    /// Checks whether the server can start with these settings. Fails with a sentence that names the setting
    /// and what to do about it.
    pub fn check(&self, sandbox: bool) -> Result<(), String> {
        match self.mode(sandbox) {
            Mode::None => Ok(()),
            Mode::Sandbox if sandbox => Ok(()),
            Mode::Sandbox => Err("VITRINE_BILLING=sandbox works only with VITRINE_SANDBOX=true. Set \
                 VITRINE_BILLING=stripe and the Stripe keys, or VITRINE_BILLING=none."
                .to_owned()),
            Mode::Stripe => self.check_stripe(),
        }
    }

    fn check_stripe(&self) -> Result<(), String> {
        let key = self.stripe_secret_key.reveal();
        if !(key.starts_with("sk_") || key.starts_with("rk_")) || key.len() < 16 {
            return Err(
                "VITRINE_STRIPE_SECRET_KEY is missing or is not a secret key (sk_.. or rk_..). Copy it from \
                 Stripe's dashboard under Developers, or set VITRINE_BILLING=none to run without payment."
                    .to_owned(),
            );
        }
        let secret = self.stripe_webhook_secret.reveal();
        if !secret.starts_with("whsec_") || secret.len() < 16 {
            return Err(
                "VITRINE_STRIPE_WEBHOOK_SECRET is missing or is not a signing secret (whsec_..). Add the \
                 endpoint {public}/v1/webhooks/stripe in Stripe's dashboard and copy its secret."
                    .to_owned(),
            );
        }
        let url = url::Url::parse(&self.stripe_api_url).ok();
        let plain = url.as_ref().is_some_and(|url| match url.scheme() {
            "https" => true,
            "http" => url.host_str().is_some_and(is_loopback),
            _ => false,
        });
        if !plain {
            return Err("VITRINE_STRIPE_API_URL must be an https address.".to_owned());
        }
        Ok(())
    }
}

/// Returns whether a host is this machine: `localhost`, 127/8 or `[::1]`.
pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripe() -> PaymentsSettings {
        PaymentsSettings {
            billing: Some(Mode::Stripe),
            stripe_secret_key: Secret::new("sk_test_0123456789"),
            stripe_webhook_secret: Secret::new("whsec_0123456789"),
            ..PaymentsSettings::default()
        }
    }

    #[test]
    fn secrets_print_as_stars() {
        let shown = format!("{:?} {}", stripe(), serde_json::to_string(&stripe()).unwrap());
        assert!(!shown.contains("0123456789"), "{shown}");
        assert!(shown.contains("********"));
    }

    #[test]
    fn the_server_refuses_to_start_without_keys_and_says_which() {
        assert_eq!(stripe().check(false), Ok(()));
        let no_key = PaymentsSettings { stripe_secret_key: Secret::default(), ..stripe() };
        assert!(no_key.check(false).unwrap_err().contains("VITRINE_STRIPE_SECRET_KEY"));
        let no_hook = PaymentsSettings { stripe_webhook_secret: Secret::new("whsec_"), ..stripe() };
        assert!(no_hook.check(true).unwrap_err().contains("VITRINE_STRIPE_WEBHOOK_SECRET"));
        let plain = PaymentsSettings { stripe_api_url: "http://api.example.com".into(), ..stripe() };
        assert!(plain.check(false).unwrap_err().contains("VITRINE_STRIPE_API_URL"));
    }

    #[test]
    fn the_stand_in_has_the_keys_that_are_set() {
        let own = |settings: &PaymentsSettings| {
            settings.stand_in("http://127.0.0.1:1", || Secret::new("own-key"), || Secret::new("own-secret"))
        };
        let unset = own(&PaymentsSettings::default());
        assert_eq!(unset.base, "http://127.0.0.1:1/sandbox/stripe");
        assert_eq!((unset.secret_key.reveal(), unset.webhook_secret.reveal()), ("own-key", "own-secret"));
        let set = own(&PaymentsSettings { stripe_api_url: "http://127.0.0.1:2".to_owned(), ..stripe() });
        assert_eq!(set.base, "http://127.0.0.1:2");
        assert_eq!(
            (set.secret_key.reveal(), set.webhook_secret.reveal()),
            ("sk_test_0123456789", "whsec_0123456789")
        );
    }

    #[test]
    fn the_stand_in_is_the_default_of_the_sandbox_and_nothing_outside_it() {
        let unset = PaymentsSettings::default();
        assert_eq!((unset.mode(true), unset.mode(false)), (Mode::Sandbox, Mode::Stripe));
        assert_eq!(unset.check(true), Ok(()));
        let forced = PaymentsSettings { billing: Some(Mode::Sandbox), ..unset };
        assert!(forced.check(false).unwrap_err().contains("VITRINE_SANDBOX"));
    }
}
