//! What the plans cost: prices as the payment provider has them, asked rarely.

use std::sync::Arc;

use kernel::{MINUTE, Millis, SECOND, Timestamp};
use payments::Price;
use tokio::sync::Mutex;

use crate::plans::Plan;
use crate::{Billing, Error, PurchaseError};

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
    /// `None` before the first answer.
    prices: Option<Vec<Price>>,
    ask_from: Option<Timestamp>,
}

impl Billing {
    /// Returns the plans that can be bought, smallest first: none if payment is off. Plans whose price the provider
    /// does not have are left out. While it cannot be reached, all are returned without prices.
    ///
    /// # Errors
    /// [`PurchaseError::NoPrices`] if the provider answered and has none of the prices.
    pub async fn offers(&self) -> Result<Vec<Offer<'_>>, Error> {
        if self.provider.is_none() {
            return Ok(Vec::new());
        }
        let all = self.plans.all().iter();
        let Some(prices) = self.known_prices().await else {
            return Ok(all.map(|plan| Offer { plan, price: None }).collect());
        };
        let price_of = |plan: &Plan| prices.iter().find(|price| price.key == plan.id).cloned();
        let offers: Vec<_> =
            all.filter_map(|plan| price_of(plan).map(|price| Offer { plan, price: Some(price) })).collect();
        if offers.is_empty() { Err(PurchaseError::NoPrices.into()) } else { Ok(offers) }
    }

    /// Returns the prices of the plans as the provider has them: none if it cannot be asked.
    pub(crate) async fn prices(&self) -> Vec<Price> {
        self.known_prices().await.unwrap_or_default()
    }

    /// Returns the prices of the last answer, or `None` if there is none yet.
    async fn known_prices(&self) -> Option<Vec<Price>> {
        let provider = self.provider.as_ref()?;
        // Requests that come meanwhile wait for the same answer.
        let mut cached = self.prices.0.lock().await;
        let now = self.ambient.now();
        if cached.ask_from.is_none_or(|at| at <= now) {
            let keys: Vec<&str> = self.plans.all().iter().map(|plan| plan.id.as_str()).collect();
            match provider.prices(&keys).await {
                Ok(prices) => {
                    if prices.is_empty() {
                        tracing::error!(
                            ?keys,
                            "the payment provider has no price with any of these lookup keys"
                        );
                    }
                    *cached = Cached { prices: Some(prices), ask_from: Some(now + FRESH) };
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to read the prices of the plans");
                    cached.ask_from = Some(now + PAUSE);
                }
            }
        }
        cached.prices.clone()
    }
}
