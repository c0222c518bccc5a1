//! One row per provider sign-in in progress.

use db::Stored;
use kernel::{SignInId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::openid::ProviderName;

/// The request to the provider and, once it has responded, its claims.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_sign_in")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: SignInId,
    pub provider: Stored<ProviderName>,
    pub state_hash: Vec<u8>,
    /// SHA-256, in base64url, of the opener's secret.
    pub challenge: String,
    pub nonce: String,
    pub verifier: String,
    pub expires_at: Timestamp,
    pub answered_at: Option<Timestamp>,
    pub code_hash: Option<Vec<u8>>,
    /// [`crate::openid::Claims`].
    pub claims: Option<Json>,
    pub used_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
