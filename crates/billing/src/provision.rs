//! A purchase, and what follows from the provider's answers about it. Its state is never stored as a decision: it is
//! computed from what the provider said, when it was asked, and the time.

use kernel::{AccountId, DAY, MINUTE, Millis, OrgId, PersonId, ProvisionId, SECOND, Timestamp};
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
    /// Since when the provider names a price that is no plan's.
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
    /// When the provider was asked for the answers stored here. Answers are ordered by this time.
    pub synced_at: Timestamp,
    /// The state in the last entry of the journal.
    pub recorded: ProvisionState,
    pub created_at: Timestamp,
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
    fn of(answer: &SubscriptionState, asked_at: Timestamp) -> Option<Self> {
        let latest = answer.unpaid_since.unwrap_or(asked_at) + MAX_PAST_DUE;
        let suspended_from = match answer.status {
            SubscriptionStatus::PastDue => latest,
            SubscriptionStatus::Unpaid | SubscriptionStatus::Paused => latest.min(asked_at),
            SubscriptionStatus::Canceled if answer.ended_unpaid => {
                latest.min(answer.ended_at.unwrap_or(asked_at))
            }
            _ => return None,
        };
        Some(Self { suspended_from, ends_at: suspended_from + MAX_SUSPENDED })
    }
}

impl Provision {
    /// Returns the state at `now`.
    pub fn state_at(&self, now: Timestamp) -> ProvisionState {
        if self.refused_at.is_some() {
            return ProvisionState::Failed;
        }
        let Some(answer) = &self.answer else {
            let expired = self.checkout == Some(CheckoutStatus::Expired)
                || self.checkout.is_none() && self.synced_at >= self.session_expires;
            return match &self.plan {
                None => ProvisionState::Active,
                Some(_) if expired => ProvisionState::Expired,
                Some(_) => ProvisionState::Open,
            };
        };
        match (answer.status, Lapse::of(answer, self.synced_at)) {
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

    /// Returns whether it occupies one of the account's organisations.
    pub fn is_live_at(&self, now: Timestamp) -> bool {
        self.state_at(now).is_live()
    }

    /// Returns the standing that the organisation gets by the last answer, or `None` if there is none to get.
    pub fn plan_standing(&self) -> Option<PlanStanding> {
        let answered = self.state_at(self.synced_at).standing()?;
        let lapse = self.answer.as_ref().and_then(|answer| Lapse::of(answer, self.synced_at));
        let suspended_from =
            lapse.filter(|_| answered == Standing::PastDue).map(|lapse| lapse.suspended_from);
        Some(PlanStanding { answered, suspended_from })
    }

    /// Returns when it ended, for one that has.
    pub fn ended_at(&self) -> Timestamp {
        let answer = self.answer.as_ref();
        let lapse = answer.and_then(|answer| Lapse::of(answer, self.synced_at)).map(|lapse| lapse.ends_at);
        lapse.or(answer.and_then(|answer| answer.ended_at)).unwrap_or(self.synced_at)
    }

    /// Returns when to ask the provider next if no webhook arrives: soon while the buyer pays, then daily and when
    /// the plan is to end. One that has ended is asked about until its subscription has, too.
    pub fn next_sync_at(&self, now: Timestamp) -> Option<Timestamp> {
        // Without payment there is no one to ask.
        self.plan.as_ref()?;
        let tomorrow = now + DAY;
        match self.state_at(now) {
            ProvisionState::Open => Some(now + ((now - self.created_at) / 2).clamp(20 * SECOND, 60 * MINUTE)),
            ProvisionState::Expired | ProvisionState::Failed => None,
            ProvisionState::Ended => self.has_open_subscription().then_some(tomorrow),
            ProvisionState::Active | ProvisionState::PastDue | ProvisionState::Suspended => {
                let answer = self.answer.as_ref()?;
                let end = Lapse::of(answer, self.synced_at).map(|lapse| lapse.ends_at);
                Some(end.map_or(tomorrow, |end| end.min(tomorrow)))
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
        Provision {
            uid: ProvisionId::from_u128(1),
            account: AccountId::from_u128(2),
            buyer: PersonId::from_u128(3),
            time_zone: None,
            org: None,
            plan: Some("essentials-monthly".to_owned()),
            price_unknown_since: None,
            activated_at: None,
            refused_at: None,
            session: None,
            session_url: None,
            session_expires: day(1),
            checkout: None,
            subscription: None,
            answer: None,
            synced_at: day(asked),
            recorded: State::Open,
            created_at: day(0),
        }
    }

    fn answer(status: Status) -> SubscriptionState {
        SubscriptionState {
            status,
            price_key: None,
            quantity: 1,
            period_end: day(130),
            cancel_at: None,
            ended_unpaid: false,
            ended_at: None,
            unpaid_since: None,
            live_mode: false,
        }
    }

    /// A purchase that once was paid, and what the provider said about it on this day.
    fn paid(asked: i64, answer: SubscriptionState) -> Provision {
        let org = Some(OrgId::from_u128(4));
        Provision { org, activated_at: Some(day(0)), answer: Some(answer), ..purchase(asked) }
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
        let open = Provision { checkout: Some(CheckoutStatus::Open), ..purchase(1) };
        assert_eq!(open.state_at(day(9)), State::Open);
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
        let ended = Provision { answer: Some(unpaid(Status::Canceled)), ..purchase(108) };
        assert_eq!(ended.state_at(day(108)), State::Ended, "there is no organisation to suspend");
        // At the provider it was paid once, so it is delivered, however late that is seen.
        let late = Provision { answer: Some(unpaid(Status::PastDue)), ..purchase(101) };
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

    /// What the organisation stores gives, at any time, the standing that the purchase has.
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
