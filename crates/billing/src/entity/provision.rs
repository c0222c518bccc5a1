//! The `provision` table.

use db::Stored;
use kernel::{AccountId, OrgId, PersonId, ProvisionId, Timestamp};
use payments::{CheckoutStatus, SubscriptionStatus};
use sea_orm::entity::prelude::*;

use crate::model::{ProvisionState, PurchaseReason};

/// A purchase of a plan.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provision")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: ProvisionId,
    pub account: AccountId,
    pub buyer: PersonId,
    pub org: Option<OrgId>,
    pub plan: Option<String>,
    pub price_unknown_since: Option<Timestamp>,
    pub activated_at: Option<Timestamp>,
    pub refused_at: Option<Timestamp>,
    pub session: Option<String>,
    pub session_url: Option<String>,
    pub session_expires: Timestamp,
    pub checkout_status: Option<Stored<CheckoutStatus>>,
    pub subscription: Option<String>,
    pub status: Option<Stored<SubscriptionStatus>>,
    pub price_key: Option<String>,
    pub price_amount: Option<i64>,
    pub price_currency: Option<String>,
    /// The provider's word for the period.
    pub price_interval: Option<String>,
    pub quantity: i64,
    pub period_end: Option<Timestamp>,
    pub cancel_at: Option<Timestamp>,
    pub ended_unpaid: bool,
    /// The provider's word.
    pub end_reason: Option<String>,
    pub ended_at: Option<Timestamp>,
    pub unpaid_since: Option<Timestamp>,
    pub attempts: i64,
    pub next_attempt_at: Option<Timestamp>,
    pub given_up_at: Option<Timestamp>,
    pub live_mode: bool,
    pub synced_at: Timestamp,
    pub next_sync_at: Option<Timestamp>,
    pub recorded_state: Stored<ProvisionState>,
    pub refunded_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub time_zone: Option<String>,
    /// When a page that waits for it last made the server ask the provider.
    pub asked_at: Timestamp,
    /// The provider's account and mode: `acct_1 test`.
    pub source: Option<String>,
    /// The plan to which it changes.
    pub pending_plan: Option<String>,
    pub pending_at: Option<Timestamp>,
    /// The ended organisation that the buyer wants back.
    pub chosen_org: Option<OrgId>,
    pub wants_new_org: bool,
    /// The number of the last look at the provider.
    pub ticket: i64,
    /// The number of the look whose answer is stored.
    pub applied_ticket: i64,
    /// When another purchase took its place.
    pub replaced_at: Option<Timestamp>,
    /// Why it entered the recorded state.
    pub recorded_reason: Option<Stored<PurchaseReason>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
