//! Throttling of password attempts: repeated guesses wait longer each time, and no one is locked out.
//!
//! Attempts are counted by client address, and by client address and email together. A stranger's guesses
//! must not lock out the owner, so the email alone never causes a delay. An attempt counts from its start, so
//! making a hundred at once gains nothing. The count of a client address decays, so an office where many
//! people mistype now and then is not blocked.
//!
//! Guesses at one account from many client addresses are also counted by its email, but with a high limit:
//! after a hundred wrong ones in an hour its password is refused until the hour is over or the owner has used
//! a magic link, which a stranger cannot prevent.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;

use kernel::{Email, HOUR, MINUTE, Millis, SECOND, Timestamp};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Attempts without a delay, per client address and per pair of client address and email.
const FREE_PER_IP: u32 = 10;
const FREE_PER_PAIR: u32 = 3;
/// The longest delay.
const DELAY_MAX: Millis = MINUTE;
/// After this long without an attempt the count is forgotten.
const RESET_AFTER: Millis = 15 * MINUTE;
/// The time in which the count of a client address decreases by one.
const DECAY_INTERVAL: Millis = 30 * SECOND;
/// Wrong passwords for one account per hour, from all client addresses.
const GUESSES_PER_ACCOUNT: u32 = 100;
/// Number of entries from which expired ones are removed, and from which entries with one attempt are too.
const SWEEP_AT: usize = 10_000;
const ENTRIES_MAX: usize = 100_000;

/// Counts of password attempts, kept in memory.
#[derive(Default)]
pub struct LoginThrottle(Mutex<Counters>);

#[derive(Default)]
struct Counters {
    by_ip: HashMap<IpAddr, Attempts>,
    by_pair: HashMap<Pair, Attempts>,
    by_account: HashMap<EmailHash, Guesses>,
    swept_at: Timestamp,
}

/// A client address and an email together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pair {
    ip: IpAddr,
    email: EmailHash,
}

/// Half the hash of an address, which is enough to distinguish addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct EmailHash([u8; 16]);

impl EmailHash {
    fn of(email: &Email) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&Sha256::digest(email.as_str())[..16]);
        Self(half)
    }
}

/// Why a password is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThrottleError {
    /// Seconds until the next attempt is allowed.
    Wait(u32),
    /// The account requires a magic link.
    LinkRequired,
}

/// Attempts at one account in the hour that started at `since`.
#[derive(Clone, Copy, Debug)]
struct Guesses {
    since: Timestamp,
    tries: u32,
}

impl Guesses {
    fn now(stored: Option<&Self>, now: Timestamp) -> Self {
        let current = stored.copied().filter(|guesses| (0..HOUR).contains(&(now - guesses.since)));
        current.unwrap_or(Self { since: now, tries: 0 })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    tries: u32,
    last: Timestamp,
}

impl Attempts {
    /// Returns the current count; `decay_interval` is the time in which it decreases by one.
    fn now(self, decay_interval: Millis, now: Timestamp) -> Self {
        let idle = (now - self.last).max(0);
        if idle >= RESET_AFTER {
            return Self::default();
        }
        let forgiven = u32::try_from(idle / decay_interval).unwrap_or(u32::MAX);
        Self { tries: self.tries.saturating_sub(forgiven), last: self.last }
    }

    /// Returns how long the next attempt has to wait. Setting the clock back never lengthens the wait.
    fn wait(self, free: u32, now: Timestamp) -> Millis {
        if self.tries < free {
            return 0;
        }
        let pause = (SECOND << (self.tries - free).min(10)).min(DELAY_MAX);
        (self.last + pause - now).clamp(0, pause)
    }

    fn incremented(self, now: Timestamp) -> Self {
        Self { tries: self.tries.saturating_add(1), last: now }
    }
}

impl LoginThrottle {
    /// Counts an attempt, or returns why its password must not be checked.
    pub fn record(&self, ip: IpAddr, email: &Email, now: Timestamp) -> Result<(), ThrottleError> {
        let mut counters = self.0.lock();
        let account = EmailHash::of(email);
        let pair = Pair { ip, email: account };
        let guesses = Guesses::now(counters.by_account.get(&account), now);
        if guesses.tries >= GUESSES_PER_ACCOUNT {
            return Err(ThrottleError::LinkRequired);
        }
        let of_ip = counters.by_ip.get(&ip).copied().unwrap_or_default().now(DECAY_INTERVAL, now);
        let of_pair = counters.by_pair.get(&pair).copied().unwrap_or_default().now(RESET_AFTER, now);
        let wait = of_ip.wait(FREE_PER_IP, now).max(of_pair.wait(FREE_PER_PAIR, now));
        if wait > 0 {
            return Err(ThrottleError::Wait(u32::try_from((wait + SECOND - 1) / SECOND).unwrap_or(u32::MAX)));
        }
        counters.sweep(now);
        counters.by_ip.insert(ip, of_ip.incremented(now));
        counters.by_pair.insert(pair, of_pair.incremented(now));
        counters.by_account.insert(account, Guesses { tries: guesses.tries + 1, ..guesses });
        Ok(())
    }

    /// Clears the guesses at an account whose owner has used an emailed link.
    pub fn clear_account(&self, email: &Email) {
        let mut counters = self.0.lock();
        counters.by_account.remove(&EmailHash::of(email));
    }

    /// Stops counting an attempt that succeeded or was not checked. The other attempts of the client address
    /// still count: otherwise people with an account could guess at a stranger's password between two
    /// sign-ins.
    pub fn forgive(&self, ip: IpAddr, email: &Email, was_correct: bool) {
        let mut counters = self.0.lock();
        let pair = Pair { ip, email: EmailHash::of(email) };
        if was_correct {
            counters.by_pair.remove(&pair);
        } else if let Some(attempts) = counters.by_pair.get_mut(&pair) {
            attempts.tries = attempts.tries.saturating_sub(1);
        }
        if let Some(attempts) = counters.by_ip.get_mut(&ip) {
            attempts.tries = attempts.tries.saturating_sub(1);
        }
        if let Some(guesses) = counters.by_account.get_mut(&pair.email) {
            guesses.tries = guesses.tries.saturating_sub(1);
        }
    }
}

impl Counters {
    /// Removes expired entries, at most once a second and only from [`SWEEP_AT`] entries on. From
    /// [`ENTRIES_MAX`] entries on, removes those with a single attempt, too.
    fn sweep(&mut self, now: Timestamp) {
        let largest = self.by_ip.len().max(self.by_pair.len()).max(self.by_account.len());
        if largest < SWEEP_AT || (now - self.swept_at).abs() < SECOND {
            return;
        }
        self.swept_at = now;
        let keep = u32::from(largest >= ENTRIES_MAX);
        retain(&mut self.by_ip, keep, now);
        retain(&mut self.by_pair, keep, now);
        self.by_account.retain(|_, guesses| now - guesses.since < HOUR && guesses.tries > keep);
    }
}

fn retain<K: Hash + Eq>(entries: &mut HashMap<K, Attempts>, above: u32, now: Timestamp) {
    entries.retain(|_, attempts| now - attempts.last < RESET_AFTER && attempts.tries > above);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn mail(name: &str) -> Email {
        Email::parse(&format!("{name}@example.com")).unwrap()
    }

    #[test]
    fn each_wrong_try_doubles_the_wait_up_to_a_minute() {
        let (throttle, ada) = (LoginThrottle::default(), mail("ada"));
        let mut now = Timestamp::EPOCH;
        for _ in 0..3 {
            assert_eq!(throttle.record(HERE, &ada, now), Ok(()));
        }
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(throttle.record(HERE, &ada, now), Err(ThrottleError::Wait(wait)));
            now += Millis::from(wait) * SECOND;
            assert_eq!(throttle.record(HERE, &ada, now), Ok(()), "after {wait} s");
        }
    }

    #[test]
    fn a_strangers_guesses_do_not_lock_out_the_owner() {
        let (throttle, ada) = (LoginThrottle::default(), mail("ada"));
        for _ in 0..3 {
            throttle.record(THERE, &ada, Timestamp::EPOCH).unwrap();
        }
        assert!(throttle.record(THERE, &ada, Timestamp::EPOCH).is_err());
        assert_eq!(throttle.record(HERE, &ada, Timestamp::EPOCH), Ok(()));
    }

    #[test]
    fn one_client_address_cannot_guess_at_many_accounts() {
        let throttle = LoginThrottle::default();
        for n in 0..10 {
            assert_eq!(throttle.record(HERE, &mail(&format!("p{n}")), Timestamp::EPOCH), Ok(()));
        }
        assert_eq!(throttle.record(HERE, &mail("p10"), Timestamp::EPOCH), Err(ThrottleError::Wait(1)));
        assert_eq!(throttle.record(THERE, &mail("p10"), Timestamp::EPOCH), Ok(()));
    }

    #[test]
    fn an_office_where_people_mistype_is_not_blocked() {
        let throttle = LoginThrottle::default();
        let mut now = Timestamp::EPOCH;
        for n in 0..40 {
            now += MINUTE;
            assert_eq!(throttle.record(HERE, &mail(&format!("p{n}")), now), Ok(()), "colleague {n}");
        }
        let own = mail("own");
        throttle.record(HERE, &own, now).unwrap();
        throttle.forgive(HERE, &own, true);
        assert_eq!(throttle.record(HERE, &mail("next"), now + SECOND), Ok(()));
    }

    #[test]
    fn a_correct_password_clears_the_pair_but_not_the_client_address() {
        let (throttle, own, other) = (LoginThrottle::default(), mail("own"), mail("other"));
        for n in 0..9 {
            throttle.record(HERE, &mail(&format!("p{n}")), Timestamp::EPOCH).unwrap();
        }
        throttle.record(HERE, &own, Timestamp::EPOCH).unwrap();
        throttle.forgive(HERE, &own, true);
        assert_eq!(throttle.record(HERE, &other, Timestamp::EPOCH), Ok(()));
        assert_eq!(
            throttle.record(HERE, &own, Timestamp::EPOCH),
            Err(ThrottleError::Wait(1)),
            "nine strangers and one more"
        );
    }

    #[test]
    fn an_attempt_that_was_not_checked_does_not_count() {
        let (throttle, ada) = (LoginThrottle::default(), mail("ada"));
        for _ in 0..20 {
            throttle.record(HERE, &ada, Timestamp::EPOCH).unwrap();
            throttle.forgive(HERE, &ada, false);
        }
    }

    #[test]
    fn attempts_expire_and_a_clock_set_back_adds_no_delay() {
        let (throttle, ada) = (LoginThrottle::default(), mail("ada"));
        for _ in 0..3 {
            throttle.record(HERE, &ada, at_ms(RESET_AFTER)).unwrap();
        }
        assert_eq!(
            throttle.record(HERE, &ada, Timestamp::EPOCH),
            Err(ThrottleError::Wait(1)),
            "the wait it had, no longer one"
        );
        for _ in 0..3 {
            assert_eq!(throttle.record(HERE, &ada, at_ms(2 * RESET_AFTER)), Ok(()));
        }
        assert!(throttle.record(HERE, &ada, at_ms(2 * RESET_AFTER)).is_err());
    }

    #[test]
    fn a_hundred_guesses_in_an_hour_block_the_password_of_an_account() {
        let (throttle, ada, bea) = (LoginThrottle::default(), mail("ada"), mail("bea"));
        let at = |n: u32| IpAddr::from((7 << 24 | n).to_be_bytes());
        for n in 0..100 {
            assert_eq!(throttle.record(at(n), &ada, at_ms(Millis::from(n) * SECOND)), Ok(()));
        }
        assert_eq!(throttle.record(at(100), &ada, at_ms(HOUR - 1)), Err(ThrottleError::LinkRequired));
        assert_eq!(throttle.record(at(100), &bea, at_ms(HOUR - 1)), Ok(()));
        throttle.clear_account(&ada);
        assert_eq!(throttle.record(at(100), &ada, at_ms(HOUR - 1)), Ok(()));
        for n in 0..99 {
            throttle.record(at(n), &ada, at_ms(HOUR)).unwrap();
        }
        assert_eq!(throttle.record(at(101), &ada, at_ms(HOUR)), Err(ThrottleError::LinkRequired));
        assert_eq!(throttle.record(at(101), &ada, at_ms(2 * HOUR)), Ok(()), "the hour is over");
    }

    #[test]
    fn the_number_of_entries_is_bounded() {
        let throttle = LoginThrottle::default();
        let address = |n: u32| IpAddr::from(n.to_be_bytes());
        for n in 0..u32::try_from(SWEEP_AT).unwrap() {
            throttle.record(address(n), &mail(&format!("p{n}")), Timestamp::EPOCH).unwrap();
        }
        throttle.record(address(1_000_000), &mail("ada"), at_ms(RESET_AFTER)).unwrap();
        assert_eq!(throttle.0.lock().by_ip.len(), 1, "the others were forgotten");
        for n in 0..u32::try_from(ENTRIES_MAX).unwrap() {
            throttle.record(address(n), &mail(&format!("p{n}")), at_ms(RESET_AFTER)).unwrap();
        }
        throttle.record(address(2_000_000), &mail("ada"), at_ms(RESET_AFTER + SECOND)).unwrap();
        assert!(throttle.0.lock().by_pair.len() < 10, "those who tried once");
    }
}
