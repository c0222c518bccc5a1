//! A manual clock and reproducible randomness.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use kernel::{Clock, Millis, Random, Timestamp};

/// Clock that only tests advance.
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Creates a clock set to `at`.
    pub fn new(at: Timestamp) -> Self {
        Self(AtomicI64::new(at.ms()))
    }

    /// Advances the clock.
    pub fn advance(&self, by: Millis) {
        self.0.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

/// What splitmix64 adds before each number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Random source that produces the same bytes in every run (splitmix64).
#[derive(Default)]
pub struct SeededRandom(AtomicU64);

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = mixed(self.0.fetch_add(STEP, Ordering::SeqCst));
            chunk.copy_from_slice(&word.to_be_bytes()[..chunk.len()]);
        }
    }
}

/// Random choices that are the same in every run with the same seed (splitmix64).
pub struct Dice(u64);

impl Dice {
    /// Begins the choices of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number from 0 to `end`, without `end`.
    pub fn below<N: TryFrom<u64> + TryInto<u64>>(&mut self, end: N) -> N {
        self.0 = self.0.wrapping_add(STEP);
        let end = end.try_into().ok().filter(|end| *end > 0).expect("there is nothing to choose from");
        N::try_from(mixed(self.0) % end).ok().expect("it is less than `end`")
    }

    /// Returns one of the values; `None` if there are none.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { Some(&all[self.below(all.len())]) }
    }
}
