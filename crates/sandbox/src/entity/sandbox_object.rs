//! The objects of the stand-ins: customers, cards, checkouts, subscriptions, their schedules, invoices, refunds,
//! portal sessions and events of the payment provider, and the people who signed in with the Apple stand-in.

use db::Stored;
use kernel::Timestamp;
use sea_orm::entity::prelude::*;

use crate::store::Kind;

/// One object of a stand-in.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sandbox_object")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub kind: Stored<Kind>,
    /// Id of the customer it belongs to. For an invoice the subscription, for a refund the payment intent,
    /// for an event the object.
    pub owner: String,
    /// uid of our own record, if one was given.
    pub reference: String,
    /// The object as the API returns it.
    pub body: Json,
    /// Internal state: metadata to pass on, outcome of the next renewal, phases of a schedule.
    pub inner: Json,
    /// When it changes by itself: a checkout expires, a subscription renews, an invoice is tried again. Set on an
    /// event until it is delivered.
    pub due: Option<Timestamp>,
    pub time_created: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
