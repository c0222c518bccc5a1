//! The rules of billing, free of I/O: plans, account types, provision states.

use kernel::{AccountId, DAY, MINUTE, Millis, PersonId, Timestamp};
use sea_orm::{ActiveEnum, DeriveActiveEnum, EnumIter};

/// How long an open checkout is reused instead of starting a second one.
pub const CHECKOUT_REUSE: Millis = 30 * MINUTE;
/// Lifetime of a checkout session. The provider allows at most 24 hours, and its clock may differ from ours.
pub const SESSION_LIFETIME: Millis = DAY - 5 * MINUTE;
/// Longest text of an account, in characters.
const TEXT_MAX: usize = 300;

/// How many organizations an account may hold. Ordered, narrowest first.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum AccountType {
    /// One person, one organisation.
    #[sea_orm(string_value = "individual")]
    Individual,
    /// One organisation, several super admins.
    #[sea_orm(string_value = "business")]
    Business,
    /// Any number of organisations.
    #[sea_orm(string_value = "agency")]
    Agency,
}

impl AccountType {
    /// Parses the word used in the API, which is also the one stored.
    pub fn parse(text: &str) -> Option<Self> {
        Self::try_from_value(&text.to_owned()).ok()
    }

    /// Returns whether the account may hold one more organisation besides `live` ones.
    pub fn has_capacity(self, live: usize) -> bool {
        self == Self::Agency || live == 0
    }
}

/// The state of a purchase.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ProvisionState {
    /// The buyer is at the checkout page.
    #[sea_orm(string_value = "open")]
    Open,
    /// Paid.
    #[sea_orm(string_value = "active")]
    Active,
    /// A renewal failed less than 14 days ago.
    #[sea_orm(string_value = "pastDue")]
    PastDue,
    /// Unpaid for more than 14 days, or given up by the provider.
    #[sea_orm(string_value = "suspended")]
    Suspended,
    /// No longer paid for; the organisation is closed.
    #[sea_orm(string_value = "ended")]
    Ended,
    /// Never became active, or was refunded.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// The checkout session expired unpaid.
    #[sea_orm(string_value = "expired")]
    Expired,
}

impl ProvisionState {
    /// The states in which a purchase occupies one of the account's organisations.
    pub const LIVE: [Self; 3] = [Self::Active, Self::PastDue, Self::Suspended];

    /// Returns whether the state is one of [`Self::LIVE`].
    pub fn is_live(self) -> bool {
        Self::LIVE.contains(&self)
    }

    /// Returns the standing the organisation gets in this state, or `None` if there is no organisation yet.
    pub fn standing(self) -> Option<orgs::Standing> {
        match self {
            Self::Active => Some(orgs::Standing::Active),
            Self::PastDue => Some(orgs::Standing::PastDue),
            Self::Suspended => Some(orgs::Standing::Suspended),
            Self::Ended => Some(orgs::Standing::Ended),
            Self::Open | Self::Failed | Self::Expired => None,
        }
    }
}

/// What made a purchase change its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Cause {
    /// An event of the provider.
    #[sea_orm(string_value = "event")]
    Event,
    /// A question to the provider.
    #[sea_orm(string_value = "check")]
    Check,
    /// A person, if payment is off.
    #[sea_orm(string_value = "person")]
    Person,
    /// Time alone.
    #[sea_orm(string_value = "clock")]
    Clock,
}

/// Why a purchase is in its state.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum PurchaseReason {
    /// Its invoices are paid.
    #[sea_orm(string_value = "paid")]
    Paid,
    /// Payment was off when it was granted.
    #[sea_orm(string_value = "free")]
    Free,
    /// A payment failed, and the invoice is still open.
    #[sea_orm(string_value = "paymentFailed")]
    PaymentFailed,
    /// The payment provider gave up the payment.
    #[sea_orm(string_value = "givenUp")]
    GivenUp,
    /// An invoice was not paid in time.
    #[sea_orm(string_value = "unpaid")]
    Unpaid,
    /// The subscription was canceled.
    #[sea_orm(string_value = "canceled")]
    Canceled,
    /// The account held all the organizations its type allows, so the payment was sent back.
    #[sea_orm(string_value = "accountFull")]
    AccountFull,
    /// The first payment was not confirmed.
    #[sea_orm(string_value = "notConfirmed")]
    NotConfirmed,
    /// The payment page was open for too long.
    #[sea_orm(string_value = "sessionExpired")]
    SessionExpired,
    /// Another purchase of the account took its place, so its payment page was closed.
    #[sea_orm(string_value = "replaced")]
    Replaced,
}

impl PurchaseReason {
    /// Returns whether it is an invoice that is not paid.
    pub fn is_debt(self) -> bool {
        matches!(self, Self::PaymentFailed | Self::GivenUp | Self::Unpaid)
    }
}

/// A billing account.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub uid: AccountId,
    /// Limits how many organisations it may hold.
    pub kind: AccountType,
    pub friendly_name: String,
    /// Name of the payee.
    pub billing_name: String,
    /// Email of the payee, as typed.
    pub billing_email: String,
    /// Phone of the payee, as typed.
    pub billing_phone: String,
    /// Postal address.
    pub billing_address: Option<serde_json::Value>,
    /// The payment provider's message if it rejected the billing details.
    pub refusal: Option<String>,
    /// The provider's customer id, set on first use.
    pub customer: Option<String>,
    /// The provider's account and mode in which the customer was made, if it is known.
    pub customer_source: Option<String>,
    /// The people who may manage it.
    pub managers: Vec<PersonId>,
    pub created_at: Timestamp,
}

/// The validated billing form.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAccount {
    pub kind: AccountType,
    pub friendly_name: String,
    pub billing_name: String,
    pub billing_email: String,
    pub billing_phone: String,
    pub billing_address: Option<serde_json::Value>,
}

/// Validates a text of the billing form. Fails if it is blank or absurdly long; the format is free.
pub fn required_text(
    field: &'static str,
    message: &'static str,
    value: Option<String>,
) -> Result<String, crate::Error> {
    let value = value.unwrap_or_default();
    if value.trim().is_empty() {
        return Err(crate::Error::Required(field, message));
    }
    if value.chars().count() > TEXT_MAX {
        return Err(crate::Error::TooLong(field));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use sea_orm::Iterable as _;

    use super::*;
    use ProvisionState as State;

    /// Returns the stored values of an enum. Fails if they differ in the API.
    fn words<E: ActiveEnum<Value = String> + serde::Serialize>() -> Vec<String> {
        let in_api: Vec<_> = E::iter().map(|variant| serde_json::to_value(variant).unwrap()).collect();
        assert_eq!(in_api, E::values());
        E::values()
    }

    #[test]
    fn stored_words_never_change() {
        assert_eq!(words::<AccountType>(), ["individual", "business", "agency"]);
        let states = ["open", "active", "pastDue", "suspended", "ended", "failed", "expired"];
        assert_eq!(words::<State>(), states);
        assert_eq!(Cause::values(), ["event", "check", "person", "clock"]);
        let reasons = [
            "paid",
            "free",
            "paymentFailed",
            "givenUp",
            "unpaid",
            "canceled",
            "accountFull",
            "notConfirmed",
            "sessionExpired",
            "replaced",
        ];
        assert_eq!(words::<PurchaseReason>(), reasons);
    }

    #[test]
    fn only_an_agency_holds_a_second_organisation() {
        for kind in AccountType::iter() {
            assert!(kind.has_capacity(0));
            assert_eq!(kind.has_capacity(1), kind == AccountType::Agency);
        }
        assert!(
            AccountType::Individual < AccountType::Business && AccountType::Business < AccountType::Agency
        );
    }
}
