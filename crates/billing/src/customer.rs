//! The payment provider's record of an account.

use payments::{NewCustomer, Provider};

use crate::model::Account;
use crate::{Billing, Error, store};

/// Returns the provider's customer id, creating the customer on first use.
pub async fn id_of(billing: &Billing, provider: &Provider, account: &Account) -> Result<String, Error> {
    if let Some(customer) = &account.customer {
        return Ok(customer.clone());
    }
    let new = NewCustomer {
        account: account.uid,
        name: account.billing_name.clone(),
        // The billing form accepts any text, the provider only valid addresses.
        email: kernel::Email::parse(&account.billing_email).map(|email| email.to_string()),
        phone: account.billing_phone.clone(),
    };
    let customer = provider.create_customer(&new).await?;
    let tx = billing.db.write_tx_on(account.uid).await?;
    store::account::set_customer(&tx, account.uid, &customer).await?;
    tx.commit().await?;
    Ok(customer)
}
