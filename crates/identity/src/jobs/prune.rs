//! Deletes expired codes, provider sign-ins and sessions.

use kernel::DAY;

use crate::{Identity, store};

/// Deletes codes and provider sign-ins one day after they ended, and sessions after thirty. Each table gets
/// its own transaction, so people who sign in do not have to wait for all of it.
pub async fn prune(identity: &Identity) -> Result<(), ::jobs::JobError> {
    let now = identity.ambient.now();
    let tx = identity.db.write_tx().await?;
    store::mailed_code::prune(&tx, now - DAY).await?;
    tx.commit().await?;
    let tx = identity.db.write_tx().await?;
    store::provider_sign_in::prune(&tx, now - DAY).await?;
    tx.commit().await?;
    let tx = identity.db.write_tx().await?;
    store::session::prune(&tx, now - 30 * DAY).await?;
    Ok(tx.commit().await?)
}
