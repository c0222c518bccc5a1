//! Throttling of password attempts: repeated guesses wait longer each time, and no one is locked out.
//!
//! Wrong attempts are counted by client address, and by client address and email together, in the database, so that
//! servers share the counts and a restart does not forget them. A stranger's guesses must not lock out the owner, so the
//! email alone never causes a delay. An attempt that is being checked counts like a wrong one in its process, so making a
//! hundred at once gains nothing; one that has to wait does not count by its email. The count of a client address decays,
//! so an office where many people mistype now and then is not blocked.
//!
//! Guesses at one account from many client addresses are also counted by its email, but with a high limit:
//! after a hundred wrong ones in an hour its password is refused until the hour is over or the owner has used
//! a magic link, which a stranger cannot prevent.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use db::{Db, WriteTx};
use kernel::{Email, HOUR, MINUTE, Millis, SECOND, Signer, Timestamp};
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, DbErr};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::entity::sign_in_attempt::Model;
use crate::store::sign_in_attempt::{self as store, Growth, Key};

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
/// Rows kept; beyond this, the smallest counts are removed.
const ROWS_MAX: u64 = 100_000;
/// Wrong attempts after which a process looks whether there are more, and how many it removes then: more than they added.
const LOOK_AFTER: u64 = 64;
const REMOVED_AT_ONCE: u64 = 1_000;

/// Limits the attempts to guess a secret of one kind.
pub struct LoginThrottle {
    /// Keys the hashes, so that the table does not tell addresses.
    key: [u8; 32],
    /// Attempts of this process that are being checked.
    in_flight: Mutex<HashMap<Key, u32>>,
    wrong: AtomicU64,
    rows_max: u64,
}

/// Why a password is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThrottleError {
    /// Seconds until the next attempt is allowed.
    Wait(u32),
    /// The account requires a magic link.
    LinkRequired,
}

/// The keys of the counts of an attempt.
#[derive(Clone, Copy, Debug)]
struct Keys {
    ip: Key,
    pair: Key,
    account: Key,
}

impl Keys {
    fn all(&self) -> [Key; 3] {
        [self.ip, self.pair, self.account]
    }
}

/// An attempt that may be checked. It counts in this process until it is dropped.
pub struct Attempt {
    throttle: Arc<LoginThrottle>,
    keys: Keys,
    /// The keys by which it counts in this process.
    entered: Vec<Key>,
    at: Timestamp,
    /// Whether wrong attempts of the pair are stored.
    has_pair: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Attempts {
    tries: u32,
    last: Timestamp,
}

impl Attempts {
    /// Returns the count at `now` of what is stored and what is being checked; `decay_interval` is the time in which the
    /// stored count decreases by one.
    fn now(stored: Option<&Model>, in_flight: u32, decay_interval: Millis, now: Timestamp) -> Self {
        let stored = stored.map_or(Self::default(), |row| Self { tries: tries(row), last: row.at });
        let idle = (now - stored.last).max(0);
        let tries = if idle >= RESET_AFTER {
            0
        } else {
            stored.tries.saturating_sub(u32::try_from(idle / decay_interval).unwrap_or(u32::MAX))
        };
        let last = if in_flight > 0 { now } else { stored.last };
        Self { tries: tries.saturating_add(in_flight), last }
    }

    /// Returns how long the next attempt has to wait. Setting the clock back never lengthens the wait.
    fn wait(self, free: u32, now: Timestamp) -> Millis {
        if self.tries < free {
            return 0;
        }
        let pause = (SECOND << (self.tries - free).min(10)).min(DELAY_MAX);
        (self.last + pause - now).clamp(0, pause)
    }
}

fn tries(row: &Model) -> u32 {
    u32::try_from(row.tries).unwrap_or(u32::MAX)
}

impl LoginThrottle {
    /// Creates the throttle of secrets of this kind.
    pub fn of(signer: &Signer, kind: &str) -> Arc<Self> {
        let mut digest = Sha256::new_with_prefix(signer.derive("sign-in-attempts"));
        digest.update(kind);
        let (in_flight, wrong) = (Mutex::default(), AtomicU64::new(0));
        Arc::new(Self { key: digest.finalize().into(), in_flight, wrong, rows_max: ROWS_MAX })
    }

    /// Begins an attempt, or returns why its password must not be checked. Only reads from the database.
    pub async fn begin(
        self: &Arc<Self>,
        conn: &impl ConnectionTrait,
        (ip, email): (IpAddr, &Email),
        now: Timestamp,
    ) -> Result<Attempt, Error> {
        let keys = self.keys(ip, email);
        let mut attempt =
            Attempt { throttle: Arc::clone(self), keys, entered: Vec::new(), at: now, has_pair: false };
        // What is checked at the same time is counted first, and what is stored second: an attempt that ends in between is
        // counted twice rather than not at all.
        let (of_ip, of_pair) = (attempt.enter(keys.ip), attempt.enter(keys.pair));
        let of_account = self.in_flight(&keys.account);
        let rows = store::counts(conn, &keys.all()).await?;
        let row = |key: &Key| rows.iter().find(|row| row.uid == key);
        attempt.has_pair = row(&keys.pair).is_some();
        let of_ip = Attempts::now(row(&keys.ip), of_ip, DECAY_INTERVAL, now);
        let of_pair = Attempts::now(row(&keys.pair), of_pair, RESET_AFTER, now);
        let wait = of_ip.wait(FREE_PER_IP, now).max(of_pair.wait(FREE_PER_PAIR, now));
        if wait > 0 {
            let seconds = u32::try_from((wait + SECOND - 1) / SECOND).unwrap_or(u32::MAX);
            return Err(ThrottleError::Wait(seconds).into());
        }
        // Only now: attempts that have to wait must not keep the owner from signing in.
        let of_account = of_account.max(attempt.enter(keys.account));
        let guesses = row(&keys.account).filter(|row| (0..HOUR).contains(&(now - row.at))).map_or(0, tries);
        if guesses.saturating_add(of_account) >= GUESSES_PER_ACCOUNT {
            return Err(ThrottleError::LinkRequired.into());
        }
        Ok(attempt)
    }

    /// Forgets the guesses at an account whose owner has used an emailed link.
    pub async fn clear_account(&self, tx: &WriteTx, email: &Email) -> Result<(), DbErr> {
        store::remove(tx, &self.hash(&[b"account", email.as_str().as_bytes()])).await
    }

    /// Removes the smallest counts, if there are too many: an attacker with many addresses must not fill the table. To be
    /// called after a wrong attempt. A failure is only logged: the attempt has been counted, and a later one tries again.
    pub async fn limit(&self, db: &Db) {
        if self.wrong.fetch_add(1, Ordering::Relaxed) % LOOK_AFTER != LOOK_AFTER - 1 {
            return;
        }
        if let Err(error) = store::limit(db, self.rows_max, REMOVED_AT_ONCE).await {
            tracing::warn!(%error, "cannot remove the smallest counts of wrong attempts");
        }
    }

    fn keys(&self, ip: IpAddr, email: &Email) -> Keys {
        let (ip, email) = (ip.to_string(), email.as_str().as_bytes());
        Keys {
            ip: self.hash(&[b"ip", ip.as_bytes()]),
            pair: self.hash(&[b"pair", ip.as_bytes(), b" ", email]),
            account: self.hash(&[b"account", email]),
        }
    }

    fn hash(&self, parts: &[&[u8]]) -> Key {
        let mut digest = Sha256::new_with_prefix(self.key);
        for part in parts {
            digest.update(part);
        }
        let mut half = Key::default();
        half.copy_from_slice(&digest.finalize()[..16]);
        half
    }

    /// Returns how many attempts are being checked.
    fn in_flight(&self, key: &Key) -> u32 {
        self.in_flight.lock().get(key).copied().unwrap_or_default()
    }
}

impl Attempt {
    /// Counts the attempt as being checked. Returns how many others are.
    fn enter(&mut self, key: Key) -> u32 {
        self.entered.push(key);
        let mut in_flight = self.throttle.in_flight.lock();
        let others = in_flight.entry(key).or_default();
        *others += 1;
        *others - 1
    }

    /// Counts the attempt as wrong.
    pub async fn wrong(&self, tx: &WriteTx) -> Result<(), DbErr> {
        let recent = |decay| Growth::Decaying { decay, reset: RESET_AFTER };
        let mut counts = [
            (self.keys.ip, recent(DECAY_INTERVAL)),
            (self.keys.pair, recent(RESET_AFTER)),
            (self.keys.account, Growth::Window { length: HOUR }),
        ];
        // Servers that count at once take the rows in the same order.
        counts.sort_by_key(|(key, _)| *key);
        for (key, growth) in counts {
            store::add(tx, &key, growth, self.at).await?;
        }
        Ok(())
    }

    /// Forgets the wrong attempts of the client address at this account. Others of the client address still count: otherwise
    /// people with an account could guess at a stranger's password between two sign-ins.
    pub async fn right(&self, tx: &WriteTx) -> Result<(), DbErr> {
        if self.has_pair { store::remove(tx, &self.keys.pair).await } else { Ok(()) }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let mut in_flight = self.throttle.in_flight.lock();
        for key in &self.entered {
            if let Some(others) = in_flight.get_mut(key) {
                *others -= 1;
                if *others == 0 {
                    in_flight.remove(key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
