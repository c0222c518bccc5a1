#![doc = include_str!("../README.md")]

mod access;
mod account_data;
mod activation;
mod comparison;
mod customer;
mod dto;
mod entitlements;
mod entity;
mod erasure;
mod error;
mod free;
mod history;
mod jobs;
mod migrations;
mod model;
mod money;
mod notices;
mod offers;
mod ops;
mod plans;
mod ports;
mod pricing_page;
mod provision;
mod purchase_error;
mod recovery;
mod returning;
mod sales;
mod seats;
mod store;
mod verify;
mod waiting;

use std::sync::Arc;

use ::jobs::{Handlers, Jobs};
use axum::Router;
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, PublicUrl};
use mail::Mailer;
use orgs::Orgs;
use payments::Provider;

pub use account_data::AccountData;
pub use comparison::{Comparison, Finding, FindingKind, last_comparison};
pub use dto::{AccountOut, ProvisionOut};
pub use erasure::AccountErasure;
pub use error::Error;
pub use free::{FreePlan, FreeProvisions};
pub use history::{PurchaseChange, PurchaseHistory};
pub use model::{AccountType, Cause, ProvisionState, PurchaseReason};
pub use plans::{Interval, Limits, Plan, Plans};
pub use ports::StorageUse;
pub use purchase_error::PurchaseError;
pub use sales::Sales;
pub use seats::PlanSeats;

use offers::PriceCache;

/// Handle to the crate's operations and jobs. Clones share state.
#[derive(Clone)]
pub struct Billing {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    jobs: Jobs,
    mailer: Mailer,
    orgs: Arc<Orgs>,
    plans: Plans,
    prices: PriceCache,
    /// `None` if payment is off.
    provider: Option<Provider>,
    /// What accounts get if payment is off.
    free_plan: FreePlan,
    /// `None` until [`Billing::with_storage`].
    storage: Option<Arc<dyn StorageUse>>,
}

impl Billing {
    /// Creates the handle. If payment is off, every account has a free active plan.
    pub fn new(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        jobs: Jobs,
        mailer: Mailer,
        orgs: Orgs,
        sales: Sales,
    ) -> Self {
        let Sales { plans, provider, free_plan } = sales;
        Self {
            db,
            ambient,
            public,
            jobs,
            mailer,
            orgs: orgs.into(),
            plans,
            prices: PriceCache::default(),
            provider,
            free_plan,
            storage: None,
        }
    }

    /// Returns the same handle, with the port that reports how much an organisation stores.
    #[must_use]
    pub fn with_storage(mut self, storage: Arc<dyn StorageUse>) -> Self {
        self.storage = Some(storage);
        self
    }

    /// Returns the operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns the page with the plans, for the root.
    pub fn root_routes(&self) -> Router {
        pricing_page::routes(self.clone())
    }

    /// Registers the jobs and schedules.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Polls the provider for purchases whose webhook may be missing. Runs as the schedule `reconcile_purchases`.
    pub async fn reconcile(&self) -> Result<(), Error> {
        jobs::reconcile::run(self).await
    }

    /// Compares subscriptions and purchases in both directions. Runs as the schedule `compare_subscriptions`.
    pub async fn compare(&self) -> Result<(), Error> {
        jobs::compare::run(self).await
    }

    /// Records what time alone has changed in the journal. Runs as the schedule `lapse_plans`.
    pub async fn lapse(&self) -> Result<(), Error> {
        jobs::lapse::run(self).await
    }
}

/// Returns the migrations of billing's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
