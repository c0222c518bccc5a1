//! A purchase, and what follows from the provider's answers about it. Its state is never stored as a decision: it is
//! computed from what the provider said, when it was asked, and the time.

use kernel::{AccountId, DAY, HOUR, Millis, OrgId, PersonId, ProvisionId, SECOND, Timestamp};
use orgs::{PlanStanding, Standing};
use payments::{CheckoutStatus, SubscriptionState, SubscriptionStatus};

use crate::model::ProvisionState;
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
    /// Id of the plan, the last one that was known; `None` if payment is off.
    pub plan: Option<String>,
    /// Time since which the provider's price matches no plan.
    pub price_unknown_since: Option<Timestamp>,
    /// When it was paid for the first time and got its organisation.
    pub activated_at: Option<Timestamp>,
    /// When its payment was refused, because the account was full.
    pub refused_at: Option<Timestamp>,
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
            return match &self.plan {
                None => ProvisionState::Active,
                Some(_) if expired => ProvisionState::Expired,
                Some(_) => ProvisionState::Open,
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

    /// Returns the standing that the organisation gets by the last answer, or `None` if there is none to get.
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
        // Without payment there is no one to ask.
        self.plan.as_ref()?;
        let tomorrow = now + DAY;
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
mod tests {
    use super::*;
    use ProvisionState as State;
    use SubscriptionStatus as Status;

    const UNPAID_SINCE: Timestamp = day(100);

    const fn day(day: i64) -> Timestamp {
        Timestamp::from_ms(day * DAY)
    }

    /// A purchase whose provider was asked on this day.
    fn purchase(asked: i64) -> Provision {
        let (uid, account) = (ProvisionId::from_u128(1), AccountId::from_u128(2));
        let plan = Some("essentials-monthly".to_owned());
        let begun = Provision::begun(uid, account, PersonId::from_u128(3), plan, day(0));
        Provision { session_expires: day(1), synced_at: day(asked), ..begun }
    }

    fn answer(status: Status) -> SubscriptionState {
        SubscriptionState {
            status,
            price_key: None,
            price: None,
            period_end: day(130),
            cancel_at: None,
            ended_unpaid: false,
            ended_at: None,
            unpaid_since: None,
            attempts: 0,
            next_attempt_at: None,
            live_mode: false,
        }
    }

    /// A purchase that once was paid, and what the provider said about it on this day.
    fn paid(asked: i64, answer: SubscriptionState) -> Provision {
        let org = Some(OrgId::from_u128(4));
        let mut provision = Provision { org, activated_at: Some(day(0)), ..purchase(asked) };
        provision.accept(answer);
        provision
    }

    fn unpaid(status: Status) -> SubscriptionState {
        let ended = status == Status::Canceled;
        let ended_at = ended.then_some(day(107));
        SubscriptionState {
            ended_unpaid: ended,
            ended_at,
            unpaid_since: Some(UNPAID_SINCE),
            ..answer(status)
        }
    }

    #[test]
    fn an_unpaid_checkout_expires_by_the_provider_or_if_it_has_none() {
        assert_eq!(purchase(0).state_at(day(9)), State::Open, "the provider was not asked since");
        assert_eq!(purchase(1).state_at(day(9)), State::Expired);
        let open = |asked| Provision { checkout: Some(CheckoutStatus::Open), ..purchase(asked) };
        assert_eq!(open(1).state_at(day(9)), State::Open);
        assert_eq!(open(2).state_at(day(9)), State::Expired, "the provider no longer has it");
        let expired = Provision { checkout: Some(CheckoutStatus::Expired), ..purchase(0) };
        assert_eq!(expired.state_at(day(0)), State::Expired);
        let paid = Provision { answer: Some(answer(Status::Active)), ..expired };
        assert_eq!(paid.state_at(day(0)), State::Active);
    }

    #[test]
    fn a_subscription_that_was_never_paid_has_nothing_to_end() {
        let state = |status| Provision { answer: Some(answer(status)), ..purchase(0) }.state_at(day(0));
        assert_eq!(state(Status::Incomplete), State::Open);
        assert_eq!(state(Status::IncompleteExpired), State::Failed);
        assert_eq!(state(Status::Canceled), State::Ended);
        let ended = Provision { activated_at: None, ..paid(108, unpaid(Status::Canceled)) };
        assert_eq!(ended.state_at(day(108)), State::Ended, "there is no organisation to suspend");
        // At the provider it was paid once, so it is delivered, however late that is seen.
        let late = Provision { activated_at: None, ..paid(101, unpaid(Status::PastDue)) };
        assert_eq!(late.state_at(day(101)), State::PastDue);
    }

    #[test]
    fn a_plan_is_past_due_for_14_days_and_suspended_for_30() {
        let asked_daily = |day_: i64| paid(day_, unpaid(Status::PastDue)).state_at(day(day_));
        assert_eq!([100, 113].map(asked_daily), [State::PastDue; 2]);
        assert_eq!([114, 143].map(asked_daily), [State::Suspended; 2]);
        assert_eq!(asked_daily(144), State::Ended);
    }

    #[test]
    fn time_suspends_and_only_an_answer_ends() {
        let last_asked = paid(101, unpaid(Status::PastDue));
        assert_eq!(last_asked.state_at(day(114)), State::Suspended);
        assert_eq!(last_asked.state_at(day(900)), State::Suspended);
        assert_eq!(last_asked.next_sync_at(day(101)), Some(day(102)));
        assert_eq!(last_asked.next_sync_at(day(900)), Some(day(144)), "at once");
    }

    #[test]
    fn a_plan_that_the_provider_gave_up_is_suspended_at_once() {
        assert_eq!(paid(107, unpaid(Status::Unpaid)).state_at(day(107)), State::Suspended);
        let ended = |asked: i64| paid(asked, unpaid(Status::Canceled)).state_at(day(asked));
        assert_eq!([107, 136].map(ended), [State::Suspended; 2], "30 days from the provider's end");
        assert_eq!(ended(137), State::Ended);
        let wanted = SubscriptionState { ended_unpaid: false, ..unpaid(Status::Canceled) };
        assert_eq!(paid(107, wanted).state_at(day(107)), State::Ended);
    }

    #[test]
    fn the_price_at_the_provider_decides_and_an_unknown_one_counts_for_14_days() {
        let plans = Plans::load("").unwrap();
        let seats = |provision: &Provision, now| plans.limits_of(provision, day(now)).unwrap().staff_seats;
        let named =
            |key: &str| SubscriptionState { price_key: Some(key.to_owned()), ..answer(Status::Active) };
        let mut provision = paid(100, named("professional-annual"));
        provision.follow_price(&plans);
        assert_eq!(
            (provision.plan.as_deref(), seats(&provision, 100)),
            (Some("professional-annual"), Some(50))
        );
        provision.answer = Some(named("price-of-another-product"));
        provision.follow_price(&plans);
        assert_eq!([113, 114].map(|now| seats(&provision, now)), [Some(50), Some(5)]);
        provision.synced_at = day(120);
        provision.follow_price(&plans);
        assert_eq!(provision.price_unknown_since, Some(day(100)), "not anew with each answer");
        provision.answer = Some(named("essentials-monthly"));
        provision.follow_price(&plans);
        assert_eq!(
            (provision.plan.as_deref(), seats(&provision, 120)),
            (Some("essentials-monthly"), Some(5))
        );
        let removed = Provision { plan: Some("gold".to_owned()), ..provision };
        assert_eq!(seats(&removed, 120), Some(5), "a plan that is no longer sold has the smallest limits");
    }

    /// Answers of the provider, one a day.
    fn daily(days: std::ops::RangeInclusive<i64>, said: &SubscriptionState) -> Provision {
        let mut provision = paid(*days.start(), said.clone());
        for asked in days {
            provision.synced_at = day(asked);
            provision.accept(said.clone());
        }
        provision
    }

    #[test]
    fn an_arrear_without_an_open_invoice_ends_as_well() {
        let without = |status| SubscriptionState { unpaid_since: None, ..unpaid(status) };
        let state = |until: i64, status| daily(100..=until, &without(status)).state_at(day(until));
        assert_eq!([113, 114].map(|day| state(day, Status::PastDue)), [State::PastDue, State::Suspended]);
        assert_eq!([143, 144].map(|day| state(day, Status::PastDue)), [State::Suspended, State::Ended]);
        for status in [Status::Unpaid, Status::Paused] {
            assert_eq!(
                [100, 129, 130].map(|day| state(day, status)),
                [State::Suspended, State::Suspended, State::Ended]
            );
        }
    }

    #[test]
    fn the_30_days_begin_once_and_a_payment_begins_everything_anew() {
        // Given up on day 107, and ended by the provider on day 120, when no invoice is open any more.
        let mut provision = daily(107..=119, &unpaid(Status::Unpaid));
        let ended =
            SubscriptionState { unpaid_since: None, ended_at: Some(day(120)), ..unpaid(Status::Canceled) };
        provision.synced_at = day(136);
        provision.accept(ended.clone());
        assert_eq!(provision.state_at(day(136)), State::Suspended);
        provision.synced_at = day(137);
        provision.accept(ended);
        assert_eq!(provision.state_at(day(137)), State::Ended);
        assert!(!provision.is_in_force_at(day(136)));

        let mut provision = daily(107..=119, &unpaid(Status::Unpaid));
        provision.accept(answer(Status::Active));
        provision.synced_at = day(200);
        provision.accept(SubscriptionState { unpaid_since: None, ..unpaid(Status::PastDue) });
        assert_eq!((provision.state_at(day(200)), provision.given_up_at), (State::PastDue, None));
        assert_eq!(provision.answer.unwrap().unpaid_since, Some(day(200)));
    }

    #[test]
    fn a_refused_payment_stays_failed() {
        let refused = Provision { refused_at: Some(day(1)), ..paid(2, answer(Status::Active)) };
        assert_eq!((refused.state_at(day(2)), refused.plan_standing()), (State::Failed, None));
        assert_eq!(refused.next_sync_at(day(2)), None);
    }

    #[test]
    fn one_that_ended_is_asked_about_until_its_subscription_has_ended() {
        let ended = paid(144, unpaid(Status::PastDue));
        assert_eq!(ended.next_sync_at(day(144)), Some(day(145)));
        assert_eq!(paid(145, answer(Status::Canceled)).next_sync_at(day(145)), None);
        assert_eq!(
            paid(145, answer(Status::Active)).state_at(day(145)),
            State::Active,
            "it was paid after all"
        );
    }

    /// The organisation's stored standing always matches the purchase's.
    #[test]
    fn the_standing_of_the_organisation_is_that_of_the_purchase() {
        let statuses = [
            Status::Trialing,
            Status::Active,
            Status::PastDue,
            Status::Canceled,
            Status::Unpaid,
            Status::Paused,
        ];
        let mut compared = 0;
        for status in statuses {
            for (ended_unpaid, ended_at) in
                [(false, None), (false, Some(107)), (true, None), (true, Some(120))]
            {
                for unpaid_since in [None, Some(UNPAID_SINCE)] {
                    for asked in [99, 100, 107, 113, 114, 115, 136, 137, 143, 144, 150, 160] {
                        let ended_at = ended_at.map(day);
                        let said =
                            SubscriptionState { ended_unpaid, ended_at, unpaid_since, ..answer(status) };
                        let provision = paid(asked, said);
                        let stored = provision.plan_standing().unwrap();
                        for now in asked..asked + 70 {
                            let expected = provision.state_at(day(now)).standing();
                            assert_eq!(Some(stored.at(day(now))), expected, "{provision:?} on day {now}");
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(compared, 6 * 4 * 2 * 12 * 70);
    }
}
