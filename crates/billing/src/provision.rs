//! A purchase, and what follows from the provider's answers about it. Its state is never stored as a decision: it is
//! computed from what the provider said, when it was asked, and the time.

use kernel::{AccountId, DAY, HOUR, Millis, OrgId, PersonId, ProvisionId, SECOND, Timestamp};
use orgs::{PlanStanding, Standing};
use payments::{CheckoutStatus, SubscriptionState, SubscriptionStatus};

use crate::model::{ProvisionState, PurchaseReason};
use crate::plans::Plans;

/// How long a plan may be past due before its organisation is suspended.
pub const MAX_PAST_DUE: Millis = 14 * DAY;
/// How long an organisation may be suspended before its plan ends.
pub const MAX_SUSPENDED: Millis = 30 * DAY;

/// One purchase of a plan, from the first click to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provision {
    /// Also the provider's `client_reference_id`.
    pub uid: ProvisionId,
    /// The account that pays.
    pub account: AccountId,
    /// The buyer, who becomes super admin of the organisation.
    pub buyer: PersonId,
    /// The buyer's time zone, if it is known: that of the organisation's reports.
    pub time_zone: Option<String>,
    /// The organisation it pays for, set on activation.
    pub org: Option<OrgId>,
    /// Id of the plan, the last one that was known. `None` if it costs nothing, or if no plan was known yet.
    pub plan: Option<String>,
    /// Time since which the provider's price matches no plan.
    pub price_unknown_since: Option<Timestamp>,
    /// When it was paid for the first time and got its organisation.
    pub activated_at: Option<Timestamp>,
    /// When its payment was refused, because the account was full.
    pub refused_at: Option<Timestamp>,
    /// When another purchase took its place, so that its session was to be expired.
    pub replaced_at: Option<Timestamp>,
    /// The checkout session, once created at the provider.
    pub session: Option<String>,
    /// Where the buyer pays.
    pub session_url: Option<String>,
    /// When the session expires unpaid.
    pub session_expires: Timestamp,
    /// What the provider said about the session.
    pub checkout: Option<CheckoutStatus>,
    /// The subscription, once paid.
    pub subscription: Option<String>,
    /// What the provider said about the subscription.
    pub answer: Option<SubscriptionState>,
    /// When the provider gave up the payment that is missing now.
    pub given_up_at: Option<Timestamp>,
    /// The provider's account and mode that answered, once known. No other one's answers count.
    pub source: Option<String>,
    /// The plan to which it changes later.
    pub pending: Option<PendingPlan>,
    /// The ended organisation that the buyer wants back.
    pub chosen_org: Option<OrgId>,
    /// Whether the buyer asked for a new organisation.
    pub wants_new_org: bool,
    /// The number of the look whose answer is stored. The database counts looks, so that clocks do not order answers.
    pub applied_ticket: i64,
    /// When the provider was asked for the answers stored here.
    pub synced_at: Timestamp,
    /// The state in the last entry of the journal.
    pub recorded: ProvisionState,
    /// Why it entered that state; `None` if an older version recorded it.
    pub recorded_reason: Option<PurchaseReason>,
    pub created_at: Timestamp,
}

/// A plan that begins later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingPlan {
    /// Id of the plan.
    pub plan: String,
    /// When it begins.
    pub at: Timestamp,
}

/// What becomes of an unpaid subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lapse {
    suspended_from: Timestamp,
    /// When its organisation is closed, if the provider was asked then or later.
    ends_at: Timestamp,
}

impl Lapse {
    /// Returns `None` if nothing is due, or if the end was wanted.
    fn of(provision: &Provision) -> Option<Self> {
        let answer = provision.answer.as_ref().filter(|answer| answer.is_unpaid())?;
        let latest = answer.unpaid_since.unwrap_or(provision.synced_at) + MAX_PAST_DUE;
        let suspended_from = provision.given_up_at.map_or(latest, |at| at.min(latest));
        Some(Self { suspended_from, ends_at: suspended_from + MAX_SUSPENDED })
    }
}

impl Provision {
    /// Returns a purchase that has begun at `now`, without a session or an answer.
    pub fn begun(
        uid: ProvisionId,
        account: AccountId,
        buyer: PersonId,
        plan: Option<String>,
        now: Timestamp,
    ) -> Self {
        Self {
            uid,
            account,
            buyer,
            time_zone: None,
            org: None,
            plan,
            price_unknown_since: None,
            activated_at: None,
            refused_at: None,
            replaced_at: None,
            session: None,
            session_url: None,
            session_expires: now,
            checkout: None,
            subscription: None,
            answer: None,
            given_up_at: None,
            source: None,
            pending: None,
            chosen_org: None,
            wants_new_org: false,
            applied_ticket: 0,
            synced_at: now,
            recorded: ProvisionState::Open,
            recorded_reason: None,
            created_at: now,
        }
    }

    /// Returns the state at `now`.
    pub fn state_at(&self, now: Timestamp) -> ProvisionState {
        if self.refused_at.is_some() {
            return ProvisionState::Failed;
        }
        let Some(answer) = &self.answer else {
            let expired = match self.checkout {
                Some(CheckoutStatus::Expired) => true,
                Some(CheckoutStatus::Complete) => false,
                // The provider no longer has a session that it said was open.
                Some(CheckoutStatus::Open) => self.synced_at >= self.session_expires + DAY,
                None => self.synced_at >= self.session_expires,
            };
            return if self.is_free() {
                ProvisionState::Active
            } else if expired {
                ProvisionState::Expired
            } else {
                ProvisionState::Open
            };
        };
        match (answer.status, Lapse::of(self)) {
            (SubscriptionStatus::Incomplete, _) => ProvisionState::Open,
            (SubscriptionStatus::IncompleteExpired, _) => ProvisionState::Failed,
            (SubscriptionStatus::Active | SubscriptionStatus::Trialing, _) => ProvisionState::Active,
            // A purchase that never had an organisation has nothing to suspend.
            (SubscriptionStatus::Canceled, _) if self.activated_at.is_none() => ProvisionState::Ended,
            (_, None) => ProvisionState::Ended,
            (_, Some(lapse)) if self.synced_at >= lapse.ends_at => ProvisionState::Ended,
            (_, Some(lapse)) if now >= lapse.suspended_from => ProvisionState::Suspended,
            (_, Some(_)) => ProvisionState::PastDue,
        }
    }

    /// Returns why it is in its state at `now`; `None` while its buyer has not paid. What was recorded counts: a subscription
    /// that ended unpaid is canceled afterwards, and the provider then says that this was wanted.
    pub fn reason_at(&self, now: Timestamp) -> Option<PurchaseReason> {
        let state = self.state_at(now);
        if state == self.recorded && self.recorded_reason.is_some() {
            return self.recorded_reason;
        }
        Some(match state {
            ProvisionState::Open => return None,
            ProvisionState::Active if self.answer.is_none() => PurchaseReason::Free,
            ProvisionState::Active => PurchaseReason::Paid,
            ProvisionState::PastDue => PurchaseReason::PaymentFailed,
            ProvisionState::Suspended if self.suspends_at() == self.given_up_at => PurchaseReason::GivenUp,
            ProvisionState::Suspended => PurchaseReason::Unpaid,
            // One that never had an organisation was not suspended before.
            ProvisionState::Ended if self.is_unpaid() && self.activated_at.is_some() => {
                PurchaseReason::Unpaid
            }
            // An older version recorded the end, and it may have canceled the subscription itself.
            ProvisionState::Ended if self.recorded == state => return None,
            ProvisionState::Ended => PurchaseReason::Canceled,
            ProvisionState::Failed if self.refused_at.is_some() => PurchaseReason::AccountFull,
            ProvisionState::Failed => PurchaseReason::NotConfirmed,
            ProvisionState::Expired if self.replaced_at.is_some() => PurchaseReason::Replaced,
            ProvisionState::Expired => PurchaseReason::SessionExpired,
        })
    }

    /// Returns since when the invoice is unpaid that is the reason of its state at `now`.
    pub fn owes_since(&self, now: Timestamp) -> Option<Timestamp> {
        self.reason_at(now).filter(|reason| reason.is_debt())?;
        self.answer.as_ref()?.unpaid_since
    }

    /// Returns whether it was granted while payment was off.
    pub fn is_free(&self) -> bool {
        self.plan.is_none() && self.subscription.is_none()
    }

    /// Takes the plan whose price the provider named. Keeps the plan if the price is unknown.
    pub fn follow_price(&mut self, plans: &Plans) {
        let Some(answer) = &self.answer else { return };
        match answer.price_key.as_deref().filter(|key| plans.get(key).is_some()) {
            Some(key) => {
                self.plan = Some(key.to_owned());
                self.price_unknown_since = None;
            }
            None => {
                self.price_unknown_since.get_or_insert(self.synced_at);
            }
        }
    }

    /// Returns whether its subscription has not ended at the provider.
    pub fn has_open_subscription(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.status != SubscriptionStatus::Canceled)
    }

    /// Returns whether an invoice is due, or was when its subscription ended.
    pub fn is_unpaid(&self) -> bool {
        self.answer.as_ref().is_some_and(SubscriptionState::is_unpaid)
    }

    /// Returns whether it was made in another account or mode of the provider than this one.
    pub fn is_foreign_to(&self, source: Option<&str>) -> bool {
        let (Some(made_in), Some(source)) = (self.source.as_deref(), source) else { return false };
        made_in != source
    }

    /// Returns whether its organisation works or can be paid for.
    pub fn is_live_at(&self, now: Timestamp) -> bool {
        self.state_at(now).is_live()
    }

    /// Returns whether it occupies one of the account's organisations. One that the provider has ended as unpaid does
    /// not, though it is suspended for a time: buying again is the only way to pay.
    pub fn is_in_force_at(&self, now: Timestamp) -> bool {
        self.is_live_at(now) && (self.answer.is_none() || self.has_open_subscription())
    }

    /// Applies what the provider reports now. A debt from an earlier answer remains until it is paid.
    pub fn accept(&mut self, mut answer: SubscriptionState) {
        let before = self.answer.take().filter(SubscriptionState::is_unpaid);
        if answer.is_unpaid() {
            let since = before.and_then(|before| before.unpaid_since);
            answer.unpaid_since = answer.unpaid_since.or(since).or(Some(self.synced_at));
        }
        self.given_up_at = match answer.status {
            SubscriptionStatus::Unpaid | SubscriptionStatus::Paused | SubscriptionStatus::Canceled
                if answer.is_unpaid() =>
            {
                let at = answer.ended_at.unwrap_or(self.synced_at);
                Some(self.given_up_at.map_or(at, |before| before.min(at)))
            }
            _ => None,
        };
        self.answer = Some(answer);
    }

    /// Returns the standing that the organisation gets by the last answer, or `None` if the purchase gives none.
    pub fn plan_standing(&self) -> Option<PlanStanding> {
        let answered = self.state_at(self.synced_at).standing()?;
        let lapse = Lapse::of(self).filter(|_| answered == Standing::PastDue);
        let suspended_from = lapse.map(|lapse| lapse.suspended_from);
        Some(PlanStanding { answered, suspended_from })
    }

    /// Returns when its organisation is suspended if nothing is paid, or was.
    pub fn suspends_at(&self) -> Option<Timestamp> {
        Lapse::of(self).map(|lapse| lapse.suspended_from)
    }

    /// Returns when it ends, if that is known: because nothing is paid, or because it was chosen.
    pub fn planned_end(&self) -> Option<Timestamp> {
        let answer = self.answer.as_ref()?;
        Lapse::of(self).map(|lapse| lapse.ends_at).or(answer.ended_at).or(answer.cancel_at)
    }

    /// Returns when it ended, for one that has.
    pub fn ended_at(&self) -> Timestamp {
        let lapse = Lapse::of(self).map(|lapse| lapse.ends_at);
        lapse.or(self.answer.as_ref().and_then(|answer| answer.ended_at)).unwrap_or(self.synced_at)
    }

    /// Returns when to ask the provider next if no webhook arrives: soon while the buyer pays, then daily and when
    /// the plan is to end. One that has ended is asked about until its subscription has, too.
    pub fn next_sync_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.is_free() {
            return None;
        }
        let change = self.pending.as_ref().map(|pending| pending.at).filter(|at| *at > now);
        let tomorrow = change.map_or(now + DAY, |at| at.min(now + DAY));
        match self.state_at(now) {
            ProvisionState::Open => Some(now + ((now - self.created_at) / 2).clamp(20 * SECOND, 6 * HOUR)),
            ProvisionState::Expired | ProvisionState::Failed => None,
            ProvisionState::Ended => self.has_open_subscription().then_some(tomorrow),
            ProvisionState::Active | ProvisionState::PastDue | ProvisionState::Suspended => {
                Some(Lapse::of(self).map_or(tomorrow, |lapse| lapse.ends_at.min(tomorrow)))
            }
        }
    }
}

#[cfg(test)]
#[path = "provision_tests.rs"]
mod tests;
