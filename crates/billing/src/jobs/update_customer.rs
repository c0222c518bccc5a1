//! Passes the details of a billing account on to the payment provider.

use ::jobs::{Job, JobError};
use kernel::{AccountId, DAY, Millis};
use payments::PaymentError;
use serde::{Deserialize, Serialize};

use crate::{Billing, customer, store};

/// Updates the provider's customer of this account.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpdateCustomer {
    /// The account whose details changed.
    pub account: AccountId,
}

impl Job for UpdateCustomer {
    const KIND: &'static str = "update_customer";
    const RETRY_FOR: Option<Millis> = Some(7 * DAY);
}

pub async fn run(billing: &Billing, job: UpdateCustomer) -> Result<(), JobError> {
    let (Some(provider), Some(account)) =
        (&billing.provider, store::account::by_uid(billing.db.read(), job.account).await?)
    else {
        return Ok(());
    };
    let Some(customer) = &account.customer else { return Ok(()) };
    let refusal = match provider.update_customer(customer, &customer::details(&account)).await {
        // An unknown customer is replaced with the next checkout.
        Ok(()) | Err(PaymentError::NotFound) => None,
        Err(PaymentError::Refused { message, .. }) => Some(message),
        Err(error) => return Err(error.into()),
    };
    let tx = billing.db.write_tx_on(account.uid).await?;
    store::account::set_refusal(&tx, account.uid, refusal).await?;
    Ok(tx.commit().await?)
}
