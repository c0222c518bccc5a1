#![doc = include_str!("../README.md")]

mod access;
mod activation;
mod comparison;
mod customer;
mod dto;
mod entity;
mod error;
mod free;
#[cfg(test)]
mod histories;
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
mod seats;
mod store;
mod verify;

use std::sync::Arc;

use ::jobs::{Handlers, JobError, Jobs, Queue};
use axum::Router;
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, HOUR, OrgId, PersonId, PublicUrl, SECOND, Timestamp};
use mail::Mailer;
use orgs::Orgs;
use payments::Provider;
use sea_orm::{ConnectionTrait, DbErr};

pub use comparison::{Comparison, Finding, FindingKind};
pub use dto::{AccountOut, ProvisionOut};
pub use error::Error;
pub use free::{FreePlan, FreeProvisions};
pub use model::{AccountType, ProvisionState};
pub use plans::{Interval, Limits, Plan, Plans};
pub use ports::StorageUse;
pub use purchase_error::PurchaseError;
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
    orgs: Orgs,
    plans: Plans,
    prices: PriceCache,
    /// `None` if payment is off.
    provider: Option<Provider>,
    /// What accounts get if payment is off.
    free_plan: FreePlan,
    /// `None` until [`Billing::with_storage`].
    storage: Option<Arc<dyn StorageUse>>,
}

/// What is sold, and by whom.
#[derive(Clone)]
pub struct Sales {
    /// The plans that can be bought.
    pub plans: Plans,
    /// `None` if payment is off.
    pub provider: Option<Provider>,
    /// What accounts get if payment is off.
    pub free_plan: FreePlan,
}

impl Sales {
    /// Returns what accounts get, if payment is off.
    fn free_plan(&self) -> Option<FreePlan> {
        self.provider.is_none().then_some(self.free_plan)
    }
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
            orgs,
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
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::refund_purchase::RefundPurchase| {
            let billing = billing.clone();
            async move { jobs::refund_purchase::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::process_webhook::ProcessWebhook| {
            let billing = billing.clone();
            async move { jobs::process_webhook::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::update_customer::UpdateCustomer| {
            let billing = billing.clone();
            async move { jobs::update_customer::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::expire_sessions::ExpireSessions| {
            let billing = billing.clone();
            async move { jobs::expire_sessions::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::cancel_subscription::CancelSubscription| {
            let billing = billing.clone();
            async move { jobs::cancel_subscription::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Queue::Quick, move |job: jobs::end_subscription::EndSubscription| {
            let billing = billing.clone();
            async move { jobs::end_subscription::run(&billing, job).await }
        });
        if self.provider.is_some() {
            let (reader, billing) = (self.clone(), self.clone());
            let is_due = move || {
                let billing = reader.clone();
                async move { jobs::reconcile::is_due(&billing).await }
            };
            handlers.every_if("reconcile_purchases", 20 * SECOND, Queue::Quick, is_due, move || {
                let billing = billing.clone();
                async move { billing.reconcile().await.map_err(JobError::from) }
            });
            let billing = self.clone();
            // There is always something to compare: purchases may be missing here.
            let has_work = || async { Ok(true) };
            handlers.every_if("compare_subscriptions", HOUR, Queue::Quick, has_work, move || {
                let billing = billing.clone();
                async move { billing.compare().await.map_err(JobError::from) }
            });
        }
        let (asked, billing) = (self.clone(), self.clone());
        let has_work = move || jobs::lapse::has_work(asked.clone());
        handlers.every_if("lapse_plans", HOUR, Queue::Quick, has_work, move || {
            let billing = billing.clone();
            async move { billing.lapse().await.map_err(JobError::from) }
        });
    }

    /// Polls the provider for purchases whose webhook may be missing. Runs as the schedule
    /// `reconcile_purchases`; if the provider is down, the purchases are polled again later.
    pub async fn reconcile(&self) -> Result<(), Error> {
        jobs::reconcile::run(self).await
    }

    /// Compares the subscriptions at the provider with the purchases here, in both directions. Runs as the schedule
    /// `compare_subscriptions`.
    pub async fn compare(&self) -> Result<(), Error> {
        jobs::compare::run(self).await
    }

    /// Returns what the last comparison with the provider found.
    pub async fn last_comparison(&self) -> Result<Option<Comparison>, DbErr> {
        store::comparison::last(self.db.read()).await
    }

    /// Records what time alone has changed in the journal. Runs as the schedule `lapse_plans`.
    pub async fn lapse(&self) -> Result<(), Error> {
        jobs::lapse::run(self).await
    }

    /// Returns the limits of an organisation's plan. Without a bought plan it has those of the free plan if payment is
    /// off, and those of the smallest plan otherwise.
    pub async fn limits_of(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<Limits, DbErr> {
        let now = self.ambient.now();
        let provision = store::provision::live_of_org(conn, org, now).await?;
        let bought = provision.filter(|provision| !provision.is_free());
        Ok(match bought {
            Some(provision) => self.plans.limits_of(&provision, now),
            None if self.provider.is_none() => self.free_plan.limits(),
            None => self.plans.smallest(),
        })
    }

    /// Returns when the data of an organisation is removed whose plan has ended; `None` if it has a plan.
    pub async fn removed_at(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Option<Timestamp>, DbErr> {
        let paid = store::provision::of_orgs(conn, &[org]).await?;
        Ok(free::plan_end(org, &paid, self.ambient.now()).map(|end| orgs::removed_at(end.at)))
    }

    /// Returns the other organisations whose files count against this one's storage limit: those of the same
    /// account, if its plan is free and payment is off.
    pub async fn sharing_storage(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Vec<OrgId>, DbErr> {
        let now = self.ambient.now();
        match store::provision::live_of_org(conn, org, now).await? {
            Some(provision) if provision.is_free() && self.provider.is_none() => {
                let account = provision.account;
                let paid = store::provision::of_account(conn, account).await?;
                let live = paid.into_iter().filter(|one| one.is_live_at(now));
                Ok(live.filter_map(|one| one.org).filter(|other| *other != org).collect())
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Clears billing accounts created under an unverified address.
pub struct AccountData;

#[async_trait::async_trait]
impl identity::PersonData for AccountData {
    /// Deletes the accounts the person created, except those with a purchase: an organisation may depend on
    /// them.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        store::account::remove_unused(tx, person).await
    }
}

/// Returns the migrations of billing's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
