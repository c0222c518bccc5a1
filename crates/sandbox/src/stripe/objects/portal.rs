//! Sessions of the billing portal and what it allows.

use serde_json::{Value, json};

/// Id of the configuration that applies if a session names none.
pub(crate) const DEFAULT_CONFIGURATION: &str = "bpc_default";

/// A portal session.
pub(crate) fn portal(
    id: &str,
    customer: &str,
    configuration: &str,
    return_url: Option<&str>,
    url: &str,
    created: i64,
) -> Value {
    json!({
        "id": id, "object": "billing_portal.session", "configuration": configuration, "created": created,
        "customer": customer, "customer_account": null, "livemode": false, "return_url": return_url, "url": url,
        "locale": null, "flow": null, "on_behalf_of": null,
    })
}

/// A configuration in which everything that the stand-in supports is allowed.
pub(crate) fn configuration(id: &str, created: i64) -> Value {
    json!({
        "id": id, "object": "billing_portal.configuration", "active": true, "application": null,
        "business_profile": { "headline": null, "privacy_policy_url": null, "terms_of_service_url": null },
        "created": created, "updated": created, "default_return_url": null,
        "features": {
            "customer_update": { "allowed_updates": [], "enabled": false },
            "invoice_history": { "enabled": true },
            "payment_method_update": { "enabled": true, "payment_method_configuration": null },
            "subscription_cancel": {
                "cancellation_reason": { "enabled": false, "feedback_options": null, "options": [] },
                "enabled": true, "mode": "at_period_end", "proration_behavior": "none",
            },
            "subscription_update": {
                "billing_cycle_anchor": null, "default_allowed_updates": ["price"], "enabled": true,
                "products": null, "proration_behavior": "always_invoice",
                "schedule_at_period_end": {
                    "conditions": [{ "type": "decreasing_item_amount" }, { "type": "shortening_interval" }],
                },
                "trial_update_behavior": "end_trial",
            },
        },
        "is_default": id == DEFAULT_CONFIGURATION, "livemode": false,
        "login_page": { "enabled": false, "url": null }, "metadata": {}, "name": null,
    })
}
