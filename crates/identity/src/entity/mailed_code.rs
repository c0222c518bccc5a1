//! One row per code sent by email.

use db::Stored;
use kernel::{CodeId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::Purpose;

/// A code sent by email; only its hash is stored.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mailed_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: CodeId,
    pub kind: Stored<Purpose>,
    pub email: String,
    /// The mailbox of the address, by which emails are counted.
    pub mailbox: String,
    pub code_hash: Vec<u8>,
    /// The digest of the six digits in the same email; `None` if it has none.
    pub digits_hash: Option<Vec<u8>>,
    /// The hash of the token of the browser that asked for the email, where the digits may be entered.
    pub browser_hash: Option<Vec<u8>>,
    /// Wrong digits entered so far.
    pub wrong_digits: i32,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
