//! Records in the journal what time alone has changed: plans that have been past due for 14 days. Also writes about
//! removals that are near, and forgets old webhooks.

use kernel::{DAY, Millis, ProvisionId, Timestamp};
use sea_orm::DbErr;

use crate::activation::Trigger;
use crate::jobs::warn_of_removal;
use crate::{Billing, Error, store};

/// How long webhook ids are kept.
const EVENT_RETENTION: Millis = 30 * DAY;

/// Returns whether there is anything to record, to write about or to forget.
pub async fn has_work(billing: Billing) -> Result<bool, DbErr> {
    let (conn, now) = (billing.db.read(), billing.ambient.now());
    Ok(store::webhook_event::any_old(conn, now - EVENT_RETENTION).await?
        || !changed(&billing, now).await?.is_empty()
        || warn_of_removal::is_due(&billing).await?)
}

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let now = billing.ambient.now();
    for uid in changed(billing, now).await? {
        record(billing, uid).await?;
    }
    warn_of_removal::run(billing).await?;
    store::webhook_event::prune(&billing.db, now - EVENT_RETENTION).await?;
    Ok(())
}

/// Returns the purchases whose recorded state is not the current one.
async fn changed(billing: &Billing, now: Timestamp) -> Result<Vec<ProvisionId>, DbErr> {
    if billing.provider.is_none() {
        return Ok(Vec::new());
    }
    let mut past_due = store::provision::recorded_past_due(billing.db.read()).await?;
    past_due.retain(|provision| provision.state_at(now) != provision.recorded);
    Ok(past_due.into_iter().map(|provision| provision.uid).collect())
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
