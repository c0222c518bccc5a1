//! The test clock. It moves all of the product's time, only forward, and keeps its offset across restarts. On a new
//! database it may start in the past.

use db::Db;
use jobs::JobError;
use kernel::{Millis, OffsetClock};
use sea_orm::DbErr;

use crate::stripe::{self, StripeError};
use crate::{Sandbox, store};

/// Sets a new clock to the offset stored by the previous process. Call it after the migrations and before
/// anything uses the time. Returns the offset.
pub async fn restore_clock(db: &Db, clock: &OffsetClock) -> Result<Millis, DbErr> {
    let offset = store::offset(db.read()).await?;
    clock.start_at(offset);
    Ok(offset)
}

/// Starts the clock of a new database in the past, and stores that. Call it before anything uses the time.
pub async fn start_in_the_past(db: &Db, clock: &OffsetClock, by: Millis) -> Result<(), DbErr> {
    let tx = db.write_tx().await?;
    store::set_offset(&tx, -by).await?;
    tx.commit().await?;
    clock.start_at(-by);
    Ok(())
}

/// Moves the clock, then runs everything that became due. The new offset is stored before it takes effect.
pub(crate) async fn advance(sandbox: &Sandbox, by: Millis) -> Result<(), StripeError> {
    if sandbox.deps().clock_is_fixed && by > 0 {
        let message = "The clock cannot be moved while a real payment provider is in use.";
        return Err(StripeError::invalid("clock_is_fixed", message));
    }
    let tx = sandbox.db().write_tx().await?;
    let offset = store::offset(&tx).await?.saturating_add(by.max(0));
    store::set_offset(&tx, offset).await?;
    tx.commit().await?;
    sandbox.deps().clock.advance(by);
    stripe::sweep::run(sandbox).await
}

/// The scheduled job that runs what became due as real time passed.
pub(crate) async fn renewals(sandbox: &Sandbox) -> Result<(), JobError> {
    match stripe::sweep::run(sandbox).await {
        Ok(()) => Ok(()),
        Err(StripeError::Db(error)) => Err(error.into()),
        Err(StripeError::Rejected { message, .. }) => Err(JobError::Retry(message)),
        Err(StripeError::Declined | StripeError::DeclinedWithoutEffect) => {
            Err(JobError::Retry("a card was declined".to_owned()))
        }
    }
}
