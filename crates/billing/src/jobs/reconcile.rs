//! Polls the provider in case a webhook is late: open checkouts soon and then at growing intervals, live plans daily and
//! at their planned end, ended ones daily until their subscription has ended. Sessions for which an account has no room
//! are expired.

use kernel::MINUTE;
use payments::Provider;
use sea_orm::DbErr;

use crate::activation::{Hints, Trigger};
use crate::jobs::end_subscription::EndSubscription;
use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::{Billing, Error, store};

/// Purchases checked in one run.
const BATCH_SIZE: u64 = 50;

/// Returns true if a purchase has to be checked.
pub async fn is_due(billing: &Billing) -> Result<bool, DbErr> {
    let due = store::provision::due_for_sync(billing.db.read(), billing.ambient.now(), 1).await?;
    Ok(!due.is_empty())
}

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let Some(provider) = &billing.provider else { return Ok(()) };
    let now = billing.ambient.now();
    for (uid, provision) in store::provision::due_for_sync(billing.db.read(), now, BATCH_SIZE).await? {
        let checked = match provision {
            Ok(provision) => check(billing, provider, &provision).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = checked {
            // A purchase that cannot be checked must not block the others.
            tracing::warn!(provision = %uid, %error, "failed to look up a purchase at the payment provider");
            let tx = billing.db.write_tx().await?;
            store::provision::postpone_sync(&tx, uid, now + 5 * MINUTE).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

async fn check(billing: &Billing, provider: &Provider, provision: &Provision) -> Result<(), Error> {
    billing.expire_leftover(provider, provision).await?;
    billing.refresh(provider, provision, Hints::default(), Trigger::CHECK).await?;
    if provision.recorded != ProvisionState::Ended {
        return Ok(());
    }
    // The job that was to end its subscription may have been given up: money would be taken for nothing.
    let current = store::provision::by_uid(billing.db.read(), provision.uid).await?;
    let is_left_open = |one: &Provision| one.recorded == ProvisionState::Ended && one.has_open_subscription();
    if current.as_ref().is_some_and(is_left_open) {
        let tx = billing.db.write_tx().await?;
        billing.jobs.enqueue(&tx, &EndSubscription { provision: provision.uid }).await?;
        tx.commit().await?;
    }
    Ok(())
}
