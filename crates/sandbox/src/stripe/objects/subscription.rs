//! Subscriptions with their item.

use serde_json::{Value, json};

use crate::stripe::catalogue::Price;

pub(crate) struct SubscriptionValues<'a> {
    pub(crate) id: &'a str,
    pub(crate) item: &'a str,
    pub(crate) customer: &'a str,
    pub(crate) card: &'a str,
    pub(crate) price: &'a Price,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) metadata: Value,
}

/// An active subscription. Only the item has the period.
pub(crate) fn subscription(values: SubscriptionValues<'_>) -> Value {
    json!({
        "id": values.id, "object": "subscription", "customer": values.customer, "customer_account": null,
        "created": values.start, "start_date": values.start, "billing_cycle_anchor": values.start,
        "billing_cycle_anchor_config": null, "billing_schedules": [], "billing_thresholds": null,
        "billing_mode": { "type": "flexible", "flexible": { "proration_discounts": "included" } },
        "application": null, "application_fee_percent": null, "status": "active",
        "cancel_at_period_end": false, "cancel_at": null, "canceled_at": null, "ended_at": null,
        "cancellation_details": { "comment": null, "feedback": null, "feedback_option": null, "reason": null },
        "collection_method": "charge_automatically", "currency": values.price.currency, "days_until_due": null,
        "default_payment_method": values.card, "default_source": null, "default_tax_rates": [],
        "description": null, "discounts": [], "livemode": false, "latest_invoice": null,
        "managed_payments": null, "metadata": values.metadata, "next_pending_invoice_item_invoice": null,
        "on_behalf_of": null, "pause_collection": null, "pending_invoice_item_interval": null,
        "pending_setup_intent": null, "pending_update": null, "schedule": null, "test_clock": null,
        "transfer_data": null, "trial_end": null, "trial_settings": null, "trial_start": null,
        "automatic_tax": { "enabled": false, "liability": null, "disabled_reason": null },
        "invoice_settings": {
            "account_tax_ids": null, "custom_fields": null, "description": null, "footer": null,
            "issuer": { "type": "self" },
        },
        "payment_settings": {
            "payment_method_options": null, "payment_method_types": ["card"], "save_default_payment_method": "off",
        },
        "items": {
            "object": "list", "has_more": false, "url": format!("/v1/subscription_items?subscription={}", values.id),
            "data": [{
                "id": values.item, "object": "subscription_item", "created": values.start, "quantity": 1,
                "billing_thresholds": null, "current_trial": null, "metadata": {}, "subscription": values.id,
                "price": values.price.object(values.start), "plan": values.price.plan_object(values.start), "discounts": [], "tax_rates": [],
                "current_period_start": values.start, "current_period_end": values.end,
            }],
        },
    })
}
