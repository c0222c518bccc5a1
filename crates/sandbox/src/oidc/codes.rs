//! Authorization codes. They live for a minute, work once, and are lost when the process ends.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kernel::{MINUTE, Millis};

use super::Provider;
use super::person::Person;
use super::request::Request;

/// Most codes kept at once; the oldest is dropped for a new one.
const MAX_CODES: usize = 1_000;

/// What a code was issued for. Client and return address are not stored, because each provider has only one.
#[derive(Clone)]
pub(super) struct Grant {
    pub(super) provider: Provider,
    pub(super) person: Person,
    /// The request: scopes, nonce and challenge.
    pub(super) request: Request,
}

/// The unused codes with the time each was issued.
#[derive(Default)]
pub(super) struct Codes(Mutex<HashMap<String, (Millis, Grant)>>);

impl Codes {
    pub(super) fn insert(&self, code: String, grant: Grant, now: Millis) {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|_, (issued_at, _)| now < *issued_at + MINUTE);
        if codes.len() >= MAX_CODES {
            let oldest =
                codes.iter().min_by_key(|(_, (issued_at, _))| *issued_at).map(|(code, _)| code.clone());
            oldest.and_then(|code| codes.remove(&code));
        }
        codes.insert(code, (now, grant));
    }

    /// Removes and returns the grant of a code, even if the call fails later.
    pub(super) fn take(&self, provider: Provider, code: &str, now: Millis) -> Option<Grant> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.get(code).filter(|(_, grant)| grant.provider == provider)?;
        let (issued_at, grant) = codes.remove(code)?;
        (now < issued_at + MINUTE).then_some(grant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(provider: Provider) -> Grant {
        let person = Person::new("Ada", "ada@example.com", true).unwrap();
        Grant { provider, person, request: Request::default() }
    }

    #[test]
    fn a_code_works_once_for_its_provider_within_a_minute() {
        let codes = Codes::default();
        codes.insert("a".into(), grant(Provider::Google), 1_000);
        assert!(codes.take(Provider::Apple, "a", 1_000).is_none());
        assert!(codes.take(Provider::Google, "a", 1_000 + MINUTE - 1).is_some());
        assert!(codes.take(Provider::Google, "a", 1_000).is_none());
        codes.insert("b".into(), grant(Provider::Apple), 1_000);
        assert!(codes.take(Provider::Apple, "b", 1_000 + MINUTE).is_none());
    }

    #[test]
    fn the_oldest_code_is_dropped_for_a_new_one() {
        let codes = Codes::default();
        for number in 0..=MAX_CODES {
            codes.insert(number.to_string(), grant(Provider::Google), number as Millis);
        }
        assert!(codes.take(Provider::Google, "0", 2_000).is_none());
        assert!(codes.take(Provider::Google, "1", 2_000).is_some());
        assert!(codes.take(Provider::Google, &MAX_CODES.to_string(), 2_000).is_some());
    }
}
