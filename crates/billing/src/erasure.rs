//! Erases a person from billing accounts, and exports those that the person manages.

use ::jobs::Jobs;
use db::WriteTx;
use identity::ErasedPerson;
use kernel::{Ambient, PersonId, Problem, iso};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::jobs::update_customer::UpdateCustomer;
use crate::model::{Account, ProvisionState};
use crate::provision::Provision;
use crate::store;

/// Billing accounts, their managers, and who bought what.
pub struct AccountErasure {
    ambient: Ambient,
    jobs: Jobs,
}

impl AccountErasure {
    /// Creates it from the source of time and the queue, for what the payment provider has to know.
    pub fn new(ambient: Ambient, jobs: Jobs) -> Self {
        Self { ambient, jobs }
    }
}

#[async_trait::async_trait]
impl identity::Erasure for AccountErasure {
    /// A person who alone manages an account ends its plans and organisations first. A free plan without an organisation
    /// needs no one.
    async fn obstacle(&self, tx: &WriteTx, person: PersonId) -> Result<Option<Problem>, DbErr> {
        for account in locked_accounts(tx, person).await? {
            if account.managers.len() == 1 {
                let provisions = store::provision::all_of_account(tx, account.uid).await?;
                if provisions.iter().any(|provision| self.needs_manager(provision)) {
                    return Ok(Some(sole_manager(&account.friendly_name)));
                }
            }
        }
        Ok(None)
    }

    /// Accounts with another manager get that manager's address in place of the person's. Of other accounts only what was
    /// bought stays, or nothing.
    async fn erase(&self, tx: &WriteTx, erased: &ErasedPerson) -> Result<(), DbErr> {
        let person = erased.person;
        for account in locked_accounts(tx, person).await? {
            let next = account.managers.iter().find(|manager| **manager != person).copied();
            let next = match next {
                Some(next) => identity::email_of(tx, next).await?,
                None => None,
            };
            store::account::remove_manager(tx, account.uid, person).await?;
            let redacted = redacted(&account, erased, next);
            if redacted != account {
                store::account::update(tx, &redacted).await?;
                self.jobs.enqueue(tx, &UpdateCustomer { account: account.uid }).await?;
            }
        }
        store::account::remove_unused(tx, person).await?;
        store::account::hand_over(tx, person, erased.stand_in).await?;
        store::provision_change::hand_over(tx, person, erased.stand_in).await?;
        store::provision::hand_over(tx, person, erased.stand_in).await
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        let mut accounts = Vec::new();
        for account in accounts_of(read, person).await? {
            accounts.push(json!({
                "uid": account.uid,
                "friendlyName": account.friendly_name,
                "billingName": account.billing_name,
                "billingEmail": account.billing_email,
                "billingPhone": account.billing_phone,
                "billingAddress": account.billing_address,
                "timeCreated": iso(account.created_at),
            }));
        }
        Ok(vec![("billingAccounts", Value::Array(accounts))])
    }
}

impl AccountErasure {
    fn needs_manager(&self, provision: &Provision) -> bool {
        let now = self.ambient.now();
        let is_open = provision.state_at(now) == ProvisionState::Open;
        (provision.is_live_at(now) && (provision.org.is_some() || !provision.is_free())) || is_open
    }
}

async fn accounts_of(conn: &impl ConnectionTrait, person: PersonId) -> Result<Vec<Account>, DbErr> {
    let mut accounts = Vec::new();
    for uid in store::account::managed_by(conn, person).await? {
        accounts.extend(store::account::by_uid(conn, uid).await?);
    }
    Ok(accounts)
}

/// Returns the accounts that the person manages, with their locks taken, always in the same order.
async fn locked_accounts(tx: &WriteTx, person: PersonId) -> Result<Vec<Account>, DbErr> {
    for uid in store::account::managed_by(tx, person).await? {
        tx.lock(uid).await?;
    }
    accounts_of(tx, person).await
}

/// Returns the account without what identifies the person. The address and the name become those of the next manager.
fn redacted(account: &Account, erased: &ErasedPerson, next: Option<String>) -> Account {
    let is_alone = next.is_none();
    let next = next.unwrap_or_default();
    let or_next = |text: &String| erased.redacted(text).map_or_else(|| text.clone(), |_| next.clone());
    let or_nothing = |text: &String| {
        if is_alone { String::new() } else { erased.redacted(text).unwrap_or_else(|| text.clone()) }
    };
    Account {
        friendly_name: if is_alone { String::new() } else { or_next(&account.friendly_name) },
        billing_name: if is_alone { String::new() } else { or_next(&account.billing_name) },
        billing_email: if is_alone { String::new() } else { or_next(&account.billing_email) },
        billing_phone: or_nothing(&account.billing_phone),
        billing_address: account.billing_address.clone().filter(|_| !is_alone),
        refusal: account.refusal.clone().filter(|_| !is_alone),
        ..account.clone()
    }
}

fn sole_manager(account: &str) -> Problem {
    let message = format!(
        "You are the only manager of the billing account {account}, which has a plan or an organization. Add another \
         manager, or cancel the plan and delete the organization first."
    );
    Problem::conflict("sole_manager", message)
}
