//! The rules of billing, free of I/O: plans, account types, provision states.

use kernel::{AccountId, DAY, MINUTE, Millis, PersonId, Timestamp};
use sea_orm::{ActiveEnum, DeriveActiveEnum, EnumIter};

/// How long an open checkout is reused instead of starting a second one.
pub const CHECKOUT_REUSE: Millis = 30 * MINUTE;
/// Lifetime of a checkout session. The provider allows at most 24 hours, and its clock may differ from ours.
pub const SESSION_LIFETIME: Millis = DAY - 5 * MINUTE;
/// Longest text of an account, in characters.
const TEXT_MAX: usize = 300;

/// A plan that can be bought.
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
#[serde(rename_all = "kebab-case")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Plan {
    /// Essentials, billed monthly.
    #[sea_orm(string_value = "essentials-monthly")]
    EssentialsMonthly,
    /// Essentials, billed yearly.
    #[sea_orm(string_value = "essentials-annual")]
    EssentialsAnnual,
    /// Professional, billed monthly.
    #[sea_orm(string_value = "professional-monthly")]
    ProfessionalMonthly,
    /// Professional, billed yearly.
    #[sea_orm(string_value = "professional-annual")]
    ProfessionalAnnual,
}

/// What a plan allows. `None` means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all stored files.
    pub storage_bytes: Option<u64>,
    /// Bytes of a single file.
    pub file_bytes: Option<u64>,
    /// Staff, including pending invites.
    pub staff_seats: Option<u64>,
    /// People who joined the app.
    pub app_users: Option<u64>,
    /// Months of analytics shown.
    pub analytics_months: Option<u32>,
}

impl Limits {
    /// Everything unlimited.
    pub const NONE: Self = Self {
        storage_bytes: None,
        file_bytes: None,
        staff_seats: None,
        app_users: None,
        analytics_months: None,
    };
}

impl Plan {
    /// Returns the plan's id in the API, which is also the lookup key of its price at the provider.
    pub fn id(self) -> String {
        self.to_value()
    }

    /// Returns the plan with this id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::try_from_value(&id.to_owned()).ok()
    }

    /// Returns the plan's display title.
    pub fn title(self) -> &'static str {
        match self {
            Self::EssentialsMonthly => "Essentials Monthly",
            Self::EssentialsAnnual => "Essentials Annual",
            Self::ProfessionalMonthly => "Professional Monthly",
            Self::ProfessionalAnnual => "Professional Annual",
        }
    }

    /// Returns the plan's limits.
    pub fn limits(self) -> Limits {
        const GIB: u64 = 1 << 30;
        match self {
            Self::EssentialsMonthly | Self::EssentialsAnnual => Limits {
                storage_bytes: Some(250 * GIB),
                file_bytes: Some(5 * GIB),
                staff_seats: Some(5),
                app_users: Some(1_000),
                analytics_months: Some(13),
            },
            Self::ProfessionalMonthly | Self::ProfessionalAnnual => Limits {
                storage_bytes: Some(2_048 * GIB),
                file_bytes: Some(20 * GIB),
                staff_seats: Some(50),
                app_users: Some(100_000),
                analytics_months: None,
            },
        }
    }
}

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
    /// Unpaid for more than 14 days.
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
    /// The provider's customer id, set on first use.
    pub customer: Option<String>,
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

    /// Returns the words of an enum in the database. Fails if they differ in the API.
    fn words<E: ActiveEnum<Value = String> + serde::Serialize>() -> Vec<String> {
        let in_api: Vec<_> = E::iter().map(|variant| serde_json::to_value(variant).unwrap()).collect();
        assert_eq!(in_api, E::values());
        E::values()
    }

    #[test]
    fn stored_words_never_change() {
        let plans =
            ["essentials-monthly", "essentials-annual", "professional-monthly", "professional-annual"];
        assert_eq!(words::<Plan>(), plans);
        assert_eq!(words::<AccountType>(), ["individual", "business", "agency"]);
        let states = ["open", "active", "pastDue", "suspended", "ended", "failed", "expired"];
        assert_eq!(words::<State>(), states);
        assert_eq!(Cause::values(), ["event", "check", "person", "clock"]);
    }

    #[test]
    fn a_plan_is_known_by_its_id() {
        assert!(Plan::iter().all(|plan| Plan::parse(&plan.id()) == Some(plan)));
        assert_eq!(Plan::parse("free"), None);
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
