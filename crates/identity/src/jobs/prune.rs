//! Clears away what is over: codes, sign-ins under way, sessions.

use kernel::DAY;

use crate::{Identity, store};

/// Codes and sign-ins go a day after they ended, sessions thirty. A transaction a table: nobody who signs in waits
/// for all of it.
pub async fn prune(identity: &Identity) -> Result<(), ::jobs::Failure> {
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
