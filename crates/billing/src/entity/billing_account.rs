//! The `billing_account` table.

use sea_orm::entity::prelude::*;

/// A billing account.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "billing_account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub kind: String,
    pub friendly_name: String,
    pub billing_name: String,
    pub billing_email: String,
    pub billing_phone: String,
    pub billing_address: Option<Json>,
    pub customer: Option<String>,
    pub created_by: Uuid,
    /// Idempotency-Key of the request that created it.
    pub request_key: Option<String>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
