//! Deletes expired codes, provider sign-ins, sessions and counts of wrong attempts.

use kernel::{DAY, Millis};
use sea_orm::DbErr;

use crate::{Identity, store};

/// How long expired codes and provider sign-ins are kept.
const CODES: Millis = DAY;
/// How long ended sessions are kept.
const SESSIONS: Millis = 30 * DAY;

/// Returns whether [`prune`] would delete anything.
pub async fn has_expired(identity: Identity) -> Result<bool, DbErr> {
    let (conn, now) = (identity.db.read(), identity.ambient.now());
    Ok(store::mailed_code::any_expired(conn, now - CODES).await?
        || store::provider_sign_in::any_expired(conn, now - CODES).await?
        || store::session::any_expired(conn, now - SESSIONS).await?
        || store::sign_in_attempt::any_expired(conn, now).await?)
}

/// Deletes codes and provider sign-ins one day after they ended, sessions after thirty, and counts of wrong attempts that
/// expired. A page of rows per transaction, so people who sign in do not have to wait for all of it.
pub async fn prune(identity: &Identity) -> Result<(), ::jobs::JobError> {
    let now = identity.ambient.now();
    store::mailed_code::prune(&identity.db, now - CODES).await?;
    store::provider_sign_in::prune(&identity.db, now - CODES).await?;
    store::session::prune(&identity.db, now - SESSIONS).await?;
    store::sign_in_attempt::prune(&identity.db, now).await?;
    Ok(())
}
