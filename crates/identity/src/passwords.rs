//! Passwords: which are taken, and their argon2id hashes, at most two of them made at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use kernel::{Ambient, Email, Problem};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::Error;

/// Characters a password has at least and at most.
const SHORTEST: usize = 8;
const LONGEST: usize = 128;
/// Hashes made at once: each takes 19 MiB and a processor.
const AT_ONCE: usize = 2;
/// Hashes that may wait; more are told to come again.
const WAITING: usize = 64;
/// What a hash costs: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Hashes and checks passwords away from the threads that serve requests.
pub struct Passwords {
    ambient: Ambient,
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// A hash of nothing anybody knows: what an unknown address costs.
    decoy: Arc<str>,
}

impl Passwords {
    /// Makes the decoy.
    ///
    /// # Errors
    /// When the hash function refuses its parameters.
    pub fn new(ambient: &Ambient) -> Result<Self, argon2::password_hash::Error> {
        let decoy = hashed(&ambient.bytes::<32>(), &ambient.bytes::<16>())?;
        Ok(Self {
            ambient: ambient.clone(),
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: AtomicUsize::new(0),
            decoy: decoy.into(),
        })
    }

    /// The hash of a new password, if it is one to be taken.
    ///
    /// # Errors
    /// [`Error::Problem`] naming the field when it is too short, too long or too easy to guess.
    pub async fn accept(&self, email: &Email, password: String) -> Result<String, Error> {
        let length = password.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            let sentence = format!("Use {SHORTEST} to {LONGEST} characters for your password.");
            return Err(Problem::field("password", "password_length", sentence).into());
        }
        let (email, salt) = (email.clone(), self.ambient.bytes::<16>());
        self.work(move || {
            if is_guessable(&email, &password) {
                let sentence =
                    "This password is too easy to guess. Use a longer one, or several unusual words.";
                return Err(Problem::field("password", "weak_password", sentence).into());
            }
            hashed(password.as_bytes(), &salt).map_err(|error| unexpected(&error))
        })
        .await?
    }

    /// Whether this is the password behind the hash. Without a hash the answer is no and takes as long.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, Error> {
        let decoy = Arc::clone(&self.decoy);
        self.work(move || {
            let against = hash.as_deref().unwrap_or(&decoy);
            let fits = hasher().and_then(|argon| argon.verify_password(password.as_bytes(), against)).is_ok();
            fits && hash.is_some()
        })
        .await
    }

    /// Runs heavy work on a thread of its own when its turn comes.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let _place = Place::take(&self.waiting)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|error| unexpected(&error))?;
        let done = tokio::task::spawn_blocking(move || {
            // The permit goes with the work: a caller who leaves must not let a third one begin.
            let _permit = permit;
            work()
        });
        done.await.map_err(|error| unexpected(&error))
    }
}

/// A place among those who wait or work, given back when dropped.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize) -> Result<Self, Error> {
        let place = Self(waiting);
        if waiting.fetch_add(1, Ordering::Relaxed) < WAITING + AT_ONCE {
            return Ok(place);
        }
        let mut busy =
            Problem::new(503, "busy", "Too many people are signing in. Please try again in a moment.");
        busy.retry_after = Some(2);
        Err(busy.into())
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn hasher() -> Result<Argon2<'static>, argon2::password_hash::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hashed(password: &[u8], salt: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(hasher()?.hash_password_with_salt(password, salt)?.to_string())
}

/// Whether fewer than a million guesses find it, knowing the address.
fn is_guessable(email: &Email, password: &str) -> bool {
    let inputs: Vec<&str> = std::iter::once(email.as_str())
        .chain(email.as_str().split(['@', '.', '+', '-', '_']))
        .chain([kernel::PRODUCT])
        .filter(|word| word.len() > 2)
        .collect();
    zxcvbn(password, &inputs).score() < Score::Two
}

fn unexpected(error: &(dyn std::error::Error + 'static)) -> Error {
    tracing::error!(error = %error, "a password could not be hashed");
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
    fn a_hash_is_argon2id_with_its_cost() {
        let hash = hashed(b"wren-tapestry-94", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    }
}
