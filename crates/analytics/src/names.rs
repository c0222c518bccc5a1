//! Names of viewers. A person with consent has a random name, kept beside the person until the consent ends. Everyone
//! has an anonymous name per day, made with a random salt that is deleted a few days later; then nothing connects the
//! name with the person.

use std::collections::BTreeMap;

use kernel::{Ambient, HOUR, OrgId, PersonId, Signer, Timestamp, ViewerId};
use sha2::{Digest as _, Sha256};

use crate::definitions::{DELAY_MAX, day_of};

/// Salts by UTC day.
pub type Salts = BTreeMap<i64, Vec<u8>>;

/// Derives anonymous names.
pub struct Names {
    key: [u8; 32],
}

impl Names {
    pub fn new(signer: &Signer) -> Self {
        Self { key: signer.derive("viewer-names") }
    }

    /// Returns the person's anonymous name of the day with this salt.
    pub fn anonymous(&self, salt: &[u8], org: OrgId, person: PersonId) -> ViewerId {
        let mut digest = Sha256::new_with_prefix(self.key);
        digest.update(salt);
        digest.update(org.as_bytes());
        digest.update(person.as_bytes());
        let digest: [u8; 32] = digest.finalize().into();
        let (half, _) = digest.split_at(16);
        ViewerId::from_slice(half).unwrap_or(ViewerId::nil())
    }
}

/// Returns a name that is derived from nothing.
pub fn random_name(ambient: &Ambient) -> ViewerId {
    ViewerId::from_u128(u128::from_be_bytes(ambient.bytes()))
}

/// Returns the UTC days of events that are accepted now, and of what counted within an hour before or after them.
pub fn accepted_days(now: Timestamp) -> std::ops::RangeInclusive<i64> {
    day_of(now - DELAY_MAX - HOUR)..=day_of(now + HOUR)
}

#[cfg(test)]
mod tests {
    use kernel::DAY;

    use super::*;
    use crate::definitions::NAMES_KEPT_DAYS;

    #[test]
    fn names_differ_by_salt_organisation_person_and_server() {
        let names = |secret| Names::new(&Signer::new(&[secret; 32]));
        let (org, person) = (OrgId::from_u128(1), PersonId::from_u128(2));
        let all = [
            names(1).anonymous(b"one", org, person),
            names(1).anonymous(b"two", org, person),
            names(1).anonymous(b"one", OrgId::from_u128(3), person),
            names(1).anonymous(b"one", org, PersonId::from_u128(3)),
            names(2).anonymous(b"one", org, person),
        ];
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all[0], names(1).anonymous(b"one", org, person));
    }

    #[test]
    fn salts_are_kept_as_long_as_names_are_needed() {
        for now in [20_000 * DAY, 20_000 * DAY + HOUR / 2, 20_001 * DAY - 1] {
            let now = Timestamp::from_ms(now);
            assert!(*accepted_days(now).start() >= day_of(now) - NAMES_KEPT_DAYS);
        }
    }
}
