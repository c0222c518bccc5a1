//! Whatever the provider reports, in whatever order, twice or not at all: after the next look, the state of a purchase, and
//! the standing of its organisation, are those of the provider's truth.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::{DAY, PersonId, Timestamp};
use payments::{SubscriptionState, SubscriptionStatus as Status};
use testkit::Dice;

use super::*;
use crate::model::{AccountType, NewAccount, ProvisionState as State};
use crate::{FreePlan, FreeProvisions, Plans, Sales};

/// Number of histories, and on PostgreSQL, where the same rules take four times as long.
const HISTORIES: [u64; 2] = [2_000, 200];
/// Days of a history.
const DAYS: i64 = 90;

fn day(day: i64) -> Timestamp {
    Timestamp::from_ms(day * DAY)
}

fn answer(status: Status) -> SubscriptionState {
    SubscriptionState {
        status,
        price_key: None,
        price: None,
        quantity: 1,
        period_end: day(DAYS + 30),
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

/// What the provider says from a day on.
#[derive(Clone, Debug)]
struct Truth {
    from: i64,
    /// On which day it gave up the payment that is missing.
    gave_up: Option<i64>,
    answer: SubscriptionState,
}

/// Returns a random life of a subscription at the provider, which begins on day 0.
fn life(random: &mut Dice) -> Vec<Truth> {
    let mut truths = vec![Truth { from: 0, gave_up: None, answer: answer(Status::Active) }];
    let mut now = 0;
    loop {
        now += 1 + random.below(40);
        let Truth { gave_up, answer: last, .. } = truths.last().unwrap().clone();
        if now >= DAYS || last.status == Status::Canceled {
            return truths;
        }
        let unpaid_since = last.unpaid_since.or(Some(day(now)));
        let next = match random.below(8) {
            // Stripe retries, gives up, or is paid.
            0..=2 if last.is_unpaid() => answer(Status::Active),
            3 if last.is_unpaid() => SubscriptionState { unpaid_since, ..answer(Status::Unpaid) },
            4 | 5 if last.is_unpaid() => {
                let ended_at = Some(day(now));
                SubscriptionState { unpaid_since, ended_at, ended_unpaid: true, ..answer(Status::Canceled) }
            }
            7 => SubscriptionState { ended_at: Some(day(now)), ..answer(Status::Canceled) },
            _ if last.is_unpaid() => continue,
            _ => SubscriptionState { unpaid_since, ..answer(Status::PastDue) },
        };
        let gives_up = next.is_unpaid() && next.status != Status::PastDue;
        truths.push(Truth { from: now, gave_up: gives_up.then_some(gave_up.unwrap_or(now)), answer: next });
    }
}

fn truth_on(life: &[Truth], day: i64) -> &Truth {
    life.iter().rfind(|truth| truth.from <= day).unwrap()
}

/// Returns the states that the contract allows for what the provider says at the end: 14 days past due, then 30 days
/// suspended. What the provider gave up is suspended from then on; since when a subscription is `unpaid`, it does not
/// say, so any day since then will do.
fn allowed(truth: &Truth) -> Vec<State> {
    let answer = &truth.answer;
    let at_latest = answer.unpaid_since.map_or(0, Timestamp::days) + 14;
    let phase = |suspended: i64| match DAYS - suspended {
        ..0 => State::PastDue,
        0..30 => State::Suspended,
        _ => State::Ended,
    };
    match (answer.status, truth.gave_up) {
        (Status::Active, _) => vec![State::Active],
        (Status::PastDue, None) => vec![phase(at_latest)],
        (Status::Canceled, None) => vec![State::Ended],
        (Status::Canceled, Some(first)) => (first..=truth.from).map(|at| phase(at_latest.min(at))).collect(),
        (Status::Unpaid, Some(first)) => (first..=DAYS).map(|at| phase(at_latest.min(at))).collect(),
        other => panic!("{other:?}"),
    }
}

/// The looks at the provider: on which day each was asked, in the order in which the answers arrive. Events are lost,
/// repeated and late, and a look may be overtaken by later ones.
fn looks(random: &mut Dice, life: &[Truth]) -> Vec<i64> {
    let mut looks = Vec::new();
    for truth in life {
        for _ in 0..random.below(3) {
            looks.push(truth.from + random.below(DAYS - truth.from));
        }
    }
    let swaps = looks.len();
    for _ in 0..swaps {
        let (one, other) = (random.below(swaps as i64), random.below(swaps as i64));
        looks.swap(usize::try_from(one).unwrap(), usize::try_from(other).unwrap());
    }
    looks.insert(0, 0);
    // What is missed is asked for in the end.
    let at = random.below(1 + looks.len() as i64);
    looks.insert(usize::try_from(at).unwrap().max(1), DAYS);
    looks
}

/// Billing with payment off, so that no provider is asked: the answers are made here.
struct TestBilling {
    app: testkit::TestApp,
    billing: Billing,
    buyer: PersonId,
    /// The time that is day 0 of every history.
    start: Timestamp,
}

impl TestBilling {
    async fn new() -> Self {
        let sales = Sales { plans: Plans::load("").unwrap(), provider: None, free_plan: FreePlan::new(0, 0) };
        let (mut billing, sold) = (None, sales.clone());
        let app = testkit::Setup::default()
            .tables(crate::migrations())
            .provisions(move |jobs, ambient| {
                Arc::new(FreeProvisions::new(ambient.clone(), jobs.clone(), &sold))
            })
            .start(async |deps| {
                let (db, ambient, public) = (deps.db.clone(), deps.ambient.clone(), deps.public.clone());
                let (jobs, mailer, orgs) = (deps.jobs.clone(), deps.mailer.clone(), deps.orgs.clone());
                billing = Some(Billing::new(db, ambient, public, jobs, mailer, orgs, sales));
                Vec::new()
            })
            .await;
        let (billing, buyer) = (billing.unwrap(), app.person("ada@example.com").await.uid());
        let start = app.deps.ambient.now();
        Self { app, billing, buyer, start }
    }

    /// Moves the clock to this day.
    fn on(&self, day: i64) {
        self.app.clock.advance(self.at(day) - self.app.deps.ambient.now());
    }

    fn at(&self, day: i64) -> Timestamp {
        self.start + day * DAY
    }

    /// Inserts an account and its purchase, which is not paid yet.
    async fn begin(&self, tx: &WriteTx) -> ProvisionId {
        let ambient = &self.app.deps.ambient;
        let (account, uid) = (ambient.uid(), ambient.uid());
        let text = || "Acme".to_owned();
        let new = NewAccount {
            kind: AccountType::Business,
            friendly_name: text(),
            billing_name: text(),
            billing_email: text(),
            billing_phone: text(),
            billing_address: None,
        };
        store::account::insert(tx, account, self.buyer, new, None, ambient.now()).await.unwrap();
        let plan = Some("essentials-monthly".to_owned());
        let begun = Provision::begun(uid, account, self.buyer, plan, ambient.now());
        store::provision::insert(tx, &begun).await.unwrap();
        uid
    }

    /// Returns what the provider says on a day, as the look with this number.
    fn answered(&self, provision: ProvisionId, ticket: i64, day: i64, life: &[Truth]) -> ProviderState {
        let said = truth_on(life, day).answer.clone();
        let moved = |days: Option<Timestamp>| days.map(|at| self.start + at.ms());
        let state = SubscriptionState {
            period_end: self.start + said.period_end.ms(),
            ended_at: moved(said.ended_at),
            unpaid_since: moved(said.unpaid_since),
            ..said
        };
        let subscription = Subscription {
            id: format!("sub_{provision}"),
            customer: None,
            provision: Some(provision),
            account: None,
            state,
            plan_keys: vec!["essentials-monthly".to_owned()],
            scheduled: None,
        };
        let fetched_at = self.at(day);
        let subscription = Some(subscription);
        ProviderState {
            provision,
            checkout: None,
            subscription,
            ticket,
            source: None,
            live_mode: false,
            fetched_at,
        }
    }

    /// Lets the answers arrive, and checks what is stored then. Nothing of it is kept.
    async fn live(&self, life: &[Truth], looks: &[i64]) -> State {
        self.on(0);
        let tx = self.app.deps.db.write_tx().await.unwrap();
        let uid = self.begin(&tx).await;
        // The looks are numbered in the order in which they begin.
        let mut begun: Vec<usize> = (0..looks.len()).collect();
        begun.sort_by_key(|at| looks[*at]);
        let mut tickets = vec![0; looks.len()];
        for at in begun {
            tickets[at] = store::provision::take_ticket(&tx, uid).await.unwrap().unwrap();
        }
        let mut latest = 0;
        for (asked, ticket) in looks.iter().zip(tickets) {
            latest = latest.max(*asked);
            self.on(latest);
            let answer = self.answered(uid, ticket, *asked, life);
            self.billing.apply(&tx, answer, Trigger::CHECK).await.unwrap();
        }
        self.on(DAYS);
        let provision = store::provision::by_uid(&tx, uid).await.unwrap().unwrap();
        let state = provision.state_at(self.at(DAYS));
        let standing = self.billing.orgs.plan_standing(&tx, provision.org.unwrap()).await.unwrap().unwrap();
        assert_eq!(Some(standing.at(self.at(DAYS))), state.standing(), "{looks:?}\n{life:#?}");
        let journal = store::provision_change::of_provisions(&tx, &[uid]).await.unwrap();
        let mut last = State::Open;
        for (_, entry) in journal {
            assert_eq!(entry.from, last);
            last = entry.to;
        }
        assert_eq!(last, provision.recorded, "{looks:?}\n{life:#?}");
        state
    }
}

#[tokio::test]
async fn after_any_history_the_state_is_that_of_the_providers_truth() {
    let world = TestBilling::new().await;
    let mut seen = BTreeMap::<String, u64>::new();
    let on_postgres = std::env::var_os("VITRINE_TEST_POSTGRES").is_some();
    let histories = HISTORIES[usize::from(on_postgres)];
    for seed in 0..histories {
        let mut random = Dice::new(seed);
        let life = life(&mut random);
        let looks = looks(&mut random, &life);
        let (state, allowed) = (world.live(&life, &looks).await, allowed(truth_on(&life, DAYS)));
        assert!(allowed.contains(&state), "{seed}: {state:?}, not {allowed:?}\n{looks:?}\n{life:#?}");
        *seen.entry(format!("{state:?}")).or_default() += 1;
    }
    assert!(
        seen.len() == 4 && seen.values().all(|count| *count > histories / 100),
        "each state is reached: {seen:?}"
    );
    world.on(0);
    world.app.settle().await;
}
