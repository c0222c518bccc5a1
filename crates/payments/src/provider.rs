//! The provider calls of billing: customer, checkout, subscription, portal, refund, webhook.

use std::str::FromStr;
use std::sync::Arc;

use kernel::{Ambient, Secret, Timestamp, Uid};
use serde_json::Value;

use crate::client::Client;
use crate::form::Form;
use crate::{
    Access, Checkout, CheckoutStatus, Event, NewCheckout, NewCustomer, PaymentError, PaymentsSettings, Price,
    Subscription, SubscriptionState, SubscriptionStatus, WebhookError, signature,
};

/// The longest page of a list at the provider.
const PAGE_MAX: u64 = 100;
/// The most lookup keys of a call.
const LOOKUP_KEYS_MAX: usize = 10;

/// A handle to the payment provider. Clones share the connections.
#[derive(Clone)]
pub struct Provider {
    client: Arc<Client>,
    webhook_secret: Secret,
    ambient: Ambient,
}

impl Provider {
    /// Creates a provider at the given address: Stripe's, or the sandbox's stand-in. Fails with
    /// [`PaymentError::Unreachable`] if no TLS client can be created on this machine.
    pub fn new(access: Access, ambient: Ambient) -> Result<Self, PaymentError> {
        let Access { base, secret_key, webhook_secret } = access;
        Ok(Self { client: Arc::new(Client::new(&base, secret_key)?), webhook_secret, ambient })
    }

    /// Creates a provider for Stripe itself, with the operator's keys.
    pub fn stripe(settings: &PaymentsSettings, ambient: Ambient) -> Result<Self, PaymentError> {
        let access = Access {
            base: settings.stripe_api_url.clone(),
            secret_key: settings.stripe_secret_key.clone(),
            webhook_secret: settings.stripe_webhook_secret.clone(),
        };
        Self::new(access, ambient)
    }

    /// Creates a customer and returns its id, `cus_..`. Repeating the call with the same account returns the
    /// same customer, or the same one in place of the customer that it `replaces`.
    pub async fn create_customer(
        &self,
        new: &NewCustomer,
        replaces: Option<&str>,
    ) -> Result<String, PaymentError> {
        // The provider rejects a reused key with different parameters.
        let form = details(new).with("metadata[account]", new.account.to_string());
        let key = format!("customer-{}-{}-{}", new.account, replaces.unwrap_or("new"), form.digest());
        id_of(&self.client.post("customers", &form, &key).await?)
    }

    /// Changes the details of a customer.
    pub async fn update_customer(&self, id: &str, new: &NewCustomer) -> Result<(), PaymentError> {
        let key = format!("customer-update-{}", self.ambient.uid::<Uid>());
        self.client.post(&format!("customers/{}", segment(id)), &details(new), &key).await.map(drop)
    }

    /// Starts a checkout for one plan. The idempotency key is made of purchase and customer, so repeating a lost call
    /// returns the same session. Fails with `PriceMissing` if no active price has the
    /// plan as its lookup key.
    pub async fn create_checkout(&self, new: &NewCheckout) -> Result<Checkout, PaymentError> {
        let price = self.price(&new.plan).await?;
        let (account, provision) = (new.account.to_string(), new.provision.to_string());
        let form = Form::default()
            .with("mode", "subscription")
            .with("customer", new.customer.clone())
            .with("client_reference_id", provision.clone())
            .with("line_items[0][price]", price)
            .with("line_items[0][quantity]", "1")
            .with("success_url", new.success_url.clone())
            .with("cancel_url", new.cancel_url.clone())
            .with("expires_at", new.expires_at.seconds().to_string())
            .with("metadata[account]", account.clone())
            .with("metadata[provision]", provision.clone())
            .with("subscription_data[metadata][account]", account)
            .with("subscription_data[metadata][provision]", provision.clone());
        let key = format!("checkout-{provision}-{}", new.customer);
        let answer = self.client.post("checkout/sessions", &form, &key).await?;
        checkout(&answer)
    }

    /// Fetches a checkout session.
    pub async fn checkout(&self, id: &str) -> Result<Checkout, PaymentError> {
        checkout(&self.client.get(&format!("checkout/sessions/{}", segment(id)), &Form::default()).await?)
    }

    /// Fetches a subscription, and the open invoices of one that is not paid.
    pub async fn subscription(&self, id: &str) -> Result<Subscription, PaymentError> {
        let answer = self.client.get(&format!("subscriptions/{}", segment(id)), &Form::default()).await?;
        let mut found = subscription(&answer)?;
        if found.state.is_unpaid() {
            found.state.unpaid_since = self.unpaid_since(&found.id).await?;
        }
        Ok(found)
    }

    /// Returns when the oldest open invoice after the last paid one was made. Older ones that are still open do not
    /// count: the provider takes a subscription for paid once its latest invoice is.
    async fn unpaid_since(&self, subscription: &str) -> Result<Option<Timestamp>, PaymentError> {
        let query = Form::default().with("subscription", subscription).with("limit", PAGE_MAX.to_string());
        let answer = self.client.get("invoices", &query).await?;
        let newest_first = answer.pointer("/data").and_then(Value::as_array);
        let newest_first = newest_first.ok_or(PaymentError::Unreadable("no list of invoices"))?;
        let status = |invoice: &Value| text(invoice, "/status").unwrap_or_default();
        let since_paid = newest_first.iter().take_while(|invoice| status(invoice) != "paid");
        let open = since_paid.filter(|invoice| status(invoice) == "open");
        Ok(open.filter_map(|invoice| seconds(invoice, "/created")).min())
    }

    /// Returns a short-lived address at which the customer manages cards, invoices and cancellation.
    pub async fn portal(&self, customer: &str, return_url: &str) -> Result<String, PaymentError> {
        let form = Form::default().with("customer", customer).with("return_url", return_url);
        let key = format!("portal-{}", self.ambient.uid::<Uid>());
        let answer = self.client.post("billing_portal/sessions", &form, &key).await?;
        text(&answer, "/url").ok_or(PaymentError::Unreadable("portal session without url"))
    }

    /// Cancels a subscription immediately, unless it has ended. Returns its state before the call.
    pub async fn cancel(&self, id: &str) -> Result<Subscription, PaymentError> {
        let found = self.subscription(id).await?;
        if found.state.status != SubscriptionStatus::Canceled {
            self.client.delete(&format!("subscriptions/{}", segment(id))).await?;
        }
        Ok(found)
    }

    /// Cancels a subscription immediately and refunds its last invoice, for a purchase that should not have
    /// been possible. Returns false if nothing had been paid. Safe to repeat: a payment is refunded once.
    pub async fn cancel_and_refund(&self, id: &str) -> Result<bool, PaymentError> {
        let found = self.cancel(id).await?;
        let Some(invoice) = found.latest_invoice else { return Ok(false) };
        let query = Form::default().with("invoice", invoice).with("status", "paid");
        let payments = self.client.get("invoice_payments", &query).await?;
        let paid = payments.pointer("/data").and_then(Value::as_array);
        let mut refunded = false;
        for intent in paid.into_iter().flatten().filter_map(|one| text(one, "/payment/payment_intent")) {
            let form = Form::default().with("payment_intent", intent.clone());
            // A new key for each attempt: the provider repeats its first answer to a key for a day, failures too.
            let key = format!("refund-{intent}-{}", self.ambient.uid::<Uid>());
            match self.client.post("refunds", &form, &key).await {
                Ok(_) => {}
                Err(PaymentError::Refused { code, .. }) if code == "charge_already_refunded" => {}
                Err(error) => return Err(error),
            }
            refunded = true;
        }
        Ok(refunded)
    }

    /// Verifies the signature of a webhook and parses its body.
    pub fn verify_webhook(&self, signature: Option<&str>, body: &[u8]) -> Result<Event, WebhookError> {
        let header = signature.ok_or(signature::SignatureError::Malformed)?;
        signature::verify(self.webhook_secret.reveal(), header, body, self.ambient.now())?;
        Event::parse(body).ok_or(WebhookError::Unreadable)
    }

    /// Returns the active prices with these lookup keys.
    pub async fn prices(&self, keys: &[&str]) -> Result<Vec<Price>, PaymentError> {
        let mut prices = Vec::new();
        for chunk in keys.chunks(LOOKUP_KEYS_MAX) {
            let query = Form::default().with("active", "true").with("limit", PAGE_MAX.to_string());
            let query = chunk.iter().fold(query, |query, key| query.with("lookup_keys[]", *key));
            let answer = self.client.get("prices", &query).await?;
            let found = answer.pointer("/data").and_then(Value::as_array);
            prices.extend(found.into_iter().flatten().filter_map(price));
        }
        Ok(prices)
    }

    /// Returns the id of the price whose lookup key is the plan's id.
    async fn price(&self, plan: &str) -> Result<String, PaymentError> {
        let query = Form::default().with("lookup_keys[]", plan).with("active", "true").with("limit", "1");
        let answer = self.client.get("prices", &query).await?;
        text(&answer, "/data/0/id").ok_or_else(|| PaymentError::PriceMissing(plan.to_owned()))
    }
}

/// Reads a price; one without a fixed amount has nothing to show.
fn price(value: &Value) -> Option<Price> {
    Some(Price {
        key: text(value, "/lookup_key")?,
        amount: value.pointer("/unit_amount").and_then(Value::as_i64)?,
        currency: text(value, "/currency")?,
    })
}

fn details(customer: &NewCustomer) -> Form {
    Form::default()
        .with_some("name", Some(&customer.name))
        .with_some("email", customer.email.as_deref())
        .with_some("phone", phone(&customer.phone))
}

/// Drops a phone number longer than Stripe's limit of 20 characters.
fn phone(text: &str) -> Option<&str> {
    Some(text).filter(|text| text.len() <= 20)
}

/// Reduces an id to one path segment. Ids of the provider contain only letters, digits and underscores, and
/// anything else could redirect the call to another path.
fn segment(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

fn seconds(value: &Value, pointer: &str) -> Option<Timestamp> {
    value.pointer(pointer).and_then(Value::as_i64).map(Timestamp::from_seconds)
}

/// Reads a reference: an id, or the object itself if the provider expanded it.
fn reference(value: &Value, name: &str) -> Option<String> {
    text(value, &format!("/{name}")).or_else(|| text(value, &format!("/{name}/id")))
}

fn id_of(value: &Value) -> Result<String, PaymentError> {
    text(value, "/id").ok_or(PaymentError::Unreadable("no id"))
}

/// Reads a uid of ours; anything else there belongs to another product on the same account of the provider.
fn uid_of<Id: FromStr>(value: &Value, pointer: &str) -> Option<Id> {
    text(value, pointer).and_then(|text| text.parse().ok())
}

fn checkout(value: &Value) -> Result<Checkout, PaymentError> {
    let status = text(value, "/status")
        .and_then(|word| CheckoutStatus::parse(&word))
        .ok_or(PaymentError::Unreadable("checkout session without a known status"))?;
    let expires = value.pointer("/expires_at").and_then(Value::as_i64);
    Ok(Checkout {
        id: id_of(value)?,
        url: text(value, "/url"),
        status,
        paid: matches!(text(value, "/payment_status").as_deref(), Some("paid" | "no_payment_required")),
        expires_at: Timestamp::from_seconds(
            expires.ok_or(PaymentError::Unreadable("checkout session without expires_at"))?,
        ),
        subscription: reference(value, "subscription"),
        customer: reference(value, "customer"),
        account: uid_of(value, "/metadata/account"),
        provision: uid_of(value, "/client_reference_id"),
    })
}

fn subscription(value: &Value) -> Result<Subscription, PaymentError> {
    let status = text(value, "/status")
        .and_then(|word| SubscriptionStatus::parse(&word))
        .ok_or(PaymentError::Unreadable("subscription without a known status"))?;
    // Stripe moved the period from the subscription to its items in 2025; both are read.
    let period_end = seconds(value, "/items/data/0/current_period_end")
        .or_else(|| seconds(value, "/current_period_end"))
        .ok_or(PaymentError::Unreadable("subscription without a period"))?;
    let flag = |pointer: &str| value.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
    // Newer subscriptions have only the time, older ones may have only the flag.
    let cancel_at = seconds(value, "/cancel_at").or(flag("/cancel_at_period_end").then_some(period_end));
    let state = SubscriptionState {
        status,
        price_key: text(value, "/items/data/0/price/lookup_key"),
        quantity: value.pointer("/items/data/0/quantity").and_then(Value::as_u64).unwrap_or(1),
        period_end,
        cancel_at,
        ended_unpaid: text(value, "/cancellation_details/reason").as_deref() == Some("payment_failed"),
        ended_at: seconds(value, "/ended_at"),
        unpaid_since: None,
        live_mode: flag("/livemode"),
    };
    Ok(Subscription {
        id: id_of(value)?,
        state,
        customer: reference(value, "customer"),
        latest_invoice: reference(value, "latest_invoice"),
        account: uid_of(value, "/metadata/account"),
        provision: uid_of(value, "/metadata/provision"),
    })
}
