//! Subscription schedules: what becomes of a subscription later.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A phase of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Phase {
    /// Id of the price.
    pub(crate) price: String,
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// Whether a change of the price in the middle of a period is charged or credited.
    pub(crate) prorates: bool,
}

impl Phase {
    fn object(&self, currency: &Value) -> Value {
        json!({
            "add_invoice_items": [], "application_fee_percent": null, "billing_cycle_anchor": null,
            "billing_thresholds": null, "collection_method": null, "currency": currency,
            "default_payment_method": null, "default_tax_rates": [], "description": null, "discounts": [],
            "start_date": self.start, "end_date": self.end, "invoice_settings": null, "metadata": {},
            "items": [{
                "billing_thresholds": null, "discounts": [], "metadata": {}, "plan": self.price,
                "price": self.price, "quantity": 1, "tax_rates": [],
            }],
            "on_behalf_of": null, "transfer_data": null, "trial_end": null,
            "proration_behavior": if self.prorates { "create_prorations" } else { "none" },
        })
    }
}

/// An active schedule of a subscription.
pub(crate) fn schedule(id: &str, subscription: &Value, phases: &[Phase], now: i64, created: i64) -> Value {
    let current = phases.iter().find(|phase| phase.start <= now && now < phase.end);
    json!({
        "id": id, "object": "subscription_schedule", "application": null, "canceled_at": null, "completed_at": null,
        "billing_mode": subscription["billing_mode"], "created": created,
        "current_phase": current.map(|phase| json!({ "start_date": phase.start, "end_date": phase.end })),
        "customer": subscription["customer"], "customer_account": null, "end_behavior": "release",
        "default_settings": {
            "application_fee_percent": null, "billing_cycle_anchor": "automatic", "billing_thresholds": null,
            "collection_method": "charge_automatically", "default_payment_method": null, "description": null,
            "invoice_settings": {
                "account_tax_ids": null, "custom_fields": null, "days_until_due": null, "description": null,
                "footer": null, "issuer": { "type": "self" },
            },
            "on_behalf_of": null, "transfer_data": null,
        },
        "livemode": false, "metadata": {}, "pause_schedules": [],
        "phases": phases.iter().map(|phase| phase.object(&subscription["currency"])).collect::<Vec<_>>(),
        "released_at": null, "released_subscription": null, "status": "active",
        "subscription": subscription["id"], "test_clock": null,
    })
}
