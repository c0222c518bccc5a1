//! Checkout sessions.

use serde_json::{Value, json};

use crate::stripe::catalogue::Price;

/// The values of a checkout session.
pub(crate) struct CheckoutValues<'a> {
    pub(crate) id: &'a str,
    pub(crate) created: i64,
    pub(crate) expires_at: i64,
    pub(crate) url: String,
    pub(crate) customer: &'a str,
    pub(crate) reference: Option<&'a str>,
    pub(crate) success_url: &'a str,
    pub(crate) cancel_url: Option<&'a str>,
    pub(crate) metadata: Value,
    pub(crate) price: &'a Price,
}

/// An open checkout session.
pub(crate) fn checkout(values: CheckoutValues<'_>) -> Value {
    json!({
        "id": values.id, "object": "checkout.session", "created": values.created, "expires_at": values.expires_at,
        "livemode": false, "mode": "subscription", "status": "open", "payment_status": "unpaid", "url": values.url,
        "customer": values.customer, "customer_account": null, "customer_email": null,
        "client_reference_id": values.reference, "subscription": null, "invoice": null, "payment_intent": null,
        "success_url": values.success_url, "cancel_url": values.cancel_url, "metadata": values.metadata,
        "amount_total": values.price.amount, "amount_subtotal": values.price.amount,
        "currency": values.price.currency, "locale": null, "ui_mode": "hosted_page", "setup_intent": null,
        "automatic_tax": { "enabled": false, "liability": null, "provider": null, "status": null },
        "custom_fields": [], "shipping_options": [], "payment_method_types": ["card"],
        "payment_method_collection": "always", "recovered_from": null, "after_expiration": null,
        "adaptive_pricing": null, "allow_promotion_codes": null, "allowed_payment_method_types": null,
        "billing_address_collection": null, "client_secret": null, "collected_information": null, "consent": null,
        "consent_collection": null, "currency_conversion": null, "customer_creation": null,
        "customer_details": null, "discounts": [], "integration_identifier": null, "invoice_creation": null,
        "managed_payments": null, "origin_context": null, "payment_link": null,
        "payment_method_configuration_details": null, "payment_method_options": null, "permissions": null,
        "saved_payment_method_options": null, "shipping_address_collection": null, "shipping_cost": null,
        "submit_type": null, "wallet_options": null,
        "total_details": { "amount_discount": 0, "amount_shipping": 0, "amount_tax": 0 },
        "custom_text": {
            "after_submit": null, "shipping_address": null, "submit": null, "terms_of_service_acceptance": null,
        },
    })
}
