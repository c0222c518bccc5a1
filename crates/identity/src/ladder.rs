//! The delay ladder of password tries: who keeps guessing waits longer each time, and nobody is locked out.
//!
//! Tries are counted by address of origin, and by origin and e-mail together, never by e-mail alone: a stranger's
//! guesses must not keep the owner out. A try counts from its beginning, so that a hundred at once gain nothing.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use kernel::{Email, MINUTE, Millis, SECOND};
use sha2::{Digest as _, Sha256};

/// Wrong tries that cost nothing, by origin and by pair.
const FREE_ORIGIN: u32 = 10;
const FREE_PAIR: u32 = 3;
/// The longest wait.
const LONGEST: Millis = MINUTE;
/// Who has not tried for this long stands at the foot again.
const FORGOTTEN: Millis = 15 * MINUTE;
/// Keys remembered before the forgotten ones are swept.
const SWEEP_AT: usize = 10_000;

/// Who has tried how often.
#[derive(Default)]
pub struct Ladder(Mutex<Rungs>);

#[derive(Default)]
struct Rungs {
    origins: HashMap<IpAddr, Rung>,
    pairs: HashMap<(IpAddr, [u8; 16]), Rung>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rung {
    tries: u32,
    last: Millis,
}

impl Rung {
    fn wait(self, free: u32, now: Millis) -> Millis {
        if now - self.last >= FORGOTTEN || self.tries < free {
            return 0;
        }
        let pause = (SECOND << (self.tries - free).min(10)).min(LONGEST);
        (self.last + pause - now).max(0)
    }

    fn climbed(self, now: Millis) -> Self {
        let tries = if now - self.last >= FORGOTTEN { 0 } else { self.tries };
        Self { tries: tries.saturating_add(1), last: now }
    }
}

impl Ladder {
    /// Counts a try; or says in how many seconds the next one may come.
    pub fn climb(&self, origin: IpAddr, email: &Email, now: Millis) -> Result<(), u32> {
        let mut rungs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = (origin, short(email));
        let by_origin = rungs.origins.get(&origin).copied().unwrap_or_default();
        let by_pair = rungs.pairs.get(&pair).copied().unwrap_or_default();
        let wait = by_origin.wait(FREE_ORIGIN, now).max(by_pair.wait(FREE_PAIR, now));
        if wait > 0 {
            return Err(u32::try_from((wait + SECOND - 1) / SECOND).unwrap_or(u32::MAX));
        }
        sweep(&mut rungs.origins, now);
        sweep(&mut rungs.pairs, now);
        rungs.origins.insert(origin, by_origin.climbed(now));
        rungs.pairs.insert(pair, by_pair.climbed(now));
        Ok(())
    }

    /// Takes back a try that was right. The origin keeps its other ones: somebody with an own account could
    /// otherwise guess at a stranger's between two sign-ins.
    pub fn descend(&self, origin: IpAddr, email: &Email) {
        let mut rungs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rungs.pairs.remove(&(origin, short(email)));
        if let Some(rung) = rungs.origins.get_mut(&origin) {
            rung.tries = rung.tries.saturating_sub(1);
        }
    }
}

fn sweep<K: Hash + Eq>(rungs: &mut HashMap<K, Rung>, now: Millis) {
    if rungs.len() >= SWEEP_AT {
        rungs.retain(|_, rung| now - rung.last < FORGOTTEN);
    }
}

/// Enough of an address to tell it from others.
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
            assert_eq!(ladder.climb(HERE, &ada, now), Err(wait));
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
        assert_eq!(ladder.climb(HERE, &mail("p10"), 0), Err(1));
        assert_eq!(ladder.climb(THERE, &mail("p10"), 0), Ok(()));
    }

    #[test]
    fn a_right_password_clears_the_pair_and_not_the_origin() {
        let (ladder, own, other) = (Ladder::default(), mail("own"), mail("other"));
        for n in 0..9 {
            ladder.climb(HERE, &mail(&format!("p{n}")), 0).unwrap();
        }
        ladder.climb(HERE, &own, 0).unwrap();
        ladder.descend(HERE, &own);
        assert_eq!(ladder.climb(HERE, &other, 0), Ok(()));
        assert_eq!(ladder.climb(HERE, &own, 0), Err(1), "nine strangers and one more");
    }

    #[test]
    fn time_forgives() {
        let (ladder, ada) = (Ladder::default(), mail("ada"));
        for _ in 0..3 {
            ladder.climb(HERE, &ada, 0).unwrap();
        }
        for _ in 0..3 {
            assert_eq!(ladder.climb(HERE, &ada, FORGOTTEN), Ok(()));
        }
        assert!(ladder.climb(HERE, &ada, FORGOTTEN).is_err());
    }
}
