//! Billing: accounts, plans, checkout, provisions, the billing portal, the provider's webhooks.
//!
//! Money is taken by `payments`; this room decides what a payment means. A purchase is a provision, written
//! before the buyer leaves for the card page; only the provider's word (a webhook that makes us look, or our own
//! look) makes it active, and then organisation, super admin and plan come to be in one transaction.

mod activation;
mod entity;
mod error;
mod free;
mod jobs;
mod migrations;
mod model;
mod ops;
mod store;
mod wire;

use ::jobs::{Failure, Handlers, Jobs, Lane};
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, HOUR, PublicUrl, SECOND, Uid};
use mail::Mailer;
use orgs::Orgs;
use payments::Provider;
use sea_orm::{ConnectionTrait, DbErr};

pub use error::Error;
pub use free::{FreePlan, FreeProvisions};
pub use model::{AccountType, Limits, Plan, ProvisionState};
pub use wire::{AccountOut, ProvisionOut};

use model::Provision;

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Billing {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    jobs: Jobs,
    mailer: Mailer,
    orgs: Orgs,
    /// `None` where payment is switched off.
    provider: Option<Provider>,
    /// What accounts get then.
    free_plan: FreePlan,
}

impl Billing {
    /// Opens the room. Without a provider payment is off, and every account has a free active plan: three
    /// organisations and 250 GB, unless [`Self::with_free_plan`] says otherwise.
    pub fn new(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        jobs: Jobs,
        mailer: Mailer,
        orgs: Orgs,
        provider: Option<Provider>,
    ) -> Self {
        let free_plan = FreePlan::new(3, 250);
        Self { db, ambient, public, jobs, mailer, orgs, provider, free_plan }
    }

    /// Sets what accounts get where payment is off.
    #[must_use]
    pub fn with_free_plan(mut self, free_plan: FreePlan) -> Self {
        self.free_plan = free_plan;
        self
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// The jobs of this room.
    pub fn register(&self, handlers: &mut Handlers) {
        let billing = self.clone();
        handlers.on(Lane::Quick, move |job: jobs::refund_purchase::RefundPurchase| {
            let billing = billing.clone();
            async move { jobs::refund_purchase::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.on(Lane::Quick, move |job: jobs::end_subscription::EndSubscription| {
            let billing = billing.clone();
            async move { jobs::end_subscription::run(&billing, job).await }
        });
        let billing = self.clone();
        handlers.every("reconcile_purchases", 20 * SECOND, Lane::Quick, move || {
            let billing = billing.clone();
            async move { billing.reconcile().await.map_err(Failure::from) }
        });
        let billing = self.clone();
        handlers.every("lapse_plans", HOUR, Lane::Quick, move || {
            let billing = billing.clone();
            async move { billing.lapse().await.map_err(Failure::from) }
        });
    }

    /// Looks up, at the provider, purchases we have not been told about: the schedule `reconcile_purchases`.
    ///
    /// # Errors
    /// The database's own; a provider that is down is tried again later.
    pub async fn reconcile(&self) -> Result<(), Error> {
        jobs::reconcile::run(self).await
    }

    /// Lets unpaid plans lapse by time: the schedule `lapse_plans`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn lapse(&self) -> Result<(), Error> {
        jobs::lapse::run(self).await
    }

    /// What the plan of an organisation allows: nothing is limited where payment is off, and an
    /// organisation without a living plan has the limits of the smallest one.
    ///
    /// # Errors
    /// The database's own.
    pub async fn limits_of(&self, conn: &impl ConnectionTrait, org: Uid) -> Result<Limits, DbErr> {
        let provision = store::provision::live_of_org(conn, org).await?;
        Ok(match provision {
            Some(provision) => provision.plan.map_or_else(|| self.free_plan.limits(), Plan::limits),
            None if self.provider.is_none() => self.free_plan.limits(),
            None => Plan::EssentialsMonthly.limits(),
        })
    }

    /// The other organisations whose files count against the storage limit of this one: those of its account, where
    /// payment is off.
    ///
    /// # Errors
    /// The database's own.
    pub async fn sharing_storage(&self, conn: &impl ConnectionTrait, org: Uid) -> Result<Vec<Uid>, DbErr> {
        match store::provision::live_of_org(conn, org).await? {
            Some(Provision { account, plan: None, .. }) => {
                let all = store::provision::live_orgs(conn, account).await?;
                Ok(all.into_iter().filter(|other| *other != org).collect())
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Billing accounts in people's names.
pub struct AccountData;

#[async_trait::async_trait]
impl identity::PersonData for AccountData {
    /// Deletes the person's accounts, except those on which something was bought: an organisation may hang on them.
    async fn clear_unproved(&self, tx: &WriteTx, person: Uid) -> Result<(), DbErr> {
        store::account::remove_unused(tx, person).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
