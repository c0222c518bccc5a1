//! Refunds a payment for an account that already holds all the organisations its type allows, and notifies
//! the payee by email.

use ::jobs::{Job, JobError};
use kernel::{DAY, Millis, ProvisionId};
use mail::EmailMessage;
use payments::Refund;
use serde::{Deserialize, Serialize};

use crate::{Billing, store};

/// Refunds this purchase.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundPurchase {
    /// The purchase to refund.
    pub provision: ProvisionId,
}

impl Job for RefundPurchase {
    const KIND: &'static str = "refund_purchase";
    // Money is at stake, and the provider may be down for days.
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: RefundPurchase) -> Result<(), JobError> {
    let (Some(provider), Some(provision)) =
        (&billing.provider, store::provision::by_uid(billing.db.read(), job.provision).await?)
    else {
        return Err(JobError::Final("the purchase no longer exists, or payment is off".to_owned()));
    };
    let Some(subscription) = &provision.subscription else { return Ok(()) };
    let refund = provider.cancel_and_refund(subscription).await?;
    let tx = billing.db.write_tx_on(provision.account).await?;
    let is_first = store::provision::set_refunded(&tx, provision.uid, billing.ambient.now()).await?;
    if refund == Refund::Returned
        && is_first
        && let Some(account) = store::account::by_uid(&tx, provision.account).await?
    {
        let plan = provision.plan.as_deref().map_or("", |id| billing.plans.title(id)).to_owned();
        let message = EmailMessage::PurchaseRefunded { plan, account: account.friendly_name.clone() };
        for payee in billing.payees(&tx, &account).await? {
            billing.mailer.enqueue(&tx, &payee, &message).await?;
        }
    }
    Ok(tx.commit().await?)
}
