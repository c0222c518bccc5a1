//! The sources of time, randomness and new ids.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use parking_lot::Mutex;
use rand::TryRngCore;

use crate::{Millis, Timestamp, Uid};

/// A source of the current time. Sandbox and tests replace it; nothing else reads the wall clock.
pub trait Clock: Send + Sync + 'static {
    /// Returns the current instant.
    fn now(&self) -> Timestamp;
}

/// A source of random bytes.
pub trait Random: Send + Sync + 'static {
    /// Fills the whole slice.
    fn fill(&self, bytes: &mut [u8]);
}

/// The system clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    fn now(&self) -> Timestamp {
        std::time::SystemTime::now().into()
    }
}

/// The system clock, corrected to that of another machine: servers that share a database follow its clock.
#[derive(Default)]
pub struct FollowingClock {
    ahead: AtomicI64,
}

impl FollowingClock {
    /// Sets by how much the other clock is ahead of the system's.
    pub fn follow(&self, ahead: Millis) {
        self.ahead.store(ahead, Ordering::SeqCst);
    }

    /// Returns by how much the system's clock is corrected.
    pub fn correction(&self) -> Millis {
        self.ahead.load(Ordering::SeqCst)
    }
}

impl Clock for FollowingClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + self.ahead.load(Ordering::SeqCst)
    }
}

/// Another clock, moved by an offset: the sandbox's test clock. Once it is in use, the offset never decreases.
pub struct OffsetClock {
    inner: Arc<dyn Clock>,
    offset: AtomicI64,
}

impl OffsetClock {
    /// Creates a clock that is `offset` milliseconds ahead of `inner`, or behind it if `offset` is negative.
    pub fn new(inner: Arc<dyn Clock>, offset: Millis) -> Self {
        Self { inner, offset: AtomicI64::new(offset) }
    }

    /// Sets the offset. Call it before anything uses the time: ids never fall behind those made before.
    pub fn start_at(&self, offset: Millis) {
        self.offset.store(offset, Ordering::SeqCst);
    }

    /// Moves the clock forward and returns the new offset. Negative amounts are ignored.
    pub fn advance(&self, by: Millis) -> Millis {
        self.offset.fetch_add(by.max(0), Ordering::SeqCst) + by.max(0)
    }
}

impl Clock for OffsetClock {
    fn now(&self) -> Timestamp {
        self.inner.now() + self.offset.load(Ordering::SeqCst)
    }
}

/// The operating system's random number generator.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // The operating system's generator fails only before it is seeded at boot. Continuing with zeros
        // would be a security hole, so the process aborts.
        if rand::rngs::OsRng.try_fill_bytes(bytes).is_err() {
            std::process::abort();
        }
    }
}

/// Time, randomness and ids, injected into every crate. Clones share their state.
#[derive(Clone)]
pub struct Ambient {
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    /// Milliseconds and counter of the last id, so ids strictly ascend within a process.
    last: Arc<Mutex<(u64, u32)>>,
}

impl Ambient {
    /// Creates an instance from the given sources.
    pub fn new(clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self { clock, random, last: Arc::new(Mutex::new((0, 0))) }
    }

    /// Uses the system clock and the operating system's random number generator.
    pub fn system() -> Self {
        Self::new(Arc::new(SystemClock), Arc::new(SystemRandom))
    }

    /// Returns the current instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// Returns a code that cannot be guessed, for links and one-time secrets: 128 random bits as 22 characters.
    pub fn code(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<16>())
    }

    /// Creates a UUIDv7 whose 18 bits after the timestamp count within one millisecond, so the ids of this
    /// process strictly ascend even if the clock stops or is set back.
    pub fn uid<T: From<Uid>>(&self) -> T {
        let now = u64::try_from(self.now().ms()).unwrap_or(0);
        let (ms, counter) = {
            let mut last = self.last.lock();
            *last = match *last {
                (ms, _) if now > ms => (now, 0),
                (ms, counter) if counter < 0x3_ffff => (ms, counter + 1),
                (ms, _) => (ms + 1, 0),
            };
            *last
        };
        let mut bytes: [u8; 16] = self.bytes();
        bytes[..6].copy_from_slice(&ms.to_be_bytes()[2..]);
        // The 18 counter bits after the timestamp: 4 beside the version, 8, and 6 beside the variant.
        let [_, high, middle, low] = (counter << 2).to_be_bytes();
        bytes[6] = 0x70 | (high & 0x0f);
        bytes[7] = middle;
        bytes[8] = 0x80 | (low >> 2);
        Uid::from_bytes(bytes).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(AtomicI64);
    impl Clock for Fixed {
        fn now(&self) -> Timestamp {
            Timestamp::from_ms(self.0.load(Ordering::SeqCst))
        }
    }

    #[test]
    fn ids_ascend_while_the_clock_stops_and_when_it_is_set_back() {
        let clock = Arc::new(Fixed(AtomicI64::new(1_700_000_000_000)));
        let ambient = Ambient::new(clock.clone(), Arc::new(SystemRandom));
        let mut ids: Vec<Uid> = (0..300_000).map(|_| ambient.uid()).collect();
        clock.0.store(1_600_000_000_000, Ordering::SeqCst);
        ids.push(ambient.uid());
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn the_offset_clock_never_goes_backwards() {
        let clock = OffsetClock::new(Arc::new(Fixed(AtomicI64::new(100))), -5);
        assert_eq!(clock.now().ms(), 95);
        clock.advance(-50);
        assert_eq!(clock.now().ms(), 95);
        clock.advance(50);
        assert_eq!(clock.now().ms(), 145);
    }
}
