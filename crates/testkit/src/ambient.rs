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

/// Random source that produces the same bytes in every run (splitmix64).
#[derive(Default)]
pub struct SeededRandom(AtomicU64);

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let mut word = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(word ^ (word >> 31)).to_be_bytes()[..chunk.len()]);
        }
    }
}
