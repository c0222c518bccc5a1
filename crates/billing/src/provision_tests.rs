//! Tests of the states of a purchase.

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
        quantity: 1,
        period_end: day(130),
        cancel_at: None,
        ended_unpaid: false,
        end_reason: None,
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
    SubscriptionState { ended_unpaid: ended, ended_at, unpaid_since: Some(UNPAID_SINCE), ..answer(status) }
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
    let seats = |provision: &Provision, now| plans.limits_of(provision, day(now)).staff_seats;
    let named = |key: &str| SubscriptionState { price_key: Some(key.to_owned()), ..answer(Status::Active) };
    let mut provision = paid(100, named("professional-annual"));
    provision.follow_price(&plans);
    assert_eq!((provision.plan.as_deref(), seats(&provision, 100)), (Some("professional-annual"), Some(50)));
    provision.answer = Some(named("price-of-another-product"));
    provision.follow_price(&plans);
    assert_eq!([113, 114].map(|now| seats(&provision, now)), [Some(50), Some(5)]);
    provision.synced_at = day(120);
    provision.follow_price(&plans);
    assert_eq!(provision.price_unknown_since, Some(day(100)), "not anew with each answer");
    provision.answer = Some(named("essentials-monthly"));
    provision.follow_price(&plans);
    assert_eq!((provision.plan.as_deref(), seats(&provision, 120)), (Some("essentials-monthly"), Some(5)));
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
fn a_plan_that_changes_later_is_looked_at_then() {
    let at = day(100) + HOUR;
    let pending = Some(PendingPlan { plan: "essentials-annual".to_owned(), at });
    let provision = Provision { pending, ..paid(100, answer(Status::Active)) };
    assert_eq!(provision.next_sync_at(day(100)), Some(at));
    assert_eq!(provision.next_sync_at(day(101)), Some(day(102)), "the provider is late");
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
    assert_eq!(paid(145, answer(Status::Active)).state_at(day(145)), State::Active, "it was paid after all");
}

/// What the organisation stores gives, at any time, the standing that the purchase has.
#[test]
fn the_standing_of_the_organisation_is_that_of_the_purchase() {
    let statuses =
        [Status::Trialing, Status::Active, Status::PastDue, Status::Canceled, Status::Unpaid, Status::Paused];
    let mut compared = 0;
    for status in statuses {
        for (ended_unpaid, ended_at) in [(false, None), (false, Some(107)), (true, None), (true, Some(120))] {
            for unpaid_since in [None, Some(UNPAID_SINCE)] {
                for asked in [99, 100, 107, 113, 114, 115, 136, 137, 143, 144, 150, 160] {
                    let ended_at = ended_at.map(day);
                    let said = SubscriptionState { ended_unpaid, ended_at, unpaid_since, ..answer(status) };
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

#[test]
fn the_reason_of_a_recorded_state_stays() {
    let ended = paid(144, unpaid(Status::PastDue));
    assert_eq!(ended.reason_at(day(144)), Some(PurchaseReason::Unpaid));
    let canceled = || paid(145, answer(Status::Canceled));
    assert_eq!(canceled().reason_at(day(145)), Some(PurchaseReason::Canceled));
    // It was canceled because it had ended.
    let recorded_reason = Some(PurchaseReason::Unpaid);
    let recorded = Provision { recorded: State::Ended, recorded_reason, ..canceled() };
    assert_eq!(recorded.reason_at(day(145)), recorded_reason);
    let of_older_version = Provision { recorded_reason: None, ..recorded.clone() };
    assert_eq!(of_older_version.reason_at(day(145)), None);
    let paid_after_all = Provision { answer: Some(answer(Status::Active)), ..recorded };
    assert_eq!(paid_after_all.reason_at(day(145)), Some(PurchaseReason::Paid));
}
