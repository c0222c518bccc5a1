//! Requests to the provider and its answers, in our own types.

use kernel::{AccountId, ProvisionId, Timestamp};

/// A customer to create at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCustomer {
    /// uid of the billing account, stored as metadata and used as the idempotency key.
    pub account: AccountId,
    /// Name of the payee.
    pub name: String,
    /// Email of the payee. The provider accepts valid addresses only.
    pub email: Option<String>,
    /// Phone of the payee, as typed.
    pub phone: String,
}

/// A price of the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// Its lookup key.
    pub key: String,
    /// In the smallest unit of the currency.
    pub amount: i64,
    /// ISO code of the currency, in lower case.
    pub currency: String,
}

/// A checkout to start.
#[derive(Clone, Debug)]
pub struct NewCheckout {
    /// uid of the billing account, stored as metadata.
    pub account: AccountId,
    /// uid of our provision: the provider's `client_reference_id`, and metadata of session and subscription.
    pub provision: ProvisionId,
    /// The plan's id, which is the lookup key of its price at the provider.
    pub plan: String,
    /// The provider's customer id.
    pub customer: String,
    /// Where the provider sends the browser after payment.
    pub success_url: String,
    /// Where it sends the browser if the buyer cancels.
    pub cancel_url: String,
    /// When the unpaid session expires; Stripe allows 30 minutes to 24 hours from now.
    pub expires_at: Timestamp,
}

/// A checkout session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The provider's id, `cs_..`.
    pub id: String,
    /// Where the buyer pays; set while the session is open.
    pub url: Option<String>,
    /// Open, complete or expired.
    pub status: CheckoutStatus,
    /// Whether the first payment was made, or none is due.
    pub paid: bool,
    /// When the unpaid session expires.
    pub expires_at: Timestamp,
    /// The subscription it created, once complete.
    pub subscription: Option<String>,
    /// The provider's customer id.
    pub customer: Option<String>,
    /// uid of our account, from the metadata.
    pub account: Option<AccountId>,
    /// uid of our provision, if `client_reference_id` is one.
    pub provision: Option<ProvisionId>,
}

/// The status of a checkout session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutStatus {
    /// The buyer can still pay.
    Open,
    /// The checkout was completed.
    Complete,
    /// The session expired.
    Expired,
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The provider's id, `sub_..`.
    pub id: String,
    /// Current state.
    pub state: SubscriptionState,
    /// The provider's customer id.
    pub customer: Option<String>,
    /// Id of the last invoice.
    pub latest_invoice: Option<String>,
    /// uid of our account, from the metadata.
    pub account: Option<AccountId>,
    /// uid of our provision, from the metadata.
    pub provision: Option<ProvisionId>,
}

/// A subscription's state, as reported by the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionState {
    /// Stripe's status.
    pub status: SubscriptionStatus,
    /// Lookup key of the price, which is the id of a plan.
    pub price_key: Option<String>,
    /// How many of the plan are paid for.
    pub quantity: u64,
    /// End of the current period.
    pub period_end: Timestamp,
    /// When it will end, if that is planned.
    pub cancel_at: Option<Timestamp>,
    /// Whether it was ended because it was not paid.
    pub ended_unpaid: bool,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When the oldest open invoice after the last paid one was made, for a subscription that is not paid.
    pub unpaid_since: Option<Timestamp>,
    /// Whether real money is taken.
    pub live_mode: bool,
}

impl SubscriptionState {
    /// Returns whether an invoice is due, or was when it ended.
    pub fn is_unpaid(&self) -> bool {
        use SubscriptionStatus as Status;
        match self.status {
            Status::PastDue | Status::Unpaid | Status::Paused => true,
            Status::Canceled => self.ended_unpaid,
            Status::Incomplete | Status::IncompleteExpired | Status::Trialing | Status::Active => false,
        }
    }
}

/// The status of a subscription, in Stripe's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionStatus {
    /// The first payment has not been made yet.
    Incomplete,
    /// The first payment was not made in time.
    IncompleteExpired,
    /// In a free trial.
    Trialing,
    /// Paid.
    Active,
    /// A renewal failed and is being retried.
    PastDue,
    /// Ended.
    Canceled,
    /// The retries ended without payment; further invoices stay drafts.
    Unpaid,
    /// Paused after a trial without a card.
    Paused,
}

impl CheckoutStatus {
    /// Returns Stripe's word for the status.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Expired => "expired",
        }
    }

    /// Parses Stripe's word.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Open, Self::Complete, Self::Expired].into_iter().find(|status| status.as_str() == text)
    }
}

impl SubscriptionStatus {
    /// Returns Stripe's word for the status.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::IncompleteExpired => "incomplete_expired",
            Self::Trialing => "trialing",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Canceled => "canceled",
            Self::Unpaid => "unpaid",
            Self::Paused => "paused",
        }
    }

    /// Parses Stripe's word.
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Incomplete,
            Self::IncompleteExpired,
            Self::Trialing,
            Self::Active,
            Self::PastDue,
            Self::Canceled,
            Self::Unpaid,
            Self::Paused,
        ]
        .into_iter()
        .find(|status| status.as_str() == text)
    }
}
