//! One object of a stand-in: the card provider's customers, checkouts, subscriptions, invoices, refunds, portal
//! sessions and events, and the people who signed in with the stand-in for Apple.

use kernel::Millis;
use sea_orm::entity::prelude::*;

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sandbox_object")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: String,
    /// The customer it belongs to; for an invoice, the subscription.
    pub owner: String,
    /// uid of the buyer's own record, when it was given.
    pub reference: String,
    /// The object as the interface shows it.
    pub body: Json,
    /// What the provider knows beside it: price, metadata to hand on, how the next renewal behaves.
    pub inner: Json,
    /// When something happens to it by itself: a checkout expires, a subscription renews.
    pub due: Option<Millis>,
    pub time_created: Millis,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
