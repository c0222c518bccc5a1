//! Customers and their cards.

use serde_json::{Value, json};

pub(crate) fn customer(
    id: &str,
    created: i64,
    name: Option<&str>,
    email: Option<&str>,
    phone: Option<&str>,
    metadata: Value,
) -> Value {
    json!({
        "id": id, "object": "customer", "created": created, "livemode": false, "name": name, "email": email,
        "phone": phone, "address": null, "balance": 0, "default_source": null, "delinquent": false,
        "description": null, "discount": null, "metadata": metadata, "shipping": null, "tax_exempt": "none",
        "test_clock": null, "invoice_settings": {
            "custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null,
        },
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardValues {
    pub(crate) last4: String,
    pub(crate) month: u32,
    pub(crate) year: u32,
    pub(crate) name: Option<String>,
}

pub(crate) fn payment_method(id: &str, customer: &str, card: &CardValues, created: i64) -> Value {
    json!({
        "id": id, "object": "payment_method", "created": created, "customer": customer,
        "customer_account": null, "livemode": false, "metadata": {}, "type": "card", "allow_redisplay": "limited",
        "billing_details": { "address": null, "email": null, "name": card.name, "phone": null, "tax_id": null },
        "card": {
            "brand": "visa", "checks": null, "country": "US", "display_brand": "visa",
            "exp_month": card.month, "exp_year": card.year, "funding": "credit", "generated_from": null,
            "last4": card.last4, "networks": { "available": ["visa"], "preferred": null },
            "regulated_status": "unregulated", "three_d_secure_usage": { "supported": true }, "wallet": null,
        },
    })
}
