//! What we ask of the provider and what it answers, in our words.

use kernel::{Millis, SECOND, Uid};

/// The buyer, as the provider is to know it.
#[derive(Clone, Debug)]
pub struct NewCustomer {
    /// uid of the billing account; kept as metadata and used as the idempotency key.
    pub account: Uid,
    /// Payee's name.
    pub name: String,
    /// Payee's e-mail.
    pub email: String,
    /// Payee's phone, as typed.
    pub phone: String,
}

/// One purchase to be begun.
#[derive(Clone, Debug)]
pub struct NewCheckout {
    /// uid of the billing account, kept as metadata.
    pub account: Uid,
    /// uid of our provision: the provider's `client_reference_id`, and metadata of session and subscription.
    pub provision: Uid,
    /// The plan's id, which is the lookup key of its price at the provider.
    pub plan: &'static str,
    /// The provider's id of the buyer.
    pub customer: String,
    /// Where the provider sends the browser after payment.
    pub success_url: String,
    /// Where it sends the browser that gives up.
    pub cancel_url: String,
    /// When the session ends unpaid; Stripe takes 30 minutes to 24 hours from now.
    pub expires_at: Millis,
}

/// A checkout session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The provider's id, `cs_..`.
    pub id: String,
    /// Where the buyer pays; only while open.
    pub url: Option<String>,
    /// Open, complete or expired.
    pub status: CheckoutStatus,
    /// Whether the first payment is made, or none is due.
    pub paid: bool,
    /// When it ends unpaid.
    pub expires_at: Millis,
    /// The subscription it made, once complete.
    pub subscription: Option<String>,
    /// The buyer's id.
    pub customer: Option<String>,
    /// uid of our provision (`client_reference_id`), when it is one.
    pub provision: Option<Uid>,
}

/// Where a checkout session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutStatus {
    /// The buyer may still pay.
    Open,
    /// The buyer is through.
    Complete,
    /// Its time ran out.
    Expired,
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The provider's id, `sub_..`.
    pub id: String,
    /// Where it stands.
    pub status: SubscriptionStatus,
    /// End of the paid period.
    pub current_period_end: Millis,
    /// Whether it ends with the paid period.
    pub cancel_at_period_end: bool,
    /// The buyer's id.
    pub customer: Option<String>,
    /// The last invoice's id.
    pub latest_invoice: Option<String>,
    /// uid of our provision, from the metadata.
    pub provision: Option<Uid>,
}

/// Where a subscription stands; Stripe's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionStatus {
    /// The first payment is not made yet.
    Incomplete,
    /// The first payment was not made in time.
    IncompleteExpired,
    /// In a free trial.
    Trialing,
    /// Paid.
    Active,
    /// A renewal failed and is being tried again.
    PastDue,
    /// Ended.
    Canceled,
    /// Tries ended without payment; invoices are left as drafts.
    Unpaid,
    /// Paused after a trial without a card.
    Paused,
}

impl SubscriptionStatus {
    /// Stripe's word.
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

    /// Reads Stripe's word.
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

/// Whole seconds since the epoch, as the provider counts.
pub fn secs_of(ms: Millis) -> i64 {
    ms.div_euclid(SECOND)
}
