//! Cancels a subscription at the end of the period that is paid for, after its organisation was deleted.

use ::jobs::{Job, JobError};
use kernel::{DAY, Millis, ProvisionId};
use payments::PaymentError;
use serde::{Deserialize, Serialize};

use crate::activation::{Hints, Trigger};
use crate::{Billing, store};

/// Cancels the subscription of this purchase.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelSubscription {
    /// The purchase that owns the subscription.
    pub provision: ProvisionId,
}

impl Job for CancelSubscription {
    const KIND: &'static str = "cancel_subscription";
    // Money is at stake, and the provider may be down for days.
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: CancelSubscription) -> Result<(), JobError> {
    let (Some(provider), Some(provision)) =
        (&billing.provider, store::provision::by_uid(billing.db.read(), job.provision).await?)
    else {
        return Ok(());
    };
    // One that has ended meanwhile cannot be changed any more.
    let open = provision.subscription.as_deref().filter(|_| provision.has_open_subscription());
    if let Some(subscription) = open {
        match provider.cancel_at_period_end(subscription).await {
            // The provider does not have it, so that there is nothing to cancel.
            Ok(()) | Err(PaymentError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
        // Shows the end at once; the webhook may take a while.
        billing.refresh(provider, &provision, Hints::default(), Trigger::CHECK).await?;
    }
    Ok(())
}
