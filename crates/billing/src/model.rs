//! The rules of billing, free of I/O: plans, account types, provision states.

use kernel::{DAY, MINUTE, Millis, Uid};
use payments::SubscriptionStatus;

/// How long an open checkout is handed out again instead of starting a second one.
pub const CHECKOUT_REUSE: Millis = 30 * MINUTE;
/// Lifetime of a checkout session. The provider allows at most 24 hours, and its clock may differ from ours.
pub const SESSION_LIFETIME: Millis = DAY - 5 * MINUTE;
/// How long a plan may be past due before its organisation is suspended.
pub const MAX_PAST_DUE: Millis = 14 * DAY;
/// How long an organisation may be suspended before its plan ends.
pub const MAX_SUSPENDED: Millis = 30 * DAY;
/// Longest text of an account, in characters.
const TEXT_MAX: usize = 300;

/// A plan that can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// Essentials, billed monthly.
    EssentialsMonthly,
    /// Essentials, billed yearly.
    EssentialsAnnual,
    /// Professional, billed monthly.
    ProfessionalMonthly,
    /// Professional, billed yearly.
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
    /// All plans, smallest first.
    pub const ALL: [Self; 4] = [
        Self::EssentialsMonthly,
        Self::EssentialsAnnual,
        Self::ProfessionalMonthly,
        Self::ProfessionalAnnual,
    ];

    /// Returns the plan's id in the API, which is also the lookup key of its price at the provider.
    pub fn id(self) -> &'static str {
        match self {
            Self::EssentialsMonthly => "essentials-monthly",
            Self::EssentialsAnnual => "essentials-annual",
            Self::ProfessionalMonthly => "professional-monthly",
            Self::ProfessionalAnnual => "professional-annual",
        }
    }

    /// Returns the plan with this id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.id() == id)
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

/// How many organisations an account may hold. Ordered, narrowest first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum AccountType {
    /// One person, one organisation.
    Individual,
    /// One organisation, several super admins.
    Business,
    /// Any number of organisations.
    Agency,
}

impl AccountType {
    /// Returns the word stored in the database and used in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Individual => "individual",
            Self::Business => "business",
            Self::Agency => "agency",
        }
    }

    /// Parses the word returned by [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Individual, Self::Business, Self::Agency].into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns whether the account may hold one more organisation besides `live` ones.
    pub fn has_capacity(self, live: u64) -> bool {
        self == Self::Agency || live == 0
    }
}

/// The state of a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProvisionState {
    /// The buyer is at the checkout page.
    Open,
    /// Paid.
    Active,
    /// A renewal failed less than 14 days ago.
    PastDue,
    /// Unpaid for more than 14 days.
    Suspended,
    /// No longer paid for; the organisation is closed.
    Ended,
    /// Never became active, or was refunded.
    Failed,
    /// The checkout session expired unpaid.
    Expired,
}

impl ProvisionState {
    /// All states.
    pub const ALL: [Self; 7] =
        [Self::Open, Self::Active, Self::PastDue, Self::Suspended, Self::Ended, Self::Failed, Self::Expired];

    /// The states in which a purchase occupies one of the account's organisations.
    pub const LIVE: [Self; 3] = [Self::Active, Self::PastDue, Self::Suspended];

    /// Returns the word stored in the database and used in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Active => "active",
            Self::PastDue => "pastDue",
            Self::Suspended => "suspended",
            Self::Ended => "ended",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// Parses the word returned by [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

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

    /// Returns the state after the provider reported `status` for the subscription. Ended and failed are
    /// final: buying again creates a new provision.
    #[must_use]
    pub fn after(self, status: SubscriptionStatus) -> Self {
        use SubscriptionStatus as Status;
        match (self, status) {
            (Self::Ended | Self::Failed, _) => self,
            (_, Status::Active | Status::Trialing) => Self::Active,
            (Self::Suspended, Status::PastDue) => Self::Suspended,
            (Self::Active | Self::PastDue, Status::PastDue) => Self::PastDue,
            (Self::Active | Self::PastDue | Self::Suspended, Status::Unpaid | Status::Paused) => {
                Self::Suspended
            }
            (Self::Active | Self::PastDue | Self::Suspended, Status::Canceled) => Self::Ended,
            // Never paid: nothing was granted, so nothing ends.
            (Self::Open | Self::Expired, Status::Canceled | Status::IncompleteExpired) => Self::Failed,
            _ => self,
        }
    }
}

/// A billing account.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub uid: Uid,
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
    pub managers: Vec<Uid>,
    pub created_at: Millis,
}

/// One purchase of a plan, from the first click to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provision {
    /// Also the provider's `client_reference_id`.
    pub uid: Uid,
    /// The account that pays.
    pub account: Uid,
    /// The buyer, who becomes super admin of the organisation.
    pub buyer: Uid,
    /// The organisation it pays for, set on activation.
    pub org: Option<Uid>,
    /// `None` if payment is off.
    pub plan: Option<Plan>,
    pub state: ProvisionState,
    /// When `state` last changed.
    pub state_since: Millis,
    /// The checkout session, once created at the provider.
    pub session: Option<String>,
    /// Where the buyer pays.
    pub session_url: Option<String>,
    /// When the session expires unpaid.
    pub session_expires: Millis,
    /// The subscription, once paid.
    pub subscription: Option<String>,
    /// When the provider was asked for the answer stored here. Orders answers by the time of the question.
    pub synced_at: Millis,
    pub created_at: Millis,
}

impl Provision {
    /// Returns when to poll the provider next if no webhook arrives: soon while the buyer pays, then daily.
    pub fn next_sync_at(&self, now: Millis) -> Option<Millis> {
        match self.state {
            ProvisionState::Open => Some(now + ((now - self.created_at) / 2).clamp(20 * 1_000, 60 * MINUTE)),
            state if state.is_live() => Some(now + DAY),
            _ => None,
        }
    }
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
    use super::*;
    use ProvisionState as State;
    use SubscriptionStatus as Status;

    #[test]
    fn four_plans_are_known_by_their_ids() {
        assert!(Plan::ALL.iter().all(|plan| Plan::parse(plan.id()) == Some(*plan)));
        assert_eq!(Plan::parse("free"), None);
        assert_eq!(serde_json::to_string(&Plan::EssentialsMonthly).unwrap(), "\"essentials-monthly\"");
    }

    #[test]
    fn only_an_agency_holds_a_second_organisation() {
        for kind in [AccountType::Individual, AccountType::Business, AccountType::Agency] {
            assert!(kind.has_capacity(0));
            assert_eq!(kind.has_capacity(1), kind == AccountType::Agency);
        }
        assert!(
            AccountType::Individual < AccountType::Business && AccountType::Business < AccountType::Agency
        );
    }

    #[test]
    fn a_paid_subscription_activates_every_state_except_ended_and_failed() {
        for state in [State::Open, State::Expired, State::PastDue, State::Suspended] {
            assert_eq!(state.after(Status::Active), State::Active, "{state:?}");
        }
        assert_eq!(State::Ended.after(Status::Active), State::Ended);
        assert_eq!(State::Failed.after(Status::Active), State::Failed);
    }

    #[test]
    fn an_unpaid_subscription_is_downgraded_step_by_step() {
        assert_eq!(State::Active.after(Status::PastDue), State::PastDue);
        assert_eq!(State::Suspended.after(Status::PastDue), State::Suspended);
        assert_eq!(State::PastDue.after(Status::Unpaid), State::Suspended);
        assert_eq!(State::PastDue.after(Status::Canceled), State::Ended);
        assert_eq!(State::Open.after(Status::Incomplete), State::Open);
        assert_eq!(State::Open.after(Status::IncompleteExpired), State::Failed);
        assert_eq!(State::Open.after(Status::PastDue), State::Open);
    }

    #[test]
    fn states_survive_storage() {
        for state in State::ALL {
            assert_eq!(State::parse(state.as_str()), Some(state));
        }
        assert_eq!(State::parse("?"), None);
    }
}
