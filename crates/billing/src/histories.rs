//! Whatever the provider reports, in whatever order, twice or not at all: after the next look, the state of a purchase is
//! that of the provider's truth.

#[cfg(test)]
mod tests {
    use kernel::{AccountId, DAY, OrgId, PersonId, ProvisionId, Timestamp};
    use payments::{SubscriptionState, SubscriptionStatus as Status};

    use crate::model::ProvisionState as State;
    use crate::provision::Provision;

    const HISTORIES: u64 = 2_000;
    /// Days of a history.
    const DAYS: i64 = 90;

    /// Random numbers that are the same in each run (`SplitMix64`).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }

        fn below(&mut self, end: i64) -> i64 {
            (self.next() % u64::try_from(end).unwrap()).cast_signed()
        }
    }

    fn day(day: i64) -> Timestamp {
        Timestamp::from_ms(day * DAY)
    }

    fn answer(status: Status) -> SubscriptionState {
        SubscriptionState {
            status,
            price_key: None,
            price: None,
            period_end: day(DAYS + 30),
            cancel_at: None,
            ended_unpaid: false,
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
    fn life(random: &mut Random) -> Vec<Truth> {
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
                    SubscriptionState {
                        unpaid_since,
                        ended_at,
                        ended_unpaid: true,
                        ..answer(Status::Canceled)
                    }
                }
                7 => SubscriptionState { ended_at: Some(day(now)), ..answer(Status::Canceled) },
                _ if last.is_unpaid() => continue,
                _ => SubscriptionState { unpaid_since, ..answer(Status::PastDue) },
            };
            let gives_up = next.is_unpaid() && next.status != Status::PastDue;
            truths.push(Truth {
                from: now,
                gave_up: gives_up.then_some(gave_up.unwrap_or(now)),
                answer: next,
            });
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
            (Status::Canceled, Some(first)) => {
                (first..=truth.from).map(|at| phase(at_latest.min(at))).collect()
            }
            (Status::Unpaid, Some(first)) => (first..=DAYS).map(|at| phase(at_latest.min(at))).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// The looks at the provider: on which day each was asked, in the order in which the answers arrive. Events are lost,
    /// repeated and late, and a look may be overtaken by later ones.
    fn looks(random: &mut Random, life: &[Truth]) -> Vec<i64> {
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

    fn purchase() -> Provision {
        let (uid, account, buyer) =
            (ProvisionId::from_u128(1), AccountId::from_u128(2), PersonId::from_u128(3));
        let plan = Some("essentials-monthly".to_owned());
        let begun = Provision::begun(uid, account, buyer, plan, day(0));
        Provision { org: Some(OrgId::from_u128(4)), activated_at: Some(day(0)), ..begun }
    }

    #[test]
    fn after_any_history_the_state_is_that_of_the_providers_truth() {
        let mut seen = std::collections::BTreeMap::<String, u32>::new();
        for seed in 0..HISTORIES {
            let mut random = Random(seed);
            let life = life(&mut random);
            let looks = looks(&mut random, &life);
            let mut provision = purchase();
            for asked in &looks {
                // An answer that was overtaken is dropped, as when it is applied.
                if day(*asked) >= provision.synced_at {
                    provision.synced_at = day(*asked);
                    provision.accept(truth_on(&life, *asked).answer.clone());
                }
            }
            let (state, allowed) = (provision.state_at(day(DAYS)), allowed(truth_on(&life, DAYS)));
            assert!(allowed.contains(&state), "{seed}: {state:?}, not {allowed:?}\n{looks:?}\n{life:#?}");
            *seen.entry(format!("{state:?}")).or_default() += 1;
        }
        assert!(seen.len() == 4 && seen.values().all(|count| *count > 20), "each state is reached: {seen:?}");
    }
}
