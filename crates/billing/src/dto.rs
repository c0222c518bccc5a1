//! JSON shapes used by more than one operation.

use identity::Person;
use kernel::{Timestamp, Uuid, iso};
use payments::SubscriptionPrice;
use serde::Serialize;
use serde_json::Value;

use crate::model::{Account, AccountType, ProvisionState, PurchaseReason};
use crate::plans::Interval;
use crate::provision::Provision;

/// A billing account.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountOut {
    /// Id of the account.
    pub uid: Uuid,
    /// Postal address, if any.
    #[schema(value_type = Option<Object>)]
    pub billing_address: Option<Value>,
    /// Email of the payee.
    pub billing_email: String,
    /// Name of the payee.
    pub billing_name: String,
    /// Phone of the payee.
    pub billing_phone: String,
    /// Nickname of the account, shown in lists.
    pub friendly_name: String,
    /// How many organizations the account may hold.
    #[serde(rename = "type")]
    pub kind: AccountType,
    /// Ids of the people who may manage the account.
    pub managing_users: Vec<Uuid>,
    /// The payment provider's message if it rejected the billing details; null if it accepted them.
    pub refusal: Option<String>,
    /// When the account was created.
    pub time_created: String,
}

/// A person who manages a billing account.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagerOut {
    /// Id of the person.
    pub uid: Uuid,
    /// Name of the person; empty until onboarding.
    pub display_name: String,
    /// Email address of the person.
    pub email: String,
}

impl From<&Person> for ManagerOut {
    fn from(person: &Person) -> Self {
        Self {
            uid: person.uid.into(),
            display_name: person.display_name.clone().unwrap_or_default(),
            email: person.email.clone(),
        }
    }
}

impl From<Account> for AccountOut {
    fn from(account: Account) -> Self {
        Self {
            uid: account.uid.into(),
            billing_address: account.billing_address,
            billing_email: account.billing_email,
            billing_name: account.billing_name,
            billing_phone: account.billing_phone,
            friendly_name: account.friendly_name,
            kind: account.kind,
            managing_users: account.managers.into_iter().map(Into::into).collect(),
            refusal: account.refusal,
            time_created: iso(account.created_at),
        }
    }
}

/// A purchase of a plan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionOut {
    /// Id of the purchase, as in the `provision_id` parameter of the success page.
    pub uid: Uuid,
    /// The organization it pays for; never null while active.
    pub org_id: Option<Uuid>,
    /// Whether the plan is paid and its organization exists.
    pub active: bool,
    /// The plan; null if it costs nothing, or if the payment provider has not named a known one yet.
    pub plan_id: Option<String>,
    /// The plan to which it changes at `timeChanges`; null if no change is planned.
    pub pending_plan_id: Option<String>,
    /// When the plan changes to `pendingPlanId`.
    pub time_changes: Option<String>,
    /// What is paid each period, which may differ from the price at which the plan is sold now. Null before the first
    /// payment.
    pub price: Option<PaidPriceOut>,
    /// How often the plan is paid each period; `price` is for all of them. Null before the first payment.
    pub quantity: Option<i64>,
    /// State of the purchase.
    pub state: ProvisionState,
    /// Why it is in this state; null while it is open, and for ends that an older version of the server recorded.
    pub reason: Option<PurchaseReason>,
    /// Since when an invoice is unpaid, if that is the reason and the payment provider named the invoice.
    pub time_unpaid: Option<String>,
    /// Whether the payment was sent back, because the account already holds all the organizations its type allows.
    pub refused: bool,
    /// End of the paid period. The plan is renewed then, unless `timeEnds` is set. Null before the first payment.
    pub time_renews: Option<String>,
    /// When the organization is suspended if an open invoice stays unpaid.
    pub time_suspends: Option<String>,
    /// When the subscription ends because that was chosen. Null if it is renewed.
    pub cancel_at: Option<String>,
    /// The payment provider's word for why the subscription ends or ended, such as `cancellation_requested`,
    /// `payment_disputed` or `payment_failed`. Null if it named none.
    pub end_reason: Option<String>,
    /// When the plan ends: because that was chosen, or because an invoice stays unpaid. Null if no end is planned.
    pub time_ends: Option<String>,
    /// Whether the payment provider has ended the subscription. A suspended plan can then no longer be paid for; buying
    /// a plan again brings the organization back.
    pub subscription_ended: bool,
}

/// What a subscription costs each period, without taxes and discounts.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PaidPriceOut {
    /// In the smallest unit of the currency, such as cents.
    pub amount: i64,
    /// ISO code of the currency, in lower case.
    pub currency: String,
    /// How often it is paid; null for other periods.
    pub interval: Option<Interval>,
}

impl From<SubscriptionPrice> for PaidPriceOut {
    fn from(price: SubscriptionPrice) -> Self {
        let interval = price.interval.as_deref().and_then(Interval::parse);
        Self { amount: price.amount, currency: price.currency, interval }
    }
}

impl ProvisionOut {
    /// Returns the purchase as it is at `now`.
    pub fn at(provision: Provision, now: Timestamp) -> Self {
        let state = provision.state_at(now);
        let paid = matches!(state, ProvisionState::Active | ProvisionState::PastDue);
        let ends = provision.planned_end();
        Self {
            refused: provision.refused_at.is_some(),
            reason: provision.reason_at(now),
            time_unpaid: provision.owes_since(now).map(iso),
            subscription_ended: provision.answer.is_some() && !provision.has_open_subscription(),
            time_renews: provision.answer.as_ref().map(|answer| iso(answer.period_end)),
            time_suspends: provision.suspends_at().filter(|_| state == ProvisionState::PastDue).map(iso),
            time_ends: ends.map(iso),
            cancel_at: provision.answer.as_ref().and_then(|answer| answer.cancel_at).map(iso),
            quantity: provision.answer.as_ref().map(|answer| answer.quantity),
            end_reason: provision.answer.as_ref().and_then(|answer| answer.end_reason.clone()),
            price: provision.answer.as_ref().and_then(|answer| answer.price.clone()).map(PaidPriceOut::from),
            time_changes: provision.pending.as_ref().map(|pending| iso(pending.at)),
            pending_plan_id: provision.pending.map(|pending| pending.plan),
            uid: provision.uid.into(),
            org_id: provision.org.map(Into::into),
            active: paid && provision.org.is_some(),
            plan_id: provision.plan,
            state,
        }
    }
}
