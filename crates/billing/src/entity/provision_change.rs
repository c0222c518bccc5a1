//! The journal of purchases: each change of a state, and what caused it. Rows are only added.

use db::Stored;
use kernel::{ProvisionChangeId, ProvisionId, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::{Cause, ProvisionState, PurchaseReason};

/// A change of a purchase's state.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provision_change")]
pub struct Model {
    /// In the order of the changes.
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ProvisionChangeId,
    pub provision: ProvisionId,
    pub at: Timestamp,
    pub from_state: Stored<ProvisionState>,
    pub to_state: Stored<ProvisionState>,
    pub cause: Stored<Cause>,
    /// Id of the provider's event, or of the person.
    pub cause_id: Option<String>,
    /// `None` in entries of older versions.
    pub reason: Option<Stored<PurchaseReason>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
