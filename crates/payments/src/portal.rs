//! The provider's billing portal. What it allows is configured here and not in the dashboard: the card, the invoices,
//! cancelling at the end of the period, and changing between our plans.

use kernel::{HOUR, Millis, Timestamp, Uid};
use serde_json::Value;

use crate::form::Form;
use crate::provider::PAGE_MAX;
use crate::read::{data, id_of, segment, text};
use crate::{PaymentError, Price, Provider};

/// The metadata by which our configuration is found again. Its value is the digest of what it allows.
const MARK: &str = "vitrine_portal";
/// How long the configuration is used before the provider is asked for it again.
const FRESH: Millis = HOUR;

/// The configuration as the provider has it.
#[derive(Clone, Debug)]
pub(crate) struct FoundConfiguration {
    id: String,
    digest: String,
    asked_at: Timestamp,
}

impl Provider {
    /// Returns a short-lived address at which the customer manages cards, invoices and the plan, as `configuration`
    /// allows; `None` is the one of the provider's dashboard.
    pub async fn portal(
        &self,
        customer: &str,
        return_url: &str,
        configuration: Option<&str>,
    ) -> Result<String, PaymentError> {
        let form = Form::default()
            .with("customer", customer)
            .with("return_url", return_url)
            .with_some("configuration", configuration);
        let key = format!("portal-{}", self.ambient.uid::<Uid>());
        let answer = self.client.post("billing_portal/sessions", &form, &key).await?;
        text(&answer, "/url").ok_or(PaymentError::Unreadable("portal session without url"))
    }

    /// Returns the id of our configuration of the portal, in which people change between these prices. Creates it, or
    /// changes it if it allows something else.
    pub async fn ensure_portal_configuration(
        &self,
        prices: &[Price],
        return_url: &str,
    ) -> Result<String, PaymentError> {
        let form = configuration(prices, return_url);
        let (digest, now) = (form.digest(), self.ambient.now());
        // Requests that come meanwhile wait for the same answer.
        let mut known = self.configuration.lock().await;
        let is_fresh = |found: &FoundConfiguration| found.digest == digest && found.asked_at + FRESH > now;
        if let Some(found) = known.as_ref().filter(|found| is_fresh(found)) {
            return Ok(found.id.clone());
        }
        let form = form.with(&format!("metadata[{MARK}]"), digest.clone());
        let id = match self.find_configuration().await? {
            Some((id, marked)) if marked == digest => id,
            Some((id, _)) => {
                let key = format!("portal-configuration-{}", self.ambient.uid::<Uid>());
                let path = format!("billing_portal/configurations/{}", segment(&id));
                id_of(&self.client.post(&path, &form, &key).await?)?
            }
            None => {
                // Servers that start at the same time create one.
                let key = format!("portal-configuration-{digest}");
                id_of(&self.client.post("billing_portal/configurations", &form, &key).await?)?
            }
        };
        *known = Some(FoundConfiguration { id: id.clone(), digest, asked_at: now });
        Ok(id)
    }

    /// Returns the id of our configuration of the portal, if the provider has it.
    pub async fn portal_configuration(&self) -> Result<Option<String>, PaymentError> {
        Ok(self.find_configuration().await?.map(|(id, _)| id))
    }

    async fn find_configuration(&self) -> Result<Option<(String, String)>, PaymentError> {
        let query = Form::default().with("active", "true").with("limit", PAGE_MAX.to_string());
        let answer = self.client.get("billing_portal/configurations", &query).await?;
        let marked = |one: &Value| Some((text(one, "/id")?, text(one, &format!("/metadata/{MARK}"))?));
        Ok(data(&answer, "no list of portal configurations")?.iter().find_map(marked))
    }
}

/// Returns what the portal allows. A cheaper plan or a shorter period begins when the paid period ends.
fn configuration(prices: &[Price], return_url: &str) -> Form {
    let mut products: Vec<(&str, Vec<&str>)> = Vec::new();
    for price in prices {
        let Some(product) = price.product.as_deref() else { continue };
        match products.iter_mut().find(|(known, _)| *known == product) {
            Some((_, ids)) => ids.push(&price.id),
            None => products.push((product, vec![&price.id])),
        }
    }
    let on = |form: Form, feature: &str| form.with(&format!("features[{feature}][enabled]"), "true");
    let form = ["payment_method_update", "invoice_history", "subscription_cancel"]
        .into_iter()
        .fold(Form::default().with("default_return_url", return_url), on)
        .with("features[subscription_cancel][mode]", "at_period_end");
    if products.is_empty() {
        return form;
    }
    let update = "features[subscription_update]";
    let mut form = on(form, "subscription_update")
        .with(&format!("{update}[default_allowed_updates][0]"), "price")
        .with(&format!("{update}[proration_behavior]"), "always_invoice")
        .with(&format!("{update}[schedule_at_period_end][conditions][0][type]"), "decreasing_item_amount")
        .with(&format!("{update}[schedule_at_period_end][conditions][1][type]"), "shortening_interval");
    for (number, (product, ids)) in products.into_iter().enumerate() {
        form = form.with(&format!("{update}[products][{number}][product]"), product);
        for (index, id) in ids.into_iter().enumerate() {
            form = form.with(&format!("{update}[products][{number}][prices][{index}]"), id);
        }
    }
    form
}
