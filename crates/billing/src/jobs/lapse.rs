//! Moves unpaid plans along by time: 14 days past due, then 30 days suspended, then ended.

use kernel::{DAY, Millis};

use crate::jobs::end_subscription::EndSubscription;
use crate::model::{MAX_PAST_DUE, MAX_SUSPENDED, Provision, ProvisionState};
use crate::{Billing, Error, store};

/// How long webhook ids are kept.
const EVENT_RETENTION: Millis = 30 * DAY;

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let now = billing.ambient.now();
    for (from, to, max_duration) in [
        (ProvisionState::Suspended, ProvisionState::Ended, MAX_SUSPENDED),
        (ProvisionState::PastDue, ProvisionState::Suspended, MAX_PAST_DUE),
    ] {
        for provision in store::provision::in_state_since(billing.db.read(), from, now - max_duration).await?
        {
            downgrade(billing, &provision, to).await?;
        }
    }
    let tx = billing.db.write_tx().await?;
    store::webhook_event::prune(&tx, now - EVENT_RETENTION).await?;
    tx.commit().await?;
    Ok(())
}

async fn downgrade(billing: &Billing, unlocked: &Provision, to: ProvisionState) -> Result<(), Error> {
    let now = billing.ambient.now();
    let tx = billing.db.write_tx_on(unlocked.account).await?;
    let Some(mut provision) = store::provision::by_uid(&tx, unlocked.uid).await? else { return Ok(()) };
    if provision.state != unlocked.state || provision.state_since != unlocked.state_since {
        return Ok(());
    }
    provision.state = to;
    provision.state_since = now;
    if let (Some(org), Some(standing)) = (provision.org, to.standing()) {
        billing.orgs.set_standing(&tx, org, standing).await?;
    }
    if to == ProvisionState::Ended {
        billing.jobs.enqueue(&tx, &EndSubscription { provision: provision.uid }).await?;
    }
    store::provision::update(&tx, &provision, now).await?;
    tx.commit().await?;
    Ok(())
}
