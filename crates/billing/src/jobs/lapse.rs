//! Moves unpaid plans along by time: 14 days past due, then 30 days suspended, then ended.

use kernel::{DAY, Millis};

use crate::jobs::end_subscription::EndSubscription;
use crate::model::{PAST_DUE_AT_MOST, Provision, ProvisionState, SUSPENDED_AT_MOST};
use crate::{Billing, Error, store};

/// How long webhook ids are kept.
const EVENTS_KEPT: Millis = 30 * DAY;

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let now = billing.ambient.now();
    for (from, to, at_most) in [
        (ProvisionState::Suspended, ProvisionState::Ended, SUSPENDED_AT_MOST),
        (ProvisionState::PastDue, ProvisionState::Suspended, PAST_DUE_AT_MOST),
    ] {
        for provision in store::provision::stuck_in(billing.db.read(), from, now - at_most).await? {
            fall(billing, &provision, to).await?;
        }
    }
    let tx = billing.db.write_tx().await?;
    store::webhook_event::prune(&tx, now - EVENTS_KEPT).await?;
    tx.commit().await?;
    Ok(())
}

async fn fall(billing: &Billing, seen: &Provision, to: ProvisionState) -> Result<(), Error> {
    let now = billing.ambient.now();
    let tx = billing.db.write_tx_on(seen.account).await?;
    let Some(mut provision) = store::provision::by_uid(&tx, seen.uid).await? else { return Ok(()) };
    if provision.state != seen.state || provision.state_since != seen.state_since {
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
    store::provision::change(&tx, &provision, now).await?;
    tx.commit().await?;
    Ok(())
}
