//! One row per provider sign-in in progress.

use sea_orm::entity::prelude::*;

/// The request to the provider and, once it has responded, its claims.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_sign_in")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    /// [`crate::openid::ProviderName`].
    pub provider: String,
    pub state_hash: Vec<u8>,
    /// SHA-256, in base64url, of the opener's secret.
    pub challenge: String,
    pub nonce: String,
    pub verifier: String,
    pub expires_at: i64,
    pub answered_at: Option<i64>,
    pub code_hash: Option<Vec<u8>>,
    /// [`crate::openid::Claims`].
    pub claims: Option<Json>,
    pub used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
