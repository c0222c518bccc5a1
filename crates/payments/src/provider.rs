//! The provider calls of billing: customer, checkout, subscription, prices, webhook. Those about invoices, the portal
//! and the provider's account are in modules of their own.

use std::sync::Arc;

use kernel::{Ambient, Secret, Uid};
use serde_json::Value;
use tokio::sync::{Mutex, OnceCell};

use crate::client::Client;
use crate::form::Form;
use crate::portal::FoundConfiguration;
use crate::read::{self, data, id_of, reference, segment, text};
use crate::{
    Access, Address, Checkout, Event, NewCheckout, NewCustomer, PaymentError, PaymentsSettings, Price,
    ScheduledChange, Subscription, SubscriptionPage, SubscriptionStatus, WebhookError, signature,
};

/// The longest page of a list at the provider.
pub(crate) const PAGE_MAX: usize = 100;
/// The most lookup keys of a call.
const LOOKUP_KEYS_MAX: usize = 10;

/// A handle to the payment provider. Clones share the connections.
#[derive(Clone)]
pub struct Provider {
    pub(crate) client: Arc<Client>,
    webhook_secret: Secret,
    pub(crate) ambient: Ambient,
    /// Whether the key takes real money.
    pub(crate) live_mode: bool,
    /// The provider's account that the key belongs to, once it was asked for.
    pub(crate) account: Arc<OnceCell<Option<String>>>,
    /// The configuration of the portal, once it was asked for.
    pub(crate) configuration: Arc<Mutex<Option<FoundConfiguration>>>,
}

impl Provider {
    /// Creates a provider at the given address: Stripe's, or the sandbox's stand-in. Fails with
    /// [`PaymentError::Unreachable`] if no TLS client can be created on this machine.
    pub fn new(access: Access, ambient: Ambient) -> Result<Self, PaymentError> {
        let Access { base, secret_key, webhook_secret } = access;
        let live_mode = secret_key.reveal().contains("_live_");
        let client = Arc::new(Client::new(&base, secret_key)?);
        let (account, configuration) = (Arc::default(), Arc::default());
        Ok(Self { client, webhook_secret, ambient, live_mode, account, configuration })
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
        let mut form = details(new);
        if new.address == Address::default() {
            // Removes what the provider had.
            form = form.with("address", "");
        }
        self.client.post(&format!("customers/{}", segment(id)), &form, &key).await.map(drop)
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
        read::checkout(&answer)
    }

    /// Fetches a checkout session.
    pub async fn checkout(&self, id: &str) -> Result<Checkout, PaymentError> {
        read::checkout(
            &self.client.get(&format!("checkout/sessions/{}", segment(id)), &Form::default()).await?,
        )
    }

    /// Expires a checkout session, which can no longer be paid then. Returns false if it is not open any more.
    pub async fn expire_checkout(&self, id: &str) -> Result<bool, PaymentError> {
        let key = format!("expire-{}", self.ambient.uid::<Uid>());
        let path = format!("checkout/sessions/{}/expire", segment(id));
        match self.client.post(&path, &Form::default(), &key).await {
            Ok(_) => Ok(true),
            Err(PaymentError::Refused { status: 400, .. } | PaymentError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches a subscription, the change that is scheduled for it, and the open invoices of one that is not paid.
    pub async fn subscription(&self, id: &str) -> Result<Subscription, PaymentError> {
        let answer = self.client.get(&format!("subscriptions/{}", segment(id)), &Form::default()).await?;
        let mut found = read::subscription(&answer)?;
        if found.plan_keys.is_empty()
            && let Some(price) = answer.pointer("/items/data/0/price")
        {
            found.plan_keys = self.product_keys(price).await?;
            found.state.price_key = found.plan_keys.first().cloned();
        }
        if found.state.is_unpaid() {
            let open = self.open_since_paid(&found.id).await?;
            found.state.unpaid_since = open.iter().map(|invoice| invoice.created).min();
            if let Some(newest) = open.first() {
                found.state.attempts = newest.attempts;
                found.state.next_attempt_at = newest.next_attempt_at;
            }
        }
        if let Some(schedule) = reference(&answer, "schedule") {
            found.scheduled = self.scheduled_change(&schedule).await?;
        }
        Ok(found)
    }

    /// Returns the change of the price that a schedule makes next.
    async fn scheduled_change(&self, schedule: &str) -> Result<Option<ScheduledChange>, PaymentError> {
        let path = format!("subscription_schedules/{}", segment(schedule));
        let answer = match self.client.get(&path, &Form::default()).await {
            Err(PaymentError::NotFound) => return Ok(None),
            answer => answer?,
        };
        let Some(from) = read::seconds(&answer, "/current_phase/end_date") else { return Ok(None) };
        let phases = answer.pointer("/phases").and_then(Value::as_array).into_iter().flatten();
        let next = phases
            .filter_map(|phase| read::seconds(phase, "/start_date").map(|at| (at, phase)))
            .filter(|(at, _)| *at >= from)
            .min_by_key(|(at, _)| *at);
        let Some((at, phase)) = next else { return Ok(None) };
        let Some(price) = reference(phase, "items/0/price") else { return Ok(None) };
        let price = self.client.get(&format!("prices/{}", segment(&price)), &Form::default()).await?;
        let mut plan_keys = read::plan_keys(&price);
        if plan_keys.is_empty() {
            plan_keys = self.product_keys(&price).await?;
        }
        Ok(Some(ScheduledChange { plan_keys, at }))
    }

    /// Returns the plan that the product of a price names, for a price that names none.
    async fn product_keys(&self, price: &Value) -> Result<Vec<String>, PaymentError> {
        let Some(product) = reference(price, "product") else { return Ok(Vec::new()) };
        match self.client.get(&format!("products/{}", segment(&product)), &Form::default()).await {
            Err(PaymentError::NotFound) => Ok(Vec::new()),
            product => Ok(text(&product?, "/metadata/plan").into_iter().collect()),
        }
    }

    /// Returns a page of the subscriptions that have not ended, newest first, without their open invoices and
    /// scheduled changes. Those that cannot be read are logged and left out.
    pub async fn subscriptions(&self, after: Option<&str>) -> Result<SubscriptionPage, PaymentError> {
        let query = Form::default().with("limit", PAGE_MAX.to_string()).with_some("starting_after", after);
        let answer = self.client.get("subscriptions", &query).await?;
        let listed = data(&answer, "no list of subscriptions")?;
        let last = listed.last().and_then(|last| text(last, "/id"));
        let read = |one: &Value| match read::subscription(one) {
            Ok(subscription) => Some(subscription),
            Err(error) => {
                tracing::error!(subscription = text(one, "/id"), %error, "a subscription cannot be read");
                None
            }
        };
        let next = last.filter(|_| read::flag(&answer, "/has_more"));
        Ok(SubscriptionPage { data: listed.iter().filter_map(read).collect(), next })
    }

    /// Cancels a subscription immediately, unless it has ended. Returns its state before the call.
    pub async fn cancel(&self, id: &str) -> Result<Subscription, PaymentError> {
        let found = self.subscription(id).await?;
        if found.state.status != SubscriptionStatus::Canceled {
            self.client.delete(&format!("subscriptions/{}", segment(id))).await?;
        }
        Ok(found)
    }

    /// Cancels a subscription at the end of the period that is paid for. Safe to repeat.
    pub async fn cancel_at_period_end(&self, id: &str) -> Result<(), PaymentError> {
        let form = Form::default().with("cancel_at_period_end", "true");
        let key = format!("cancel-{}", self.ambient.uid::<Uid>());
        self.client.post(&format!("subscriptions/{}", segment(id)), &form, &key).await.map(drop)
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
            prices.extend(data(&answer, "no list of prices")?.iter().filter_map(read::price));
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

fn details(customer: &NewCustomer) -> Form {
    Form::default()
        .with_some("name", Some(&customer.name))
        .with_some("email", customer.email.as_deref())
        .with_some("phone", phone(&customer.phone))
        .with_some("address[line1]", Some(&customer.address.line1))
        .with_some("address[line2]", Some(&customer.address.line2))
        .with_some("address[city]", Some(&customer.address.city))
        .with_some("address[state]", Some(&customer.address.state))
        .with_some("address[postal_code]", Some(&customer.address.postal_code))
        .with_some("address[country]", Some(&customer.address.country))
}

/// Drops a phone number longer than Stripe's limit of 20 characters.
fn phone(text: &str) -> Option<&str> {
    Some(text).filter(|text| text.len() <= 20)
}
