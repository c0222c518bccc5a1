//! What identity clears when an address is verified.

use db::WriteTx;
use kernel::PersonId;
use sea_orm::DbErr;

use crate::store;

/// Clears billing accounts created under an unverified address.
pub struct AccountData;

#[async_trait::async_trait]
impl identity::PersonData for AccountData {
    /// Deletes the accounts the person created, except those with a purchase: an organisation may depend on
    /// them.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        store::account::remove_unused(tx, person).await
    }
}
