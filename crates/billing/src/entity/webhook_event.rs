//! Received webhooks by the provider's id, so that each counts once.

use db::Stored;
use kernel::{ProvisionId, Timestamp};
use sea_orm::entity::prelude::*;

/// What an event led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Outcome {
    /// None yet: the job that looks its purchase up has not succeeded.
    #[sea_orm(string_value = "received")]
    Received,
    /// Its purchase was looked up again at the provider.
    #[sea_orm(string_value = "applied")]
    Applied,
    /// It concerns none of our purchases.
    #[sea_orm(string_value = "foreign")]
    Foreign,
    /// It names a purchase of ours that is missing from the database, as after restoring an old backup.
    #[sea_orm(string_value = "unknown_purchase")]
    UnknownPurchase,
}

/// A received event.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_event")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub name: String,
    pub received_at: Timestamp,
    pub outcome: Stored<Outcome>,
    /// What the event names: ids of the provider, and our uid of the purchase.
    pub checkout: Option<String>,
    pub subscription: Option<String>,
    pub provision: Option<ProvisionId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_never_change() {
        assert_eq!(Outcome::values(), ["received", "applied", "foreign", "unknown_purchase"]);
    }
}
