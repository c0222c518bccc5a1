//! One row per identity of a person at a provider.

use db::Stored;
use kernel::{PersonId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::openid::ProviderName;

/// The person that an issuer identifies by `subject`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_identity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub issuer: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: String,
    pub provider: Stored<ProviderName>,
    pub person: PersonId,
    pub created_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
