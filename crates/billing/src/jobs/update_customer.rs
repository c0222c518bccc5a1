//! Passes the details of a billing account on to the payment provider.

use ::jobs::{Job, JobError};
use kernel::{AccountId, DAY, Millis};
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
        Ok(()) => None,
        // An unknown customer is replaced with the next checkout.
        Err(error) if error.is_missing() => None,
        Err(error) => match error.refused_details() {
            Some(words) => Some(words.to_owned()),
            None => return Err(error.into()),
        },
    };
    let tx = billing.db.write_tx_on(account.uid).await?;
    // Changed while the provider was asked, whose answers may have crossed.
    let current = store::account::by_uid(&tx, account.uid).await?;
    if current.is_some_and(|current| customer::details(&current) != customer::details(&account)) {
        return Err(JobError::Retry("the details have changed meanwhile".to_owned()));
    }
    store::account::set_refusal(&tx, account.uid, refusal).await?;
    Ok(tx.commit().await?)
}
