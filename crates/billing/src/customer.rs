//! The payment provider's record of an account.

use db::WriteTx;
use kernel::Email;
use payments::{Address, NewCustomer, PaymentError, Provider};
use sea_orm::DbErr;
use serde_json::Value;

use crate::jobs::update_customer::UpdateCustomer;
use crate::model::Account;
use crate::provision::Provision;
use crate::{Billing, Error, store};

/// Calls the provider for the account's customer, who is created on first use. One that the provider does not have is
/// replaced, unless a plan is being paid for. What the provider refuses of the details is shown on
/// the account.
pub async fn with<T, F: Future<Output = Result<T, PaymentError>>>(
    billing: &Billing,
    provider: &Provider,
    account: &Account,
    call: impl Fn(String) -> F,
) -> Result<T, Error> {
    let customer = match &account.customer {
        Some(customer) => customer.clone(),
        None => create(billing, provider, account, None).await?,
    };
    let source = provider.source().await?.map(|source| source.to_string());
    let is_foreign =
        account.customer_source.is_some() && source.is_some() && account.customer_source != source;
    let answer = if is_foreign { Err(PaymentError::NotFound) } else { call(customer.clone()).await };
    match answer {
        // One who pays is never replaced: the keys are wrong, and the customer is there with the right ones.
        Err(error) if error.is_missing() && !pays(billing, account).await? => {
            tracing::error!(account = %account.uid, customer, "the payment provider does not know a customer it had");
            let replacement = create(billing, provider, account, Some(&customer)).await?;
            Ok(call(replacement).await?)
        }
        answer => Ok(answer?),
    }
}

async fn pays(billing: &Billing, account: &Account) -> Result<bool, DbErr> {
    let paid = store::provision::of_account(billing.db.read(), account.uid).await?;
    Ok(paid.iter().any(Provision::has_open_subscription))
}

async fn create(
    billing: &Billing,
    provider: &Provider,
    account: &Account,
    replaces: Option<&str>,
) -> Result<String, Error> {
    let details = details(account);
    // The billing form accepts any text, the provider only valid addresses.
    let email = Email::parse(&account.billing_email).map(|email| email.to_string());
    let is_complete = email.is_some();
    let source = provider.source().await?.map(|source| source.to_string());
    let created = provider.create_customer(&NewCustomer { email, ..details }, replaces).await;
    let tx = billing.db.write_tx_on(account.uid).await?;
    let customer = match created {
        Ok(customer) => customer,
        Err(error) => {
            let Some(words) = error.refused_details() else { return Err(error.into()) };
            store::account::set_refusal(&tx, account.uid, Some(words.to_owned())).await?;
            tx.commit().await?;
            return Err(Error::DetailsRefused(words.to_owned()));
        }
    };
    store::account::set_customer(&tx, account.uid, &customer, source).await?;
    if !is_complete {
        // Shows why the provider rejected the address, without keeping the buyer from paying.
        billing.jobs.enqueue(&tx, &UpdateCustomer { account: account.uid }).await?;
    }
    tx.commit().await?;
    Ok(customer)
}

impl Billing {
    /// Returns who gets the account's emails: the payee, or the managers if that address cannot be one.
    pub(crate) async fn payees(&self, tx: &WriteTx, account: &Account) -> Result<Vec<Email>, DbErr> {
        if let Some(payee) = Email::parse(&account.billing_email) {
            return Ok(vec![payee]);
        }
        let managers = self.orgs.identity().people(tx, &account.managers).await?;
        Ok(managers.iter().filter_map(|person| Email::parse(&person.email)).collect())
    }
}

/// Returns the details that the provider gets. An address that cannot be one goes as it was entered, so that the
/// provider says what is wrong.
pub fn details(account: &Account) -> NewCustomer {
    let email = Email::parse(&account.billing_email).map(|email| email.to_string());
    NewCustomer {
        account: account.uid,
        name: account.billing_name.clone(),
        email: email.or_else(|| Some(account.billing_email.clone())),
        phone: account.billing_phone.clone(),
        address: account.billing_address.as_ref().map(address).unwrap_or_default(),
    }
}

/// Returns the parts of an address that the provider knows. The API accepts any object.
fn address(stored: &Value) -> Address {
    let part = |names: &[&str]| {
        let known = names.iter().find_map(|name| stored[name].as_str());
        known.unwrap_or_default().trim().to_owned()
    };
    Address {
        line1: part(&["line1", "street"]),
        line2: part(&["line2"]),
        city: part(&["city"]),
        state: part(&["state"]),
        postal_code: part(&["postalCode", "postal_code", "zip"]),
        country: part(&["country"]),
    }
}
