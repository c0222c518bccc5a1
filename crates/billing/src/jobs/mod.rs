//! Background jobs.

pub mod cancel_subscription;
pub mod compare;
pub mod end_subscription;
pub mod expire_sessions;
pub mod lapse;
pub mod process_webhook;
pub mod reconcile;
pub mod refund_purchase;
pub mod update_customer;
pub mod warn_of_removal;

use jobs::{Handlers, Job, JobError, Queue};
use kernel::{HOUR, SECOND};

use crate::Billing;

/// Registers the jobs and schedules.
pub fn register(billing: &Billing, handlers: &mut Handlers) {
    on(billing, handlers, |billing, job| async move { refund_purchase::run(&billing, job).await });
    on(billing, handlers, |billing, job| async move { process_webhook::run(&billing, job).await });
    on(billing, handlers, |billing, job| async move { update_customer::run(&billing, job).await });
    on(billing, handlers, |billing, job| async move { expire_sessions::run(&billing, job).await });
    on(billing, handlers, |billing, job| async move { cancel_subscription::run(&billing, job).await });
    on(billing, handlers, |billing, job| async move { end_subscription::run(&billing, job).await });
    if billing.provider.is_some() {
        schedule_provider_jobs(billing, handlers);
    }
    let (asked, billing) = (billing.clone(), billing.clone());
    let has_work = move || lapse::has_work(asked.clone());
    handlers.every_if("lapse_plans", HOUR, Queue::Quick, has_work, move || {
        let billing = billing.clone();
        async move { billing.lapse().await.map_err(JobError::from) }
    });
}

/// Registers the schedules that ask the payment provider.
fn schedule_provider_jobs(billing: &Billing, handlers: &mut Handlers) {
    let (asked, reconciled) = (billing.clone(), billing.clone());
    let is_due = move || {
        let billing = asked.clone();
        async move { reconcile::is_due(&billing).await }
    };
    handlers.every_if("reconcile_purchases", 20 * SECOND, Queue::Quick, is_due, move || {
        let billing = reconciled.clone();
        async move { billing.reconcile().await.map_err(JobError::from) }
    });
    let compared = billing.clone();
    // There is always something to compare: purchases may be missing here.
    let has_work = || async { Ok(true) };
    handlers.every_if("compare_subscriptions", HOUR, Queue::Quick, has_work, move || {
        let billing = compared.clone();
        async move { billing.compare().await.map_err(JobError::from) }
    });
}

/// Registers a job.
fn on<J: Job, Run>(
    billing: &Billing,
    handlers: &mut Handlers,
    run: impl Fn(Billing, J) -> Run + Send + Sync + 'static,
) where
    Run: Future<Output = Result<(), JobError>> + Send + 'static,
{
    let billing = billing.clone();
    handlers.on(Queue::Quick, move |job: J| run(billing.clone(), job));
}
