//! Ends a subscription at the provider after its purchase has ended here, and voids its open invoices. The provider is asked again first: it may
//! have been paid at the last moment.

use ::jobs::{Job, JobError};
use kernel::{DAY, Millis, ProvisionId};
use payments::PaymentError;
use serde::{Deserialize, Serialize};

use crate::activation::{Hints, Trigger};
use crate::model::ProvisionState;
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
    let (Some(provider), Some(provision)) =
        (&billing.provider, store::provision::by_uid(billing.db.read(), job.provision).await?)
    else {
        return Ok(());
    };
    billing.refresh(provider, &provision, Hints::default(), Trigger::CHECK).await?;
    let Some(provision) = store::provision::by_uid(billing.db.read(), job.provision).await? else {
        return Ok(());
    };
    let has_ended = provision.state_at(billing.ambient.now()) == ProvisionState::Ended;
    if let Some(subscription) = provision.subscription.as_deref().filter(|_| has_ended) {
        let ended = async {
            provider.cancel(subscription).await?;
            // An open invoice could still be paid, for nothing.
            provider.void_open_invoices(subscription).await
        };
        match ended.await {
            // The provider does not have it, so that there is nothing to end.
            Ok(()) | Err(PaymentError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
