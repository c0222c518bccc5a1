//! The checks of the payment provider.

use billing::{Comparison, Finding, Plans};
use kernel::{Ambient, HOUR, PublicUrl, Timestamp, iso};
use payments::{Mode, PaymentError, Provider, STRIPE_VERSION, WEBHOOK_EVENTS};

use super::CheckResult;
use super::database::{DatabaseState, NEW, UNREACHABLE};
use crate::settings::Settings;

type Named = (&'static str, CheckResult);

/// Checks what the payments need at the provider.
pub(super) async fn check(settings: &Settings, stored: &DatabaseState) -> Vec<Named> {
    let one = |result| vec![("payment", result)];
    let plans = match Plans::load(&settings.payments.plans_file) {
        Ok(plans) => plans,
        Err(sentence) => return one(CheckResult::Fail(sentence)),
    };
    match settings.payments.mode(settings.server.sandbox) {
        Mode::None => one(CheckResult::Pass("off; every account has a free plan".to_owned())),
        Mode::Sandbox => one(CheckResult::Pass("the sandbox's stand-in; no real money".to_owned())),
        Mode::Stripe => match (settings.public(), Provider::stripe(&settings.payments, Ambient::system())) {
            (Ok(public), Ok(provider)) => check_stripe(settings, &public, &provider, &plans, stored).await,
            (_, Err(error)) => one(CheckResult::Fail(error.to_string())),
            // Reported with the settings.
            (Err(_), _) => Vec::new(),
        },
    }
}

async fn check_stripe(
    settings: &Settings,
    public: &PublicUrl,
    provider: &Provider,
    plans: &Plans,
    stored: &DatabaseState,
) -> Vec<Named> {
    let key = check_key(settings, provider).await;
    if matches!(key, CheckResult::Fail(_)) {
        // The others would repeat the same reason.
        return vec![("payment key", key)];
    }
    vec![
        ("payment key", key),
        ("payment prices", check_prices(provider, plans).await),
        ("payment webhooks", check_webhooks(public, provider).await),
        ("payment portal", check_portal(provider).await),
        ("payment comparison", check_comparison(stored).await),
    ]
}

async fn check_key(settings: &Settings, provider: &Provider) -> CheckResult {
    let mode = if provider.live_mode() { "live mode" } else { "test mode" };
    match provider.source().await {
        Ok(_) if provider.live_mode() && settings.server.sandbox => CheckResult::Fail(
            "the sandbox takes real money: use a key of the test mode (sk_test_.. or rk_test_..)".to_owned(),
        ),
        Ok(Some(source)) => CheckResult::Pass(format!("accepted; account {}, {mode}", source.account)),
        Ok(None) => CheckResult::Warning(format!(
            "accepted, in {mode}, but it may not read its account, so keys of two accounts cannot be told apart: \
             allow it to"
        )),
        Err(PaymentError::Refused { status: 401, .. }) => CheckResult::Fail(
            "Stripe does not accept VITRINE_STRIPE_SECRET_KEY: copy it again from Stripe's dashboard"
                .to_owned(),
        ),
        Err(error) => CheckResult::Fail(error.to_string()),
    }
}

async fn check_prices(provider: &Provider, plans: &Plans) -> CheckResult {
    let ids: Vec<&str> = plans.all().iter().map(|plan| plan.id.as_str()).collect();
    let prices = match provider.prices(&ids).await {
        Ok(prices) => prices,
        Err(error) => return unreadable("prices", &error),
    };
    let missing: Vec<&str> =
        ids.iter().filter(|id| !prices.iter().any(|price| price.key == **id)).copied().collect();
    if missing.is_empty() {
        return CheckResult::Pass(format!("each of the {} plans has one", ids.len()));
    }
    CheckResult::Fail(format!(
        "no active price with a fixed amount has the lookup key {}: these plans cannot be bought",
        missing.join(", ")
    ))
}

async fn check_webhooks(public: &PublicUrl, provider: &Provider) -> CheckResult {
    let url = public.at("/v1/webhooks/stripe");
    let endpoints = match provider.webhook_endpoints().await {
        Ok(endpoints) => endpoints,
        Err(error) => return unreadable("webhook endpoints", &error),
    };
    let Some(endpoint) = endpoints.iter().find(|endpoint| endpoint.url == url) else {
        return CheckResult::Fail(format!("there is no endpoint {url}: add it in Stripe's dashboard"));
    };
    if !endpoint.enabled {
        return CheckResult::Fail(format!("the endpoint {url} is disabled: enable it in Stripe's dashboard"));
    }
    let sends = |event: &str| endpoint.events.iter().any(|sent| sent == "*" || sent == event);
    let missing: Vec<&str> = WEBHOOK_EVENTS.iter().filter(|event| !sends(event)).copied().collect();
    if !missing.is_empty() {
        return CheckResult::Fail(format!("the endpoint {url} lacks the events {}", missing.join(", ")));
    }
    match endpoint.api_version.as_deref() {
        Some(version) if version != STRIPE_VERSION => CheckResult::Warning(format!(
            "the endpoint {url} sends events of the API version {version}: {STRIPE_VERSION} is the tested one"
        )),
        _ => CheckResult::Pass(url),
    }
}

async fn check_portal(provider: &Provider) -> CheckResult {
    match provider.portal_configuration().await {
        Ok(Some(id)) => CheckResult::Pass(format!("configured ({id})")),
        Ok(None) => {
            CheckResult::Warning("not configured yet; the first person who opens Billing does it".to_owned())
        }
        Err(error) => unreadable("portal configurations", &error),
    }
}

/// Reports what the last hourly comparison of subscriptions and purchases found.
async fn check_comparison(stored: &DatabaseState) -> CheckResult {
    let last = match stored {
        DatabaseState::New => {
            return CheckResult::Warning(format!("cannot be read: there is no database. {NEW}"));
        }
        DatabaseState::Failed(_) => return CheckResult::Warning(UNREACHABLE.to_owned()),
        DatabaseState::Open(snapshot) => billing::last_comparison(snapshot.conn()).await,
    };
    match last {
        Ok(Some(last)) => compared(&last, Ambient::system().now()),
        Ok(None) => CheckResult::Pass("none yet; the server compares every hour".to_owned()),
        Err(error) => CheckResult::Warning(format!("cannot be read: {error}. {NEW}")),
    }
}

/// Describes a comparison: what does not fit, or that it is old.
fn compared(last: &Comparison, now: Timestamp) -> CheckResult {
    let summary = format!("{} subscriptions compared at {}", last.subscriptions, iso(last.at));
    if !last.findings.is_empty() {
        let findings = last.findings.iter().map(describe).collect::<Vec<_>>().join("\n        ");
        return CheckResult::Warning(format!("{summary}; these do not fit:\n        {findings}"));
    }
    if now - last.at > 3 * HOUR {
        return CheckResult::Warning(format!("{summary}; the server compares every hour while it runs"));
    }
    CheckResult::Pass(format!("{summary}, all of them fit"))
}

fn describe(finding: &Finding) -> String {
    let subscription = finding.subscription.as_deref().unwrap_or("no subscription");
    let purchase =
        finding.provision.map_or_else(|| "no purchase".to_owned(), |uid| format!("purchase {uid}"));
    format!("{}: {subscription}, {purchase}", finding.kind.as_str())
}

/// A restricted key may lack a permission that only this check needs.
fn unreadable(what: &str, error: &PaymentError) -> CheckResult {
    match error {
        PaymentError::Refused { status: 403, .. } => {
            CheckResult::Warning(format!("cannot be checked: the key may not read {what}"))
        }
        error => CheckResult::Fail(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use billing::FindingKind;
    use kernel::ProvisionId;

    use super::*;

    fn comparison(findings: Vec<Finding>) -> Comparison {
        Comparison { at: Timestamp::from_ms(0), subscriptions: 3, findings }
    }

    #[test]
    fn a_recent_comparison_without_findings_passes() {
        let now = Timestamp::from_ms(2 * HOUR);
        let CheckResult::Pass(text) = compared(&comparison(Vec::new()), now) else { panic!("it passes") };
        assert_eq!(text, "3 subscriptions compared at 1970-01-01T00:00:00.000Z, all of them fit");
    }

    #[test]
    fn an_old_comparison_and_findings_are_warnings() {
        let now = Timestamp::from_ms(4 * HOUR);
        let CheckResult::Warning(text) = compared(&comparison(Vec::new()), now) else { panic!("it warns") };
        assert!(text.ends_with("the server compares every hour while it runs"), "{text}");
        let orphan = Finding {
            kind: FindingKind::Orphan,
            subscription: Some("sub_1".to_owned()),
            provision: Some(ProvisionId::from_u128(7)),
        };
        let CheckResult::Warning(text) = compared(&comparison(vec![orphan]), Timestamp::from_ms(0)) else {
            panic!("it warns")
        };
        assert!(text.contains("orphan: sub_1, purchase 00000000-0000-0000-0000-000000000007"), "{text}");
    }
}
