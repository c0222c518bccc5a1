//! Who may use a billing account.

use kernel::{AccountId, PersonId};

use crate::model::Account;
use crate::{Billing, Error, store};

/// Returns the account if the person manages it. For everyone else it does not exist, so that ids cannot be
/// probed.
pub async fn own_account(billing: &Billing, person: PersonId, account: AccountId) -> Result<Account, Error> {
    store::account::managed(billing.db.read(), person, account).await?.ok_or(Error::NotFound)
}
