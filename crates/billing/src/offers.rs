//! What the plans cost: prices as the payment provider has them, asked rarely.

use std::sync::Arc;

use kernel::{MINUTE, Millis, SECOND, Timestamp};
use payments::Price;
use tokio::sync::Mutex;

use crate::Billing;
use crate::plans::Plan;

/// How long prices are used before the provider is asked again.
const FRESH: Millis = 5 * MINUTE;
/// How long the provider is left alone after it could not be asked.
const PAUSE: Millis = 30 * SECOND;

/// A plan that can be bought now, and its price unless the provider could not be asked.
pub struct Offer<'a> {
    pub plan: &'a Plan,
    pub price: Option<Price>,
}

/// The prices of the last answer. Clones share them.
#[derive(Clone, Default)]
pub struct PriceCache(Arc<Mutex<Cached>>);

#[derive(Default)]
struct Cached {
    prices: Vec<Price>,
    ask_from: Option<Timestamp>,
}

impl Billing {
    /// Returns the plans that can be bought, smallest first: none if payment is off. Plans whose price the provider
    /// does not have are left out.
    pub async fn offers(&self) -> Vec<Offer<'_>> {
        if self.provider.is_none() {
            return Vec::new();
        }
        let prices = self.prices().await;
        let offer = |plan| Offer { plan, price: None };
        if prices.is_empty() {
            return self.plans.all().iter().map(offer).collect();
        }
        let with_price = |plan: &'_ Plan| prices.iter().find(|price| price.key == plan.id).cloned();
        let all = self.plans.all().iter();
        all.filter_map(|plan| with_price(plan).map(|price| Offer { price: Some(price), ..offer(plan) }))
            .collect()
    }

    /// Returns the prices of the plans, those of the last minutes if the provider cannot be asked.
    pub(crate) async fn prices(&self) -> Vec<Price> {
        let Some(provider) = &self.provider else { return Vec::new() };
        // Requests that come meanwhile wait for the same answer.
        let mut cached = self.prices.0.lock().await;
        let now = self.ambient.now();
        if cached.ask_from.is_none_or(|at| at <= now) {
            let keys: Vec<&str> = self.plans.all().iter().map(|plan| plan.id.as_str()).collect();
            match provider.prices(&keys).await {
                Ok(prices) => *cached = Cached { prices, ask_from: Some(now + FRESH) },
                Err(error) => {
                    tracing::warn!(%error, "failed to read the prices of the plans");
                    cached.ask_from = Some(now + PAUSE);
                }
            }
        }
        cached.prices.clone()
    }
}
