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
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, HOUR, PublicUrl, SECOND, Uid};
use mail::Mailer;
use orgs::Orgs;
use payments::Provider;
use sea_orm::{ConnectionTrait, DbErr};

pub use error::Error;
pub use free::FreeProvisions;
pub use model::{AccountType, Limits, Plan, ProvisionState};
pub use wire::{AccountOut, ProvisionOut};

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
}

impl Billing {
    /// Opens the room. Without a provider payment is off, and every account has an unlimited active plan.
    pub fn new(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        jobs: Jobs,
        mailer: Mailer,
        orgs: Orgs,
        provider: Option<Provider>,
    ) -> Self {
        Self { db, ambient, public, jobs, mailer, orgs, provider }
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
            Some(provision) => provision.plan.map_or(Limits::NONE, Plan::limits),
            None if self.provider.is_none() => Limits::NONE,
            None => Plan::EssentialsMonthly.limits(),
        })
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
