//! Plans, account types, provision states: the rules of billing, without a database.

use kernel::{DAY, MINUTE, Millis, Uid};
use payments::SubscriptionStatus;

/// An open checkout is handed out again this long (S-20, G-27).
pub const REUSE: Millis = 30 * MINUTE;
/// A checkout session lives this long; the provider takes at most 24 hours, and its clock is not ours.
pub const SESSION_LIFE: Millis = DAY - 5 * MINUTE;
/// A failed renewal suspends the organisation after this long.
pub const PAST_DUE_AT_MOST: Millis = 14 * DAY;
/// A suspended organisation ends after this long.
pub const SUSPENDED_AT_MOST: Millis = 30 * DAY;
/// The longest text of an account.
const TEXT_MAX: usize = 300;

/// A plan that can be bought (spec section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// Essentials, paid each month.
    EssentialsMonthly,
    /// Essentials, paid each year.
    EssentialsAnnual,
    /// Professional, paid each month.
    ProfessionalMonthly,
    /// Professional, paid each year.
    ProfessionalAnnual,
}

/// What a plan allows. `None` is without limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of stored files.
    pub storage_bytes: Option<u64>,
    /// Bytes of one file.
    pub file_bytes: Option<u64>,
    /// Staff, pending invites included.
    pub staff_seats: Option<u64>,
    /// People who joined.
    pub app_users: Option<u64>,
    /// Months of analytics kept in sight.
    pub analytics_months: Option<u32>,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self {
        storage_bytes: None,
        file_bytes: None,
        staff_seats: None,
        app_users: None,
        analytics_months: None,
    };
}

impl Plan {
    /// All plans, the smallest first.
    pub const ALL: [Self; 4] = [
        Self::EssentialsMonthly,
        Self::EssentialsAnnual,
        Self::ProfessionalMonthly,
        Self::ProfessionalAnnual,
    ];

    /// The plan's id, on the wire and as the lookup key of its price.
    pub fn id(self) -> &'static str {
        match self {
            Self::EssentialsMonthly => "essentials-monthly",
            Self::EssentialsAnnual => "essentials-annual",
            Self::ProfessionalMonthly => "professional-monthly",
            Self::ProfessionalAnnual => "professional-annual",
        }
    }

    /// The plan with this id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.id() == id)
    }

    /// The plan's title (G-20).
    pub fn title(self) -> &'static str {
        match self {
            Self::EssentialsMonthly => "Essentials Monthly",
            Self::EssentialsAnnual => "Essentials Annual",
            Self::ProfessionalMonthly => "Professional Monthly",
            Self::ProfessionalAnnual => "Professional Annual",
        }
    }

    /// What the plan allows.
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

/// How many organisations an account may hold (C-13), narrowest first.
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
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Individual => "individual",
            Self::Business => "business",
            Self::Agency => "agency",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Individual, Self::Business, Self::Agency].into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether one more organisation fits beside `live` ones.
    pub fn has_room(self, live: u64) -> bool {
        self == Self::Agency || live == 0
    }
}

/// Where a provision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProvisionState {
    /// The buyer is at the card page.
    Open,
    /// Paid.
    Active,
    /// A renewal failed less than 14 days ago.
    PastDue,
    /// Unpaid for longer.
    Suspended,
    /// Over.
    Ended,
    /// Never became active, or was paid back.
    Failed,
    /// The checkout ran out unpaid.
    Expired,
}

impl ProvisionState {
    /// The states in which the plan holds its organisation.
    pub const LIVE: [Self; 3] = [Self::Active, Self::PastDue, Self::Suspended];

    /// As stored and on the wire.
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

    /// Reads the stored word; an unknown one gives nothing.
    pub fn read(text: &str) -> Self {
        [Self::Open, Self::Active, Self::PastDue, Self::Suspended, Self::Ended, Self::Failed, Self::Expired]
            .into_iter()
            .find(|state| state.as_str() == text)
            .unwrap_or(Self::Failed)
    }

    /// Whether the plan holds an organisation.
    pub fn is_live(self) -> bool {
        Self::LIVE.contains(&self)
    }

    /// What the organisation of the plan is told; `None` while there is none.
    pub fn standing(self) -> Option<orgs::Standing> {
        match self {
            Self::Active => Some(orgs::Standing::Active),
            Self::PastDue => Some(orgs::Standing::PastDue),
            Self::Suspended => Some(orgs::Standing::Suspended),
            Self::Ended => Some(orgs::Standing::Ended),
            Self::Open | Self::Failed | Self::Expired => None,
        }
    }

    /// The state after the provider showed the subscription in `status`. What ended or failed stays so: a new
    /// purchase makes a new provision.
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
            // Never paid: nothing was given, so nothing ends.
            (Self::Open | Self::Expired, Status::Canceled | Status::IncompleteExpired) => Self::Failed,
            _ => self,
        }
    }
}

/// A billing account.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Its id.
    pub uid: Uid,
    /// How many organisations it may hold.
    pub kind: AccountType,
    /// Nick name.
    pub friendly_name: String,
    /// Payee.
    pub billing_name: String,
    /// Payee's e-mail, as typed.
    pub billing_email: String,
    /// Payee's phone, as typed.
    pub billing_phone: String,
    /// Postal address, if any.
    pub billing_address: Option<serde_json::Value>,
    /// The provider's id of the buyer, once it has one.
    pub customer: Option<String>,
    /// Who may manage it.
    pub managers: Vec<Uid>,
    /// When it was made.
    pub created_at: Millis,
}

/// One purchase of a plan, from the click to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provision {
    /// Its id; the provider's `client_reference_id`.
    pub uid: Uid,
    /// The account that pays.
    pub account: Uid,
    /// Who bought it; becomes super admin.
    pub buyer: Uid,
    /// The organisation it carries, once there is one.
    pub org: Option<Uid>,
    /// The plan; `None` where payment is switched off.
    pub plan: Option<Plan>,
    /// Where it stands.
    pub state: ProvisionState,
    /// Since when.
    pub state_since: Millis,
    /// The checkout session, once the provider made it.
    pub session: Option<String>,
    /// Where the buyer pays.
    pub session_url: Option<String>,
    /// When the session ends unpaid.
    pub session_expires: Millis,
    /// The subscription, once paid.
    pub subscription: Option<String>,
    /// When the look at the provider began whose result is stored here.
    pub synced_at: Millis,
    /// When it was made.
    pub created_at: Millis,
}

impl Provision {
    /// When to look at the provider again without being told: soon while the buyer pays, daily afterwards.
    pub fn next_look(&self, now: Millis) -> Option<Millis> {
        match self.state {
            ProvisionState::Open => Some(now + ((now - self.created_at) / 2).clamp(20 * 1_000, 60 * MINUTE)),
            state if state.is_live() => Some(now + DAY),
            _ => None,
        }
    }
}

/// What a person typed into the billing form, checked (S-18).
#[derive(Clone, Debug, PartialEq)]
pub struct NewAccount {
    pub kind: AccountType,
    pub friendly_name: String,
    pub billing_name: String,
    pub billing_email: String,
    pub billing_phone: String,
    pub billing_address: Option<serde_json::Value>,
}

/// A text of the billing form: only emptiness is wrong (spec section 5), and more than anybody types.
pub fn text(
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
            assert!(kind.has_room(0));
            assert_eq!(kind.has_room(1), kind == AccountType::Agency);
        }
        assert!(
            AccountType::Individual < AccountType::Business && AccountType::Business < AccountType::Agency
        );
    }

    #[test]
    fn a_paid_subscription_activates_whatever_happened_before_but_the_end() {
        for state in [State::Open, State::Expired, State::PastDue, State::Suspended] {
            assert_eq!(state.after(Status::Active), State::Active, "{state:?}");
        }
        assert_eq!(State::Ended.after(Status::Active), State::Ended);
        assert_eq!(State::Failed.after(Status::Active), State::Failed);
    }

    #[test]
    fn an_unpaid_one_falls_step_by_step() {
        assert_eq!(State::Active.after(Status::PastDue), State::PastDue);
        assert_eq!(State::Suspended.after(Status::PastDue), State::Suspended);
        assert_eq!(State::PastDue.after(Status::Unpaid), State::Suspended);
        assert_eq!(State::PastDue.after(Status::Canceled), State::Ended);
        assert_eq!(State::Open.after(Status::Incomplete), State::Open);
        assert_eq!(State::Open.after(Status::IncompleteExpired), State::Failed);
        assert_eq!(State::Open.after(Status::PastDue), State::Open);
    }

    #[test]
    fn states_read_back_as_stored() {
        for state in
            [State::Open, State::Active, State::PastDue, State::Suspended, State::Ended, State::Expired]
        {
            assert_eq!(State::read(state.as_str()), state);
        }
        assert_eq!(State::read("?"), State::Failed);
    }
}
