//! Cancels a subscription at the provider after its organisation has been unpaid for too long.

use ::jobs::{Job, JobError};
use kernel::{DAY, Millis, ProvisionId};
use serde::{Deserialize, Serialize};

use crate::{Billing, store};

/// Cancels the subscription of this purchase.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSubscription {
    /// The purchase that owns the subscription.
    pub provision: ProvisionId,
}

impl Job for EndSubscription {
    const KIND: &'static str = "end_subscription";
    // Money is at stake, and the provider may be down for days.
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: EndSubscription) -> Result<(), JobError> {
    let provision = store::provision::by_uid(billing.db.read(), job.provision).await?;
    let subscription = provision.and_then(|provision| provision.subscription);
    if let (Some(provider), Some(subscription)) = (&billing.provider, subscription) {
        provider.cancel(&subscription).await?;
    }
    Ok(())
}
