//! Requests to the provider and its answers, in our own types.

use kernel::{AccountId, ProvisionId, Timestamp};
use sea_orm::{ActiveEnum as _, DeriveActiveEnum, EnumIter};

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
    /// Address of the payee, as far as it has parts that the provider knows.
    pub address: Address,
}

/// A postal address. Parts that are not known are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Street and number.
    pub line1: String,
    /// What the first line has no room for.
    pub line2: String,
    /// City or town.
    pub city: String,
    /// State, province or county.
    pub state: String,
    /// ZIP or postal code.
    pub postal_code: String,
    /// ISO 3166 code of two letters.
    pub country: String,
}

/// A price of the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// The provider's id, `price_..`.
    pub id: String,
    /// Its lookup key.
    pub key: String,
    /// The provider's id of its product.
    pub product: Option<String>,
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
    /// Whether real money is taken.
    pub live_mode: bool,
}

/// The status of a checkout session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum CheckoutStatus {
    /// The buyer can still pay.
    #[sea_orm(string_value = "open")]
    Open,
    /// The checkout was completed.
    #[sea_orm(string_value = "complete")]
    Complete,
    /// The session expired.
    #[sea_orm(string_value = "expired")]
    Expired,
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The provider's id, `sub_..`.
    pub id: String,
    /// Current state.
    pub state: SubscriptionState,
    /// What may name its plan, the lookup key of its price first.
    pub plan_keys: Vec<String>,
    /// The change of its price that is scheduled.
    pub scheduled: Option<ScheduledChange>,
    /// The provider's customer id.
    pub customer: Option<String>,
    /// uid of our account, from the metadata.
    pub account: Option<AccountId>,
    /// uid of our provision, from the metadata.
    pub provision: Option<ProvisionId>,
}

/// A change of the price of a subscription that begins later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledChange {
    /// What may name the plan of the new price, its lookup key first.
    pub plan_keys: Vec<String>,
    /// When it begins.
    pub at: Timestamp,
}

/// What a period of a subscription costs, without taxes and discounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionPrice {
    /// In the smallest unit of the currency.
    pub amount: i64,
    /// ISO code of the currency, in lower case.
    pub currency: String,
    /// Stripe's word for the period, such as `month`; `None` for a multiple of one.
    pub interval: Option<String>,
}

/// A page of subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionPage {
    /// Subscriptions of this page, newest first.
    pub data: Vec<Subscription>,
    /// After which subscription the next page begins, if there is one.
    pub next: Option<String>,
}

/// An invoice as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// The provider's id, `in_..`.
    pub id: String,
    /// The number printed on it.
    pub number: Option<String>,
    /// When it was made.
    pub created: Timestamp,
    /// In the smallest unit of the currency.
    pub amount: i64,
    /// ISO code of the currency, in lower case.
    pub currency: String,
    /// Stripe's status: `open`, `paid`, `void` or `uncollectible`.
    pub status: String,
    /// The provider's page about it, where an open one is paid.
    pub page: Option<String>,
    /// The address of the document.
    pub pdf: Option<String>,
}

/// A card, as far as the provider shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its brand, such as `visa`.
    pub brand: String,
    /// The last four digits of its number.
    pub last4: String,
    /// The month after which it is invalid, from 1.
    pub exp_month: u16,
    /// The year of that month.
    pub exp_year: u16,
}

/// What became of the payments of a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refund {
    /// They were returned.
    Returned,
    /// Nothing had been paid.
    NothingPaid,
}

/// An account of the provider, and one of its two modes: test and live. What is made in one does not exist in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The provider's id of the account, `acct_..`.
    pub account: String,
    /// Whether real money is taken.
    pub live_mode: bool,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.account, if self.live_mode { "live" } else { "test" })
    }
}

/// An address to which the provider sends events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookEndpoint {
    /// URL to which events are posted.
    pub url: String,
    /// Whether events are sent.
    pub enabled: bool,
    /// The types of events that are sent; `*` means all.
    pub events: Vec<String>,
    /// The version of the API in which events are written; `None` means the account's default.
    pub api_version: Option<String>,
    /// Whether it gets the events of real payments.
    pub live_mode: bool,
}

/// A subscription's state, as reported by the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionState {
    /// Stripe's status.
    pub status: SubscriptionStatus,
    /// Lookup key of the price, which is the id of a plan, or else what the metadata names.
    pub price_key: Option<String>,
    /// What a period costs, for the whole quantity.
    pub price: Option<SubscriptionPrice>,
    /// How often the price is paid.
    pub quantity: i64,
    /// End of the current period.
    pub period_end: Timestamp,
    /// When it will end, if that is planned.
    pub cancel_at: Option<Timestamp>,
    /// Whether it was ended because it was not paid.
    pub ended_unpaid: bool,
    /// The provider's word for why it ends or ended: `cancellation_requested`, `payment_disputed` or `payment_failed`.
    pub end_reason: Option<String>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// When the oldest open invoice after the last paid one was made, for a subscription that is not paid.
    pub unpaid_since: Option<Timestamp>,
    /// How often the provider has tried to take the payment of the newest open invoice.
    pub attempts: u32,
    /// When the provider tries again.
    pub next_attempt_at: Option<Timestamp>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum SubscriptionStatus {
    /// The first payment has not been made yet.
    #[sea_orm(string_value = "incomplete")]
    Incomplete,
    /// The first payment was not made in time.
    #[sea_orm(string_value = "incomplete_expired")]
    IncompleteExpired,
    /// In a free trial.
    #[sea_orm(string_value = "trialing")]
    Trialing,
    /// Paid.
    #[sea_orm(string_value = "active")]
    Active,
    /// A renewal failed and is being retried.
    #[sea_orm(string_value = "past_due")]
    PastDue,
    /// Ended.
    #[sea_orm(string_value = "canceled")]
    Canceled,
    /// The retries ended without payment; further invoices stay drafts.
    #[sea_orm(string_value = "unpaid")]
    Unpaid,
    /// Paused after a trial without a card.
    #[sea_orm(string_value = "paused")]
    Paused,
}

impl CheckoutStatus {
    /// Parses Stripe's word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::try_from_value(&text.to_owned()).ok()
    }
}

impl SubscriptionStatus {
    /// Parses Stripe's word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::try_from_value(&text.to_owned()).ok()
    }
}
