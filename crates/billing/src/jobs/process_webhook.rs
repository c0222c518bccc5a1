//! Looks up the purchase that a webhook names. Events that wait for the same purchase are processed together: one
//! look at the provider answers them all.

use std::time::Duration;

use ::jobs::{Job, JobError};
use kernel::{DAY, Millis};
use payments::Provider;
use serde::{Deserialize, Serialize};

use crate::activation::{Hints, Trigger};
use crate::model::Cause;
use crate::provision::Provision;
use crate::store::webhook_event::{Outcome, StoredEvent};
use crate::{Billing, Error, store};

/// How long an attempt may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Processes this event and those that wait with it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProcessWebhook {
    /// The provider's id of the event.
    pub event: String,
}

impl Job for ProcessWebhook {
    const KIND: &'static str = "process_webhook";
    // Money is at stake, and the provider may be down for days.
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: ProcessWebhook) -> Result<(), JobError> {
    let Some(event) = store::webhook_event::received(billing.db.read(), &job.event).await? else {
        return Ok(());
    };
    let provider = billing.provider.as_ref().ok_or_else(|| JobError::Retry("payment is off".to_owned()))?;
    // Read before the provider is asked: an event that arrives meanwhile needs a later answer.
    let waiting = store::webhook_event::waiting_with(billing.db.read(), &event).await?;
    // A slow provider must not hold up the other jobs of the queue.
    let processed = tokio::time::timeout(PATIENCE, process(billing, provider, &event)).await;
    let outcome = processed.map_err(|_| JobError::Retry("the payment provider is slow".to_owned()))??;
    // Only an answer about the purchase answers the others as well.
    let answered = if outcome == Outcome::Applied { waiting } else { vec![event.id.clone()] };
    let tx = billing.db.write_tx().await?;
    store::webhook_event::set_outcome(&tx, answered, outcome).await?;
    tx.commit().await?;
    if outcome == Outcome::UnknownPurchase {
        let StoredEvent { id, name, checkout, subscription, provision } = event;
        tracing::error!(
            event = id,
            name,
            checkout,
            subscription,
            ?provision,
            "webhook for a purchase that is missing and cannot be rebuilt; kept in webhook_event"
        );
    }
    Ok(())
}

async fn process(billing: &Billing, provider: &Provider, event: &StoredEvent) -> Result<Outcome, Error> {
    let provision = match find_purchase(billing, event).await? {
        Some(found) => found,
        // An event of another product on the same account of the provider.
        None if event.provision.is_none() => return Ok(Outcome::Foreign),
        None => match billing.rebuild_from_event(provider, event).await? {
            Some(rebuilt) => rebuilt,
            None => return Ok(Outcome::UnknownPurchase),
        },
    };
    let hints = Hints { session: event.checkout.as_deref(), subscription: event.subscription.as_deref() };
    let trigger = Trigger { cause: Cause::Event, id: Some(&event.id) };
    billing.refresh(provider, &provision, hints, trigger).await?;
    Ok(Outcome::Applied)
}

async fn find_purchase(billing: &Billing, event: &StoredEvent) -> Result<Option<Provision>, Error> {
    if let Some(uid) = event.provision
        && let Some(provision) = store::provision::by_uid(billing.db.read(), uid).await?
    {
        return Ok(Some(provision));
    }
    let (subscription, session) = (event.subscription.as_deref(), event.checkout.as_deref());
    Ok(store::provision::by_provider_id(billing.db.read(), subscription, session).await?)
}
