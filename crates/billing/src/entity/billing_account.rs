//! The `billing_account` table.

use db::Stored;
use kernel::{AccountId, PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::AccountType;

/// A billing account.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "billing_account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: AccountId,
    pub kind: Stored<AccountType>,
    pub friendly_name: String,
    pub billing_name: String,
    pub billing_email: String,
    pub billing_phone: String,
    pub billing_address: Option<Json>,
    pub refusal: Option<String>,
    pub customer: Option<String>,
    /// The provider's account and mode in which the customer was made.
    pub customer_source: Option<String>,
    pub created_by: PersonId,
    /// Idempotency-Key of the request that created it.
    pub request_key: Option<String>,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
