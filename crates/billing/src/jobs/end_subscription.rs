//! Ends a subscription at the provider whose organisation has been unpaid for too long.

use ::jobs::{Failure, Job};
use kernel::{DAY, Millis, Uid};
use serde::{Deserialize, Serialize};

use crate::{Billing, store};

/// Ends the subscription of this purchase.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSubscription {
    /// The purchase.
    pub provision: Uid,
}

impl Job for EndSubscription {
    const KIND: &'static str = "end_subscription";
    // It is about people's money: the provider may be away for days.
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: EndSubscription) -> Result<(), Failure> {
    let provision = store::provision::by_uid(billing.db.read(), job.provision).await?;
    let subscription = provision.and_then(|provision| provision.subscription);
    if let (Some(provider), Some(subscription)) = (&billing.provider, subscription) {
        provider.cancel(&subscription).await?;
    }
    Ok(())
}
