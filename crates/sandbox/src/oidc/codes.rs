//! Authorization codes. They live for a minute, work once, and are lost when the process ends.

use std::collections::HashMap;

use kernel::{MINUTE, Timestamp};
use parking_lot::Mutex;

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
pub(super) struct Codes(Mutex<HashMap<String, (Timestamp, Grant)>>);

impl Codes {
    pub(super) fn insert(&self, code: String, grant: Grant, now: Timestamp) {
        let mut codes = self.0.lock();
        codes.retain(|_, (issued_at, _)| now < *issued_at + MINUTE);
        if codes.len() >= MAX_CODES {
            let oldest =
                codes.iter().min_by_key(|(_, (issued_at, _))| *issued_at).map(|(code, _)| code.clone());
            oldest.and_then(|code| codes.remove(&code));
        }
        codes.insert(code, (now, grant));
    }

    /// Removes and returns the grant of a code, even if the call fails later.
    pub(super) fn take(&self, provider: Provider, code: &str, now: Timestamp) -> Option<Grant> {
        let mut codes = self.0.lock();
        codes.get(code).filter(|(_, grant)| grant.provider == provider)?;
        let (issued_at, grant) = codes.remove(code)?;
        (now < issued_at + MINUTE).then_some(grant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_seconds(1);

    fn grant(provider: Provider) -> Grant {
        let person = Person::new("Ada", "ada@example.com", true).unwrap();
        Grant { provider, person, request: Request::default() }
    }

    #[test]
    fn a_code_works_once_for_its_provider_within_a_minute() {
        let codes = Codes::default();
        codes.insert("a".into(), grant(Provider::Google), AT);
        assert!(codes.take(Provider::Apple, "a", AT).is_none());
        assert!(codes.take(Provider::Google, "a", AT + MINUTE - 1).is_some());
        assert!(codes.take(Provider::Google, "a", AT).is_none());
        codes.insert("b".into(), grant(Provider::Apple), AT);
        assert!(codes.take(Provider::Apple, "b", AT + MINUTE).is_none());
    }

    #[test]
    fn the_oldest_code_is_dropped_for_a_new_one() {
        let codes = Codes::default();
        for number in 0..=MAX_CODES {
            codes.insert(number.to_string(), grant(Provider::Google), Timestamp::from_ms(number as i64));
        }
        assert!(codes.take(Provider::Google, "0", AT).is_none());
        assert!(codes.take(Provider::Google, "1", AT).is_some());
        assert!(codes.take(Provider::Google, &MAX_CODES.to_string(), AT).is_some());
    }
}
