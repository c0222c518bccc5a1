//! Records in the journal what time alone has changed: plans that have been past due for 14 days. Also forgets old
//! webhooks.

use kernel::{DAY, Millis, ProvisionId};

use crate::activation::Trigger;
use crate::{Billing, Error, store};

/// How long webhook ids are kept.
const EVENT_RETENTION: Millis = 30 * DAY;

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let now = billing.ambient.now();
    for provision in store::provision::recorded_past_due(billing.db.read()).await? {
        if provision.state_at(now) != provision.recorded {
            record(billing, provision.uid).await?;
        }
    }
    let tx = billing.db.write_tx().await?;
    store::webhook_event::prune(&tx, now - EVENT_RETENTION).await?;
    tx.commit().await?;
    Ok(())
}

async fn record(billing: &Billing, uid: ProvisionId) -> Result<(), Error> {
    let tx = billing.db.write_tx().await?;
    let Some(unlocked) = store::provision::by_uid(&tx, uid).await? else { return Ok(()) };
    tx.lock(unlocked.account).await?;
    // Read again under the lock.
    let Some(mut provision) = store::provision::by_uid(&tx, uid).await? else { return Ok(()) };
    billing.record_state(&tx, &mut provision, Trigger::CLOCK).await?;
    store::provision::update(&tx, &provision, billing.ambient.now()).await?;
    tx.commit().await?;
    Ok(())
}
