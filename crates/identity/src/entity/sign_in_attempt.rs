//! One row per client address, account, or both together, from which wrong passwords or digits came lately.

use kernel::Timestamp;
use sea_orm::entity::prelude::*;

/// A count of wrong tries.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_attempt")]
pub struct Model {
    /// A keyed hash of the address, the account or both: neither is stored.
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Vec<u8>,
    pub tries: i64,
    /// The last try; of an account, the first one of the hour.
    pub at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
