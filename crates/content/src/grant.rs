//! Playback addresses: for one content, in one playlist or none, for one person in one session, for an hour.
//!
//! Making one writes nothing: everything is in the signed token. The address only names what is to be
//! decided; each request for bytes asks the decision again, so that an address dies with the permission. A
//! renewal writes a row under the grant's id; the address itself never changes.

use kernel::{HOUR, MINUTE, Millis, Uid};
use sha2::{Digest as _, Sha256};
use storage::Signer;

use crate::wire::Shown;

const PURPOSE: &str = "playback";
/// How long an address holds, at the most.
pub const LIFE: Millis = HOUR;
/// Addresses made within the same five minutes are the same, so that browsers may keep what they loaded.
const STEP: Millis = 5 * MINUTE;
const VERSION: u8 = 2;
const BYTES: usize = 1 + 4 * 16 + 8;

/// What a playback address says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The content whose files it opens.
    pub content: Uid,
    /// The playlist it is shown in; staff look without one.
    pub playlist: Option<Uid>,
    /// For whom.
    pub person: Uid,
    /// In which session; the address dies with it.
    pub session: Uid,
    /// Until when, unless it was prolonged.
    pub expires_at: Millis,
}

impl Grant {
    /// For the hour that began up to five minutes ago.
    pub fn new(content: Uid, shown: Shown, now: Millis) -> Self {
        let Shown { person, session, playlist } = shown;
        Self { content, playlist, person, session, expires_at: now - now.rem_euclid(STEP) + LIFE }
    }

    /// The grant as part of an address.
    pub fn token(&self, signer: &Signer) -> String {
        signer.sign(PURPOSE, &self.bytes())
    }

    /// Reads a token of ours; whether its time has come is for the caller to see.
    pub fn read(signer: &Signer, token: &str) -> Option<Self> {
        let bytes: [u8; BYTES] = signer.verify(PURPOSE, token)?.try_into().ok()?;
        let uid = |at: usize| Some(Uid::from_bytes(bytes[at..at + 16].try_into().ok()?));
        let playlist = uid(17)?;
        (bytes[0] == VERSION).then_some(Self {
            content: uid(1)?,
            playlist: (!playlist.is_nil()).then_some(playlist),
            person: uid(33)?,
            session: uid(49)?,
            expires_at: Millis::from_be_bytes(bytes[65..].try_into().ok()?),
        })
    }

    /// The id its renewals are written under.
    pub fn uid(&self) -> Uid {
        let digest: [u8; 32] = Sha256::digest(self.bytes()).into();
        let (half, _) = digest.split_at(16);
        Uid::from_slice(half).unwrap_or_default()
    }

    fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[0] = VERSION;
        bytes[1..17].copy_from_slice(self.content.as_bytes());
        bytes[17..33].copy_from_slice(self.playlist.unwrap_or_default().as_bytes());
        bytes[33..49].copy_from_slice(self.person.as_bytes());
        bytes[49..65].copy_from_slice(self.session.as_bytes());
        bytes[65..].copy_from_slice(&self.expires_at.to_be_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Shown {
        Shown { person: Uid::from_u128(3), session: Uid::from_u128(4), playlist: None }
    }

    #[test]
    fn a_grant_survives_its_token_and_no_change_of_it() {
        let signer = Signer::new(&[1; 32]);
        for playlist in [None, Some(Uid::from_u128(2))] {
            let shown = Shown { playlist, ..shown() };
            let grant = Grant::new(Uid::from_u128(1), shown, 1_800_000_000_000);
            assert_eq!(Grant::read(&signer, &grant.token(&signer)), Some(grant));
            assert_eq!(Grant::read(&Signer::new(&[2; 32]), &grant.token(&signer)), None);
        }
        assert_eq!(Grant::read(&signer, &signer.sign(PURPOSE, b"short")), None);
        assert_eq!(Grant::read(&signer, &signer.sign("ingest", &[1; BYTES])), None);
    }

    #[test]
    fn an_address_holds_for_at_most_an_hour_and_is_the_same_for_five_minutes() {
        let at = |now| Grant::new(Uid::from_u128(1), shown(), now);
        let now = 1_800_000_000_000 - 1_800_000_000_000 % STEP;
        assert_eq!(at(now).expires_at, now + HOUR);
        assert_eq!(at(now), at(now + STEP - 1));
        assert_ne!(at(now).uid(), at(now + STEP).uid());
    }
}
