//! What a backup and a restored copy need of this crate.

use db::WriteTx;
use kernel::{Signer, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{KeyError, store, tokens};

/// Checks that this is the secret with which the database was created.
///
/// # Errors
/// [`KeyError::Sealed`] if it is another one, and database errors.
pub async fn check_secret(conn: &impl ConnectionTrait, signer: &Signer) -> Result<(), KeyError> {
    tokens::check_secret(conn, signer).await
}

/// Ends the sessions of all people.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn end_all_sessions(tx: &WriteTx, now: Timestamp) -> Result<(), DbErr> {
    store::session::end_everyones(tx, now).await
}
