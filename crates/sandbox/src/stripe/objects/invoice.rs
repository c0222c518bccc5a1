//! Invoices, their lines and their payments.

use serde_json::{Value, json};

use crate::stripe::catalogue::Price;

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct InvoiceLine {
    pub(crate) amount: i64,
    pub(crate) description: String,
    pub(crate) price: String,
    pub(crate) product: String,
    pub(crate) unit_amount: i64,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) proration: bool,
}

impl InvoiceLine {
    /// A whole period of a price.
    pub(crate) fn period(price: &Price, start: i64, end: i64) -> Self {
        let description = format!("1 × {} ({} / {})", price.title, price.shown(), price.interval());
        Self::part(price, price.amount, description, start, end, false)
    }

    /// What is credited or charged for a part of a period.
    pub(crate) fn prorated(price: &Price, amount: i64, description: String, start: i64, end: i64) -> Self {
        Self::part(price, amount, description, start, end, true)
    }

    fn part(price: &Price, amount: i64, description: String, start: i64, end: i64, proration: bool) -> Self {
        let (unit_amount, product) = (price.amount, price.product());
        Self { amount, description, price: price.id(), product, unit_amount, start, end, proration }
    }

    fn object(&self, index: usize, invoice: &str, subscription: &Value) -> Value {
        let number = invoice.trim_start_matches("in_");
        let item = &subscription["items"]["data"][0]["id"];
        json!({
            "id": format!("il_{number}{index}"), "object": "line_item", "amount": self.amount,
            "currency": subscription["currency"], "description": self.description, "discount_amounts": [],
            "discountable": !self.proration, "discounts": [], "invoice": invoice, "livemode": false,
            "metadata": subscription["metadata"], "period": { "start": self.start, "end": self.end },
            "parent": {
                "type": "subscription_item_details", "invoice_item_details": null,
                "subscription_item_details": {
                    "invoice_item": null, "proration": self.proration,
                    "proration_details": { "credited_items": null },
                    "subscription": subscription["id"], "subscription_item": item,
                },
            },
            "pretax_credit_amounts": [],
            "pricing": {
                "type": "price_details", "unit_amount_decimal": self.unit_amount.to_string(),
                "price_details": { "price": self.price, "product": self.product },
            },
            "quantity": 1, "quantity_decimal": "1", "subscription": subscription["id"], "subtotal": self.amount,
            "taxes": [],
        })
    }
}

pub(crate) struct InvoiceValues<'a> {
    pub(crate) id: &'a str,
    pub(crate) subscription: &'a Value,
    /// `subscription_create`, `subscription_cycle` or `subscription_update`.
    pub(crate) reason: &'a str,
    pub(crate) lines: &'a [InvoiceLine],
    /// The customer's balance before; less than 0 is a credit.
    pub(crate) balance: i64,
    pub(crate) created: i64,
}

impl InvoiceValues<'_> {
    /// Returns the sum of the lines.
    pub(crate) fn total(&self) -> i64 {
        self.lines.iter().map(|line| line.amount).sum()
    }

    /// Returns what has to be paid, after the balance.
    pub(crate) fn due(&self) -> i64 {
        (self.total() + self.balance).max(0)
    }

    /// Returns the customer's balance after this invoice.
    pub(crate) fn balance_after(&self) -> i64 {
        (self.total() + self.balance).min(0)
    }
}

/// An open invoice of a subscription that no one has tried to collect.
pub(crate) fn invoice(values: &InvoiceValues<'_>) -> Value {
    let (id, subscription, created) = (values.id, values.subscription, values.created);
    let lines: Vec<Value> =
        values.lines.iter().enumerate().map(|(index, line)| line.object(index, id, subscription)).collect();
    let period = values.lines.last();
    json!({
        "id": id, "object": "invoice", "created": created, "customer": subscription["customer"],
        "customer_account": null, "currency": subscription["currency"], "livemode": false, "status": "open",
        "account_country": "US", "account_name": null, "account_tax_ids": null, "application": null,
        "amount_due": values.due(), "amount_paid": 0, "amount_remaining": values.due(), "amount_shipping": 0,
        "amount_overpaid": 0, "amount_paid_off_stripe": 0, "subtotal": values.total(), "subtotal_excluding_tax": values.total(),
        "total": values.total(), "total_excluding_tax": values.total(), "total_discount_amounts": [],
        "total_pretax_credit_amounts": [], "total_taxes": [],
        "attempt_count": 0, "attempted": false, "auto_advance": true, "automatically_finalizes_at": null,
        "billing_reason": values.reason, "collection_method": "charge_automatically", "custom_fields": null,
        "customer_address": null, "customer_email": null, "customer_name": null, "customer_phone": null,
        "customer_shipping": null, "customer_tax_exempt": "none", "customer_tax_ids": [],
        "default_payment_method": null, "default_source": null, "default_tax_rates": [], "description": null,
        "discounts": [], "due_date": null, "effective_at": created, "ending_balance": values.balance_after(),
        "footer": null, "from_invoice": null, "hosted_invoice_url": null, "invoice_pdf": null,
        "issuer": { "type": "self" }, "last_finalization_error": null, "latest_revision": null, "metadata": {},
        "next_payment_attempt": null, "number": number(id), "on_behalf_of": null,
        "period_start": period.map_or(created, |line| line.start), "period_end": period.map_or(created, |line| line.end),
        "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0, "receipt_number": null,
        "rendering": null, "shipping_cost": null, "shipping_details": null, "starting_balance": values.balance,
        "statement_descriptor": null, "test_clock": null, "webhooks_delivered_at": null,
        "automatic_tax": {
            "enabled": false, "liability": null, "provider": null, "status": null, "disabled_reason": null,
        },
        "lines": {
            "object": "list", "data": lines, "has_more": false, "url": format!("/v1/invoices/{id}/lines"),
        },
        "payment_settings": { "default_mandate": null, "payment_method_options": null, "payment_method_types": null },
        "status_transitions": {
            "finalized_at": created, "marked_uncollectible_at": null, "paid_at": null, "voided_at": null,
        },
        "parent": {
            "type": "subscription_details", "quote_details": null,
            "subscription_details": { "subscription": subscription["id"], "metadata": subscription["metadata"] },
        },
    })
}

/// Returns the number on the invoice, made of the last digits of its id.
fn number(id: &str) -> String {
    let digits: Vec<char> = id.chars().rev().take(8).collect();
    let text: String = digits.into_iter().rev().collect();
    format!("SANDBOX-{}", text.to_uppercase())
}

/// The payment of a paid invoice.
pub(crate) fn invoice_payment(invoice: &Value) -> Value {
    let id = invoice["id"].as_str().unwrap_or_default();
    let paid_at = &invoice["status_transitions"]["paid_at"];
    json!({
        "id": format!("inpay_{}", id.trim_start_matches("in_")), "object": "invoice_payment", "invoice": id,
        "amount_paid": invoice["amount_paid"], "amount_requested": invoice["amount_due"],
        "created": invoice["created"], "currency": invoice["currency"], "is_default": true, "livemode": false,
        "payment": { "type": "payment_intent", "payment_intent": payment_intent(id) }, "status": "paid",
        "status_transitions": { "canceled_at": null, "paid_at": paid_at },
    })
}

/// Returns the payment intent of an invoice, which has the same number.
fn payment_intent(invoice: &str) -> String {
    invoice.replacen("in_", "pi_", 1)
}
