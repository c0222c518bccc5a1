//! What the clock has passed: sessions expire, subscriptions renew or end, schedules take effect, invoices are tried
//! again. Each takes place at its own time, in order.

use db::Stored;
use sea_orm::DbErr;

use super::step::Step;
use super::{StripeError, checkout, invoice, schedule, subscription};
use crate::Sandbox;
use crate::store::{self, Kind, Object};

/// Returns true if something is due.
pub(crate) async fn is_due(sandbox: &Sandbox) -> Result<bool, DbErr> {
    Ok(store::next_due(sandbox.db().read(), sandbox.now()).await?.is_some())
}

/// Runs everything that is due.
pub(crate) async fn run(sandbox: &Sandbox) -> Result<(), StripeError> {
    while store::next_due(sandbox.db().read(), sandbox.now()).await?.is_some() {
        let tx = sandbox.db().write_tx().await?;
        // Read again in the transaction: another process may have been faster.
        let found = store::next_due(&tx, sandbox.now()).await?;
        let Some((object, at)) = found.and_then(|object| object.due.map(|due| (object, due))) else {
            continue;
        };
        match advance(Step { sandbox, tx: &tx, at }, object.clone()).await {
            Ok(()) => tx.commit().await?,
            Err(StripeError::Db(error)) => return Err(error.into()),
            Err(error) => {
                drop(tx);
                give_up(sandbox, object, &error).await?;
            }
        }
    }
    Ok(())
}

/// Leaves an object as it is, so that it does not block the others: its plan is no longer sold, for example.
async fn give_up(sandbox: &Sandbox, mut object: Object, error: &StripeError) -> Result<(), StripeError> {
    tracing::error!(id = %object.id, ?error, "an object of the Stripe stand-in cannot be advanced and stays as it is");
    object.due = None;
    let tx = sandbox.db().write_tx().await?;
    store::change(&tx, &object).await?;
    Ok(tx.commit().await?)
}

/// Runs what is due for one object. It is due later afterwards, or never again.
async fn advance(step: Step<'_>, object: Object) -> Result<(), StripeError> {
    match object.kind {
        Stored::Known(Kind::Checkout) => checkout::expire(step, object).await.map(drop),
        Stored::Known(Kind::Invoice) => invoice::retry(step, object).await,
        Stored::Known(Kind::Schedule) => schedule::advance(step, object).await,
        Stored::Known(Kind::Subscription) => subscription::advance(step, object).await,
        _ => Ok(()),
    }
}
