//! Password rules and argon2id hashes, of which at most two are computed at a time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use kernel::{Ambient, Email, Problem};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::Error;

/// Minimum and maximum length of a password, in characters.
const SHORTEST: usize = 8;
const LONGEST: usize = 128;
/// Hashes computed at a time: each takes 19 MiB and a processor.
const AT_ONCE: usize = 2;
/// Passwords that may be waiting or in progress, in total and per client address; more are refused with 503.
const PLACES: usize = 64;
const PLACES_OF_ORIGIN: usize = 8;
/// Leading characters of a password whose strength is estimated. Estimating more costs far more than a hash,
/// and a password whose start is hard to guess is hard to guess.
const LOOKED_AT: usize = 24;
/// The cost of a hash: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Hashes and verifies passwords off the threads that serve requests.
pub struct Passwords {
    ambient: Ambient,
    /// Permits for hashing.
    permits: Arc<Semaphore>,
    /// The permit for estimating the strength of new passwords. It is separate so that sign-ups never delay
    /// sign-ins.
    looks: Arc<Semaphore>,
    places: Mutex<HashMap<IpAddr, usize>>,
    /// A hash of random bytes, verified for unknown addresses so that they take as long as known ones.
    decoy: Arc<str>,
}

impl Passwords {
    /// Creates an instance with a fresh decoy hash.
    ///
    /// # Errors
    /// Fails if the hash function rejects its parameters.
    pub fn new(ambient: &Ambient) -> Result<Self, argon2::password_hash::Error> {
        let decoy = hashed(&ambient.bytes::<32>(), &ambient.bytes::<16>())?;
        Ok(Self {
            ambient: ambient.clone(),
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            looks: Arc::new(Semaphore::new(1)),
            places: Mutex::default(),
            decoy: decoy.into(),
        })
    }

    /// Returns the hash of a new password, if the password is acceptable.
    ///
    /// # Errors
    /// [`Error::Problem`] that names the field if the password is too short, too long or too easy to guess;
    /// [`Error::Busy`] if too many are waiting.
    pub async fn accept(&self, origin: IpAddr, email: &Email, password: String) -> Result<String, Error> {
        let length = password.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            let sentence = format!("Use {SHORTEST} to {LONGEST} characters for your password.");
            return Err(Problem::field("password", "password_length", sentence).into());
        }
        let _place = Place::take(&self.places, origin)?;
        let (address, looked_at) = (email.clone(), password.clone());
        if apart(&self.looks, move || is_guessable(&address, &looked_at)).await? {
            let sentence = "This password is too easy to guess. Use a longer one, or several unusual words.";
            return Err(Problem::field("password", "weak_password", sentence).into());
        }
        let salt = self.ambient.bytes::<16>();
        let hash = apart(&self.permits, move || hashed(password.as_bytes(), &salt)).await?;
        hash.map_err(|error| unexpected(&error))
    }

    /// Returns whether the password matches the hash. Without a hash it returns false after the same amount
    /// of work.
    ///
    /// # Errors
    /// [`Error::Busy`] if too many are waiting.
    pub async fn verify(
        &self,
        origin: IpAddr,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let _place = Place::take(&self.places, origin)?;
        let decoy = Arc::clone(&self.decoy);
        apart(&self.permits, move || {
            let against = hash.as_deref().unwrap_or(&decoy);
            let fits = hasher().and_then(|argon| argon.verify_password(password.as_bytes(), against)).is_ok();
            fits && hash.is_some()
        })
        .await
    }
}

/// Runs CPU-heavy work on a blocking thread once a permit is available.
async fn apart<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let permit = Arc::clone(turns).acquire_owned().await.map_err(|error| unexpected(&error))?;
    let done = tokio::task::spawn_blocking(move || {
        // The work holds the permit: if the caller disconnects, it continues and must still count.
        let _permit = permit;
        work()
    });
    done.await.map_err(|error| unexpected(&error))
}

/// A slot among the passwords waiting or in progress, released on drop.
struct Place<'a> {
    places: &'a Mutex<HashMap<IpAddr, usize>>,
    origin: IpAddr,
}

impl<'a> Place<'a> {
    fn take(places: &'a Mutex<HashMap<IpAddr, usize>>, origin: IpAddr) -> Result<Self, Error> {
        let mut taken = places.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = taken.values().sum();
        let own = taken.get(&origin).copied().unwrap_or_default();
        if all >= PLACES || own >= PLACES_OF_ORIGIN {
            return Err(Error::Busy);
        }
        taken.insert(origin, own + 1);
        drop(taken);
        Ok(Self { places, origin })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut taken = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.origin) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.remove(&self.origin);
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

/// Returns whether fewer than a million guesses find the password for someone who knows the address.
fn is_guessable(email: &Email, password: &str) -> bool {
    let (name, domain) = email.as_str().split_once('@').unwrap_or_default();
    let first = |text: &str| text.chars().take(LOOKED_AT).collect::<String>();
    let (start, address) = (first(password), first(email.as_str()));
    let known: Vec<&str> = name
        .split(['.', '+', '-', '_'])
        .take(3)
        .chain([address.as_str(), name, domain.split('.').next().unwrap_or_default(), kernel::PRODUCT])
        .filter(|word| word.len() > 2)
        .collect();
    zxcvbn(&start, &known).score() < Score::Two
}

fn unexpected(error: &(dyn std::error::Error + 'static)) -> Error {
    tracing::error!(error = %error, "cannot hash a password");
    Error::Problem(Problem::internal())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(password: &str) -> bool {
        !is_guessable(&Email::parse("ada.lovelace@analytical.example").unwrap(), password)
    }

    #[test]
    fn what_everybody_tries_first_is_refused() {
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
            assert!(!is_taken(weak), "{weak}");
        }
        for good in ["wren-tapestry-94", "correct horse battery staple", "zX9#qL2!vb", "многопарольныйслон"]
        {
            assert!(is_taken(good), "{good}");
        }
    }

    #[test]
    fn only_the_first_part_of_a_password_is_looked_at() {
        // Estimating all of a hostile password takes seconds and hundreds of megabytes.
        let strong = "wren-tapestry-94 otter-lantern";
        assert!(is_taken(strong) && is_taken(&format!("{strong}{}", "4".repeat(90))));
        assert!(!is_taken(&format!("{}{strong}", "a".repeat(LOOKED_AT))));
    }

    #[test]
    fn one_origin_takes_a_part_of_the_places_and_gives_them_back() {
        let places = Mutex::default();
        let at = |n: u8| IpAddr::from([192, 0, 2, n]);
        let own: Vec<_> = (0..PLACES_OF_ORIGIN).map(|_| Place::take(&places, at(1)).unwrap()).collect();
        assert!(matches!(Place::take(&places, at(1)), Err(Error::Busy)));
        let others: Vec<_> = (0..PLACES - PLACES_OF_ORIGIN)
            .map(|n| Place::take(&places, at(2 + u8::try_from(n / PLACES_OF_ORIGIN).unwrap())).unwrap())
            .collect();
        assert!(matches!(Place::take(&places, at(99)), Err(Error::Busy)), "all are taken");
        drop(own);
        assert!(Place::take(&places, at(1)).is_ok());
        drop(others);
        assert!(places.lock().unwrap().is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn an_unknown_address_costs_a_hash_too() {
        let passwords = Passwords::new(&Ambient::system()).unwrap();
        let origin = IpAddr::from([192, 0, 2, 1]);
        // With both permits taken, neither call can finish: both wait to compute a hash.
        let both = Arc::clone(&passwords.permits).acquire_many_owned(2).await.unwrap();
        let known = hashed(b"wren-tapestry-94", &[7; 16]).unwrap();
        for hash in [None, Some(known.clone())] {
            let answer = passwords.verify(origin, "wren-tapestry-94".into(), hash);
            assert!(futures::FutureExt::now_or_never(answer).is_none());
        }
        drop(both);
        assert!(!passwords.verify(origin, "wren-tapestry-94".into(), None).await.unwrap());
        assert!(passwords.verify(origin, "wren-tapestry-94".into(), Some(known)).await.unwrap());
    }

    #[test]
    fn a_hash_is_argon2id_with_its_cost() {
        let hash = hashed(b"wren-tapestry-94", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    }
}
