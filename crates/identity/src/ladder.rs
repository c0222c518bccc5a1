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
use std::sync::{Mutex, PoisonError};

use kernel::{Email, HOUR, MINUTE, Millis, SECOND};
use sha2::{Digest as _, Sha256};

/// Attempts without a delay, per client address and per pair of client address and email.
const FREE_ORIGIN: u32 = 10;
const FREE_PAIR: u32 = 3;
/// The longest delay.
const LONGEST: Millis = MINUTE;
/// After this long without an attempt the count is forgotten.
const FORGOTTEN: Millis = 15 * MINUTE;
/// The time in which the count of a client address decreases by one.
const DRAIN: Millis = 30 * SECOND;
/// Wrong passwords for one account per hour, from all client addresses.
const GUESSES_OF_ACCOUNT: u32 = 100;
/// Number of entries from which expired ones are removed, and from which entries with one attempt are too.
const SWEEP_AT: usize = 10_000;
const MOST: usize = 100_000;

/// Counts of password attempts, kept in memory.
#[derive(Default)]
pub struct Ladder(Mutex<Rungs>);

#[derive(Default)]
struct Rungs {
    origins: HashMap<IpAddr, Rung>,
    pairs: HashMap<(IpAddr, [u8; 16]), Rung>,
    accounts: HashMap<[u8; 16], Guesses>,
    swept: Millis,
}

/// Why a password is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Seconds until the next attempt is allowed.
    Wait(u32),
    /// The account requires a magic link.
    LinkRequired,
}

/// Attempts at one account in the hour that started at `since`.
#[derive(Clone, Copy, Debug)]
struct Guesses {
    since: Millis,
    tries: u32,
}

impl Guesses {
    fn now(known: Option<&Self>, now: Millis) -> Self {
        let current = known.copied().filter(|guesses| (0..HOUR).contains(&(now - guesses.since)));
        current.unwrap_or(Self { since: now, tries: 0 })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Rung {
    tries: u32,
    last: Millis,
}

impl Rung {
    /// Returns the current count; `drain` is the time in which it decreases by one.
    fn now(self, drain: Millis, now: Millis) -> Self {
        let idle = (now - self.last).max(0);
        if idle >= FORGOTTEN {
            return Self::default();
        }
        let forgiven = u32::try_from(idle / drain).unwrap_or(u32::MAX);
        Self { tries: self.tries.saturating_sub(forgiven), last: self.last }
    }

    /// Returns how long the next attempt has to wait. Setting the clock back never lengthens the wait.
    fn wait(self, free: u32, now: Millis) -> Millis {
        if self.tries < free {
            return 0;
        }
        let pause = (SECOND << (self.tries - free).min(10)).min(LONGEST);
        (self.last + pause - now).clamp(0, pause)
    }

    fn climbed(self, now: Millis) -> Self {
        Self { tries: self.tries.saturating_add(1), last: now }
    }
}

impl Ladder {
    /// Counts an attempt, or returns why its password must not be checked.
    pub fn climb(&self, origin: IpAddr, email: &Email, now: Millis) -> Result<(), Refused> {
        let mut rungs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let account = short(email);
        let pair = (origin, account);
        let guesses = Guesses::now(rungs.accounts.get(&account), now);
        if guesses.tries >= GUESSES_OF_ACCOUNT {
            return Err(Refused::LinkRequired);
        }
        let by_origin = rungs.origins.get(&origin).copied().unwrap_or_default().now(DRAIN, now);
        let by_pair = rungs.pairs.get(&pair).copied().unwrap_or_default().now(FORGOTTEN, now);
        let wait = by_origin.wait(FREE_ORIGIN, now).max(by_pair.wait(FREE_PAIR, now));
        if wait > 0 {
            return Err(Refused::Wait(u32::try_from((wait + SECOND - 1) / SECOND).unwrap_or(u32::MAX)));
        }
        rungs.sweep(now);
        rungs.origins.insert(origin, by_origin.climbed(now));
        rungs.pairs.insert(pair, by_pair.climbed(now));
        rungs.accounts.insert(account, Guesses { tries: guesses.tries + 1, ..guesses });
        Ok(())
    }

    /// Clears the guesses at an account whose owner has used an emailed link.
    pub fn forgive(&self, email: &Email) {
        let mut rungs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rungs.accounts.remove(&short(email));
    }

    /// Takes back an attempt that was right or was not checked. The other attempts of the client address
    /// still count: otherwise people with an account could guess at a stranger's password between two
    /// sign-ins.
    pub fn descend(&self, origin: IpAddr, email: &Email, was_right: bool) {
        let mut rungs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = (origin, short(email));
        if was_right {
            rungs.pairs.remove(&pair);
        } else if let Some(rung) = rungs.pairs.get_mut(&pair) {
            rung.tries = rung.tries.saturating_sub(1);
        }
        if let Some(rung) = rungs.origins.get_mut(&origin) {
            rung.tries = rung.tries.saturating_sub(1);
        }
        if let Some(guesses) = rungs.accounts.get_mut(&pair.1) {
            guesses.tries = guesses.tries.saturating_sub(1);
        }
    }
}

impl Rungs {
    /// Removes expired entries, at most once a second and only from [`SWEEP_AT`] entries on. From [`MOST`]
    /// entries on, removes those with a single attempt, too.
    fn sweep(&mut self, now: Millis) {
        let many = self.origins.len().max(self.pairs.len()).max(self.accounts.len());
        if many < SWEEP_AT || (now - self.swept).abs() < SECOND {
            return;
        }
        self.swept = now;
        let keep = if many < MOST { 0 } else { 1 };
        retain(&mut self.origins, keep, now);
        retain(&mut self.pairs, keep, now);
        self.accounts.retain(|_, guesses| now - guesses.since < HOUR && guesses.tries > keep);
    }
}

fn retain<K: Hash + Eq>(rungs: &mut HashMap<K, Rung>, above: u32, now: Millis) {
    rungs.retain(|_, rung| now - rung.last < FORGOTTEN && rung.tries > above);
}

/// Returns half the hash of an address, which is enough to distinguish addresses.
fn short(email: &Email) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&Sha256::digest(email.as_str())[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn mail(name: &str) -> Email {
        Email::parse(&format!("{name}@example.com")).unwrap()
    }

    #[test]
    fn each_wrong_try_doubles_the_wait_up_to_a_minute() {
        let (ladder, ada) = (Ladder::default(), mail("ada"));
        let mut now = 0;
        for _ in 0..3 {
            assert_eq!(ladder.climb(HERE, &ada, now), Ok(()));
        }
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(ladder.climb(HERE, &ada, now), Err(Refused::Wait(wait)));
            now += Millis::from(wait) * SECOND;
            assert_eq!(ladder.climb(HERE, &ada, now), Ok(()), "after {wait} s");
        }
    }

    #[test]
    fn a_strangers_guesses_keep_nobody_out() {
        let (ladder, ada) = (Ladder::default(), mail("ada"));
        for _ in 0..3 {
            ladder.climb(THERE, &ada, 0).unwrap();
        }
        assert!(ladder.climb(THERE, &ada, 0).is_err());
        assert_eq!(ladder.climb(HERE, &ada, 0), Ok(()));
    }

    #[test]
    fn one_origin_cannot_walk_through_many_addresses() {
        let ladder = Ladder::default();
        for n in 0..10 {
            assert_eq!(ladder.climb(HERE, &mail(&format!("p{n}")), 0), Ok(()));
        }
        assert_eq!(ladder.climb(HERE, &mail("p10"), 0), Err(Refused::Wait(1)));
        assert_eq!(ladder.climb(THERE, &mail("p10"), 0), Ok(()));
    }

    #[test]
    fn an_office_in_which_people_mistype_keeps_its_door_open() {
        let ladder = Ladder::default();
        let mut now = 0;
        for n in 0..40 {
            now += MINUTE;
            assert_eq!(ladder.climb(HERE, &mail(&format!("p{n}")), now), Ok(()), "colleague {n}");
        }
        let own = mail("own");
        ladder.climb(HERE, &own, now).unwrap();
        ladder.descend(HERE, &own, true);
        assert_eq!(ladder.climb(HERE, &mail("next"), now + SECOND), Ok(()));
    }

    #[test]
    fn a_right_password_clears_the_pair_and_not_the_origin() {
        let (ladder, own, other) = (Ladder::default(), mail("own"), mail("other"));
        for n in 0..9 {
            ladder.climb(HERE, &mail(&format!("p{n}")), 0).unwrap();
        }
        ladder.climb(HERE, &own, 0).unwrap();
        ladder.descend(HERE, &own, true);
        assert_eq!(ladder.climb(HERE, &other, 0), Ok(()));
        assert_eq!(ladder.climb(HERE, &own, 0), Err(Refused::Wait(1)), "nine strangers and one more");
    }

    #[test]
    fn a_try_nobody_looked_at_counts_for_nothing() {
        let (ladder, ada) = (Ladder::default(), mail("ada"));
        for _ in 0..20 {
            ladder.climb(HERE, &ada, 0).unwrap();
            ladder.descend(HERE, &ada, false);
        }
    }

    #[test]
    fn time_forgives_and_a_clock_that_is_set_back_does_not_punish() {
        let (ladder, ada) = (Ladder::default(), mail("ada"));
        for _ in 0..3 {
            ladder.climb(HERE, &ada, FORGOTTEN).unwrap();
        }
        assert_eq!(ladder.climb(HERE, &ada, 0), Err(Refused::Wait(1)), "the wait it had, no longer one");
        for _ in 0..3 {
            assert_eq!(ladder.climb(HERE, &ada, 2 * FORGOTTEN), Ok(()));
        }
        assert!(ladder.climb(HERE, &ada, 2 * FORGOTTEN).is_err());
    }

    #[test]
    fn a_hundred_guesses_in_an_hour_from_anywhere_close_the_password_of_an_account() {
        let (ladder, ada, bea) = (Ladder::default(), mail("ada"), mail("bea"));
        let at = |n: u32| IpAddr::from((7 << 24 | n).to_be_bytes());
        for n in 0..100 {
            assert_eq!(ladder.climb(at(n), &ada, Millis::from(n) * SECOND), Ok(()));
        }
        assert_eq!(ladder.climb(at(100), &ada, HOUR - 1), Err(Refused::LinkRequired));
        assert_eq!(ladder.climb(at(100), &bea, HOUR - 1), Ok(()));
        ladder.forgive(&ada);
        assert_eq!(ladder.climb(at(100), &ada, HOUR - 1), Ok(()));
        for n in 0..99 {
            ladder.climb(at(n), &ada, HOUR).unwrap();
        }
        assert_eq!(ladder.climb(at(101), &ada, HOUR), Err(Refused::LinkRequired));
        assert_eq!(ladder.climb(at(101), &ada, 2 * HOUR), Ok(()), "the hour is over");
    }

    #[test]
    fn the_memory_of_many_is_swept_once_a_second_and_bounded() {
        let ladder = Ladder::default();
        let address = |n: u32| IpAddr::from(n.to_be_bytes());
        for n in 0..u32::try_from(SWEEP_AT).unwrap() {
            ladder.climb(address(n), &mail(&format!("p{n}")), 0).unwrap();
        }
        ladder.climb(address(1_000_000), &mail("ada"), FORGOTTEN).unwrap();
        assert_eq!(ladder.0.lock().unwrap().origins.len(), 1, "the others were forgotten");
        for n in 0..u32::try_from(MOST).unwrap() {
            ladder.climb(address(n), &mail(&format!("p{n}")), FORGOTTEN).unwrap();
        }
        ladder.climb(address(2_000_000), &mail("ada"), FORGOTTEN + SECOND).unwrap();
        assert!(ladder.0.lock().unwrap().pairs.len() < 10, "those who tried once");
    }
}
