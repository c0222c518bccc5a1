//! The test clock: moves every time rule of the product, forward only, and remembers how far over restarts.

use db::Db;
use jobs::Failure;
use kernel::{Millis, OffsetClock};
use sea_orm::DbErr;

use crate::stripe::{self, Refused};
use crate::{Sandbox, store};

/// Moves a fresh clock to where the sandbox's clock stood when the process last ran. To be called after the
/// migrations and before anything reads the time in earnest.
///
/// # Errors
/// The database's own.
pub async fn restore_clock(db: &Db, clock: &OffsetClock) -> Result<(), DbErr> {
    clock.advance(store::offset(db.read()).await?);
    Ok(())
}

/// Moves the clock, then lets happen what was due in between. The new offset is durable before it counts.
pub(crate) async fn advance(sandbox: &Sandbox, by: Millis) -> Result<(), Refused> {
    let tx = sandbox.db().write_tx().await?;
    let offset = store::offset(&tx).await?.saturating_add(by.max(0));
    store::set_offset(&tx, offset).await?;
    tx.commit().await?;
    sandbox.parts().clock.advance(by);
    stripe::sweep(sandbox).await
}

/// The job that lets happen what the passing of real time brings.
pub(crate) async fn renewals(sandbox: &Sandbox) -> Result<(), Failure> {
    match stripe::sweep(sandbox).await {
        Ok(()) => Ok(()),
        Err(Refused::Db(error)) => Err(error.into()),
        Err(Refused::Call { message, .. }) => Err(Failure::Retry(message)),
    }
}
