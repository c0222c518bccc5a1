//! Polls the provider in case a webhook is late: open checkouts soon and then ever less often, live plans
//! daily.

use kernel::MINUTE;

use crate::{Billing, Error, store};

/// Purchases checked in one run.
const AT_ONCE: u64 = 50;

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let Some(provider) = &billing.provider else { return Ok(()) };
    let now = billing.ambient.now();
    for provision in store::provision::due_for_a_look(billing.db.read(), now, AT_ONCE).await? {
        match billing.look_up(provider, &provision, None, None).await {
            Ok(truth) => {
                let tx = billing.db.write_tx_on(provision.account).await?;
                billing.apply(&tx, truth).await?;
                tx.commit().await?;
            }
            Err(error) => {
                // A purchase that cannot be checked must not block the others.
                tracing::warn!(provision = %provision.uid, %error, "failed to look up a purchase at the payment provider");
                let tx = billing.db.write_tx().await?;
                store::provision::look_later(&tx, provision.uid, now + 5 * MINUTE).await?;
                tx.commit().await?;
            }
        }
    }
    Ok(())
}
