//! Password rules and argon2id hashes, of which at most two are computed at a time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use kernel::{Ambient, Email, Problem};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::Error;

/// Minimum and maximum length of a password, in characters.
const LENGTH_MIN: usize = 8;
const LENGTH_MAX: usize = 128;
/// Hashes computed at a time: each takes 19 MiB and a processor.
const CONCURRENT_HASHES: usize = 2;
/// Passwords that may be waiting or in progress, in total and per client address; more are refused with 503.
const SLOTS_MAX: usize = 64;
const SLOTS_PER_IP: usize = 8;
/// Leading characters of a password whose strength is estimated. Estimating more costs far more than a hash,
/// and a password whose start is hard to guess is hard to guess.
const ESTIMATED_CHARS: usize = 24;
/// The cost of a hash: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Hashes and verifies passwords off the threads that serve requests.
pub struct Passwords {
    ambient: Ambient,
    /// Permits for hashing.
    hash_permits: Arc<Semaphore>,
    /// The permit for estimating the strength of new passwords. It is separate so that sign-ups never delay
    /// sign-ins.
    strength_permits: Arc<Semaphore>,
    slots: Mutex<HashMap<IpAddr, usize>>,
    /// A hash that no password has, verified for unknown addresses so that they take as long as known ones.
    decoy: Arc<str>,
}

impl Passwords {
    /// Creates an instance with a fresh decoy.
    pub fn new(ambient: &Ambient) -> Self {
        Self {
            ambient: ambient.clone(),
            hash_permits: Arc::new(Semaphore::new(CONCURRENT_HASHES)),
            strength_permits: Arc::new(Semaphore::new(1)),
            slots: Mutex::default(),
            decoy: decoy(ambient).into(),
        }
    }

    /// Returns the hash of a new password, if the password is acceptable.
    ///
    /// # Errors
    /// [`Error::Problem`] that names the field if the password is too short, too long or too easy to guess;
    /// [`Error::Busy`] if too many are waiting.
    pub async fn check_and_hash(&self, ip: IpAddr, email: &Email, password: String) -> Result<String, Error> {
        let length = password.chars().count();
        if !(LENGTH_MIN..=LENGTH_MAX).contains(&length) {
            let sentence = format!("Use {LENGTH_MIN} to {LENGTH_MAX} characters for your password.");
            return Err(Problem::field("password", "password_length", sentence).into());
        }
        let _slot = Slot::acquire(&self.slots, ip)?;
        let (address, candidate) = (email.clone(), password.clone());
        if run_blocking(&self.strength_permits, move || is_guessable(&address, &candidate)).await? {
            let sentence = "This password is too easy to guess. Use a longer one, or several unusual words.";
            return Err(Problem::field("password", "weak_password", sentence).into());
        }
        let salt = self.ambient.bytes::<16>();
        let hash = run_blocking(&self.hash_permits, move || hashed(password.as_bytes(), &salt)).await?;
        hash.map_err(|error| unexpected(&error))
    }

    /// Returns whether the password matches the hash. Without a hash it returns false after the same amount
    /// of work.
    ///
    /// # Errors
    /// [`Error::Busy`] if too many are waiting.
    pub async fn verify(&self, ip: IpAddr, password: String, hash: Option<String>) -> Result<bool, Error> {
        let _slot = Slot::acquire(&self.slots, ip)?;
        let decoy = Arc::clone(&self.decoy);
        run_blocking(&self.hash_permits, move || {
            let against = hash.as_deref().unwrap_or(&decoy);
            let is_correct =
                hasher().and_then(|argon| argon.verify_password(password.as_bytes(), against)).is_ok();
            is_correct && hash.is_some()
        })
        .await
    }
}

/// Runs CPU-heavy work on a blocking thread once a permit is available.
async fn run_blocking<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(|error| unexpected(&error))?;
    let done = tokio::task::spawn_blocking(move || {
        // The work holds the permit: if the caller disconnects, it continues and must still count.
        let _permit = permit;
        work()
    });
    done.await.map_err(|error| unexpected(&error))
}

/// A slot among the passwords waiting or in progress, released on drop.
struct Slot<'a> {
    slots: &'a Mutex<HashMap<IpAddr, usize>>,
    ip: IpAddr,
}

impl<'a> Slot<'a> {
    fn acquire(slots: &'a Mutex<HashMap<IpAddr, usize>>, ip: IpAddr) -> Result<Self, Error> {
        let mut in_use = slots.lock();
        let all: usize = in_use.values().sum();
        let own = in_use.get(&ip).copied().unwrap_or_default();
        if all >= SLOTS_MAX || own >= SLOTS_PER_IP {
            return Err(Error::Busy);
        }
        in_use.insert(ip, own + 1);
        drop(in_use);
        Ok(Self { slots, ip })
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut in_use = self.slots.lock();
        if let Some(own) = in_use.get_mut(&self.ip) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                in_use.remove(&self.ip);
            }
        }
    }
}

fn hasher() -> Result<Argon2<'static>, argon2::password_hash::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hashed(password: &[u8], salt: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(hasher()?.hash_password_with_salt(password, salt)?.to_string())
}

/// Returns random bytes in the form of a hash. No password has this hash, and to verify one against it costs as
/// much as against any other; computing a real one would cost each start 19 MiB and 30 ms.
fn decoy(ambient: &Ambient) -> String {
    let (salt, digest) = (ambient.bytes::<16>(), ambient.bytes::<32>());
    let (salt, digest) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(digest));
    format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p=1${salt}${digest}")
}

/// Returns whether fewer than a million guesses find the password for someone who knows the address.
fn is_guessable(email: &Email, password: &str) -> bool {
    let (name, domain) = email.as_str().split_once('@').unwrap_or_default();
    let first = |text: &str| text.chars().take(ESTIMATED_CHARS).collect::<String>();
    let (start, address) = (first(password), first(email.as_str()));
    let user_inputs: Vec<&str> = name
        .split(['.', '+', '-', '_'])
        .take(3)
        .chain([address.as_str(), name, domain.split('.').next().unwrap_or_default(), kernel::PRODUCT])
        .filter(|word| word.len() > 2)
        .collect();
    zxcvbn(&start, &user_inputs).score() < Score::Two
}

/// Logs an error of the computation and returns it.
pub fn unexpected(error: &(dyn std::error::Error + 'static)) -> Error {
    tracing::error!(error = %error, "cannot hash a password");
    Problem::internal().into()
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::phc::PasswordHash;

    use super::*;

    fn is_accepted(password: &str) -> bool {
        !is_guessable(&Email::parse("ada.lovelace@analytical.example").unwrap(), password)
    }

    #[test]
    fn common_passwords_are_refused() {
        for weak in [
            "password",
            "12345678",
            "qwertyuiop",
            "iloveyou1",
            "Password1!",
            "letmein1",
            "aaaaaaaaaaaa",
            "lovelace",
            "analytical",
            "vitrine1",
            "ada.lovelace@analytical.example",
            "abcdefgh",
            "19900101",
        ] {
            assert!(!is_accepted(weak), "{weak}");
        }
        for good in ["wren-tapestry-94", "correct horse battery staple", "zX9#qL2!vb", "многопарольныйслон"]
        {
            assert!(is_accepted(good), "{good}");
        }
    }

    #[test]
    fn only_the_start_of_a_password_is_estimated() {
        // Estimating all of a hostile password takes seconds and hundreds of megabytes.
        let strong = "wren-tapestry-94 otter-lantern";
        assert!(is_accepted(strong) && is_accepted(&format!("{strong}{}", "4".repeat(90))));
        assert!(!is_accepted(&format!("{}{strong}", "a".repeat(ESTIMATED_CHARS))));
    }

    #[test]
    fn one_client_address_gets_a_share_of_the_slots_and_releases_them() {
        let slots = Mutex::default();
        let at = |n: u8| IpAddr::from([192, 0, 2, n]);
        let own: Vec<_> = (0..SLOTS_PER_IP).map(|_| Slot::acquire(&slots, at(1)).unwrap()).collect();
        assert!(matches!(Slot::acquire(&slots, at(1)), Err(Error::Busy)));
        let others: Vec<_> = (0..SLOTS_MAX - SLOTS_PER_IP)
            .map(|n| Slot::acquire(&slots, at(2 + u8::try_from(n / SLOTS_PER_IP).unwrap())).unwrap())
            .collect();
        assert!(matches!(Slot::acquire(&slots, at(99)), Err(Error::Busy)), "all are taken");
        drop(own);
        assert!(Slot::acquire(&slots, at(1)).is_ok());
        drop(others);
        assert!(slots.lock().is_empty(), "no entry is left");
    }

    #[tokio::test]
    async fn an_unknown_address_costs_a_hash_as_well() {
        let passwords = Passwords::new(&Ambient::system());
        let ip = IpAddr::from([192, 0, 2, 1]);
        // With both permits taken, neither call can finish: both wait to compute a hash.
        let both = Arc::clone(&passwords.hash_permits).acquire_many_owned(2).await.unwrap();
        let known = hashed(b"wren-tapestry-94", &[7; 16]).unwrap();
        for hash in [None, Some(known.clone())] {
            let answer = passwords.verify(ip, "wren-tapestry-94".into(), hash);
            assert!(futures::FutureExt::now_or_never(answer).is_none());
        }
        drop(both);
        assert!(!passwords.verify(ip, "wren-tapestry-94".into(), None).await.unwrap());
        assert!(passwords.verify(ip, "wren-tapestry-94".into(), Some(known)).await.unwrap());
    }

    #[test]
    fn a_hash_is_argon2id_with_its_cost() {
        let hash = hashed(b"wren-tapestry-94", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    }

    #[test]
    fn the_decoy_costs_as_much_as_a_real_hash() {
        let (real, decoy) = (hashed(b"wren-tapestry-94", &[7; 16]).unwrap(), decoy(&Ambient::system()));
        let (real, decoy) = (PasswordHash::new(&real).unwrap(), PasswordHash::new(&decoy).unwrap());
        assert_eq!(
            (decoy.algorithm, decoy.version, &decoy.params),
            (real.algorithm, real.version, &real.params)
        );
        assert_eq!(decoy.hash.map(|hash| hash.len()), real.hash.map(|hash| hash.len()));
        assert_eq!(
            hasher().unwrap().verify_password(b"wren-tapestry-94", &decoy),
            Err(argon2::password_hash::Error::PasswordInvalid)
        );
    }
}
