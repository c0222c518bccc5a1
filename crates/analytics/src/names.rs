//! Pseudonymous names of viewers: digests keyed with the server's secret.

use kernel::{DAY, OrgId, PersonId, Signer, Timestamp, ViewerId};
use sha2::{Digest as _, Sha256};

use crate::definitions::{DELAY_MAX, day_of};

/// Used in place of the day for names that do not change daily.
pub const EVERY_DAY: i64 = -1;

/// Derives viewer names.
pub struct Names {
    key: [u8; 32],
}

impl Names {
    pub fn new(signer: &Signer) -> Self {
        Self { key: signer.derive("viewer-names") }
    }

    /// Returns whether `viewer` is one of the person's names on the days from which events are accepted.
    pub fn is_name_of(&self, viewer: ViewerId, org: OrgId, person: PersonId, now: Timestamp) -> bool {
        let days = accepted_days(now);
        std::iter::once(EVERY_DAY).chain(days).any(|day| self.name(org, person, day) == viewer)
    }

    /// Returns the person's name on a UTC day, or on [`EVERY_DAY`].
    pub fn name(&self, org: OrgId, person: PersonId, day: i64) -> ViewerId {
        let mut digest = Sha256::new_with_prefix(self.key);
        digest.update(org.as_bytes());
        digest.update(person.as_bytes());
        digest.update(day.to_be_bytes());
        let digest: [u8; 32] = digest.finalize().into();
        let (half, _) = digest.split_at(16);
        ViewerId::from_slice(half).unwrap_or(ViewerId::nil())
    }
}

/// Returns the UTC days from which events are accepted.
pub fn accepted_days(now: Timestamp) -> std::ops::RangeInclusive<i64> {
    day_of(now - DELAY_MAX)..=day_of(now + DAY)
}
