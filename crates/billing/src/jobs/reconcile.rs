//! Polls the provider in case a webhook is late: open checkouts soon and then at growing intervals, live plans daily and
//! at their planned end, ended ones daily until their subscription has ended.

use kernel::MINUTE;
use sea_orm::DbErr;

use crate::activation::{Hints, Trigger};
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
            Ok(provision) => billing.refresh(provider, &provision, Hints::default(), Trigger::CHECK).await,
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
