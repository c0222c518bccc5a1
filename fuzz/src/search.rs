//! Generates values until one fails, or the time is up.

use std::env;
use std::fmt::Debug;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

/// Values per seed.
const CASES: u32 = 300;

/// Which values are generated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Seed of the first round; every further round takes the next number.
    pub(crate) seed: u64,
    /// Time after which no further round starts. Without it, one round runs.
    time: Option<Duration>,
}

impl Plan {
    /// Returns the plan of `VITRINE_FUZZ_SECONDS` and `VITRINE_FUZZ_SEED`. Without them, every run generates the same values,
    /// so that the tests of a commit always give the same result.
    pub(crate) fn from_env() -> Self {
        let number = |name: &str| {
            let text = env::var(name).ok()?;
            Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name} must be a number, not {text}")))
        };
        let time = number("VITRINE_FUZZ_SECONDS").map(Duration::from_secs);
        // A new state is seeded by the system. Small numbers are easier to copy.
        let random = || RandomState::new().build_hasher().finish() >> 24;
        let seed = number("VITRINE_FUZZ_SEED").unwrap_or_else(|| if time.is_some() { random() } else { 0 });
        Self { seed, time }
    }

    /// Returns the plan for generated values: there are fewer that differ in what they show than among
    /// mutations.
    pub(crate) fn shorter(self) -> Self {
        Self { time: self.time.map(|time| time / 6), ..self }
    }
}

/// A property that does not hold.
#[derive(Debug)]
pub(crate) struct FailedProperty<V> {
    /// Seed of the round.
    pub(crate) seed: u64,
    /// Message of the failed assertion.
    pub(crate) reason: String,
    /// The smallest input found for which it fails.
    pub(crate) input: V,
}

/// Returns the number of values checked, or the first failure.
pub(crate) fn search<S: Strategy>(
    plan: Plan,
    strategy: &S,
    property: impl Fn(&S::Value),
) -> Result<u64, FailedProperty<S::Value>> {
    let begin = Instant::now();
    let mut seed = plan.seed;
    let mut inputs = 0;
    loop {
        let config = Config {
            cases: CASES,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None,
            max_shrink_iters: 20_000,
            max_shrink_time: 30_000,
            ..Config::default()
        };
        let outcome = TestRunner::new(config).run(strategy, |value| {
            property(&value);
            Ok(())
        });
        match outcome {
            Ok(()) => inputs += u64::from(CASES),
            Err(TestError::Fail(reason, input)) => {
                return Err(FailedProperty { seed, reason: reason.to_string(), input });
            }
            Err(TestError::Abort(reason)) => panic!("no values with seed {seed}: {reason}"),
        }
        seed = seed.wrapping_add(1);
        if plan.time.is_none_or(|time| begin.elapsed() >= time) {
            return Ok(inputs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reduced_and_its_seed_repeats_it() {
        let find = |seed| {
            search(Plan { seed, time: Some(Duration::from_mins(1)) }, &(0_u32..1_000_000), |value| {
                assert!(*value < 900, "too large");
            })
            .unwrap_err()
        };
        let first = find(5);
        assert_eq!((first.input, first.reason.as_str()), (900, "too large"));
        let again = find(first.seed);
        assert_eq!((again.seed, again.input), (first.seed, 900));
    }

    #[test]
    fn without_a_time_one_round_runs() {
        assert_eq!(search(Plan { seed: 0, time: None }, &proptest::bool::ANY, |_| ()).unwrap(), CASES.into());
    }
}
