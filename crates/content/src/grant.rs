//! Playback addresses: for one item, in one playlist or none, for one person in one session, for one hour.
//!
//! Creating one writes nothing, because the signed token holds everything. The address only identifies what
//! is to be authorised: each request for bytes decides again, so an address stops working with the
//! permission. Renewal writes a row under the grant's id. The address itself never changes, so neither a
//! media element nor a loaded HLS playlist needs a new one.

use kernel::{
    ContentId, GrantId, HOUR, MINUTE, Millis, PersonId, PlaylistId, SessionId, Signer, Timestamp, Uid,
};
use orgs::{OrgScope, Right};
use sha2::{Digest as _, Sha256};

use crate::visibility::{PlaylistAccess, Viewer};

const PURPOSE: &str = "playback";
/// Maximum time an address is valid without renewal.
pub const LIFETIME: Millis = HOUR;
/// Addresses created within the same five minutes are identical, which lets browsers cache what they loaded.
const STEP: Millis = 5 * MINUTE;
const VERSION: u8 = 2;
const BYTES: usize = 1 + 4 * 16 + 8;

/// The person, session and playlist an item is shown to. Its addresses are valid for them alone.
#[derive(Clone, Copy, Debug)]
pub struct ViewContext {
    /// Person who sees it.
    pub person: PersonId,
    /// Session of that person.
    pub session: SessionId,
    /// Playlist it is shown in, if any.
    pub playlist: Option<PlaylistId>,
    /// When that playlist expires.
    pub playlist_expires_at: Option<Timestamp>,
    /// Whether the person is a member of staff.
    pub viewer: Viewer,
}

impl ViewContext {
    /// Creates it for the caller whose scope this is.
    pub(crate) fn of<R: Right>(scope: &OrgScope<R>, playlist: Option<(PlaylistId, PlaylistAccess)>) -> Self {
        Self {
            person: scope.person(),
            session: scope.session(),
            playlist: playlist.map(|(uid, _)| uid),
            playlist_expires_at: playlist.and_then(|(_, access)| access.schedule.expire_at),
            viewer: Viewer::of(Some(scope.role())),
        }
    }
}

/// The content of a playback address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The item whose files it gives access to.
    pub content: ContentId,
    /// The playlist it is shown in; staff need none.
    pub playlist: Option<PlaylistId>,
    /// The person it was given to.
    pub person: PersonId,
    /// The session it is for; the address stops working when it ends.
    pub session: SessionId,
    /// End of validity, unless it was renewed.
    pub expires_at: Timestamp,
}

impl Grant {
    /// Creates a grant for one hour, counted from the last full five minutes, or until `closes_at` if that is
    /// earlier.
    pub fn new(content: ContentId, view: ViewContext, closes_at: Option<Timestamp>, now: Timestamp) -> Self {
        let ViewContext { person, session, playlist, .. } = view;
        let hour = now - now.ms().rem_euclid(STEP) + LIFETIME;
        Self { content, playlist, person, session, expires_at: closes_at.map_or(hour, |at| at.min(hour)) }
    }

    /// Returns the signed token that goes into the address.
    pub fn token(&self, signer: &Signer) -> String {
        signer.sign(PURPOSE, &self.bytes())
    }

    /// Verifies and parses a token. The caller checks its expiry.
    pub fn read(signer: &Signer, token: &str) -> Option<Self> {
        let bytes: [u8; BYTES] = signer.verify(PURPOSE, token)?.try_into().ok()?;
        let playlist: PlaylistId = id_at(&bytes, 17)?;
        (bytes[0] == VERSION).then_some(Self {
            content: id_at(&bytes, 1)?,
            playlist: (!playlist.is_nil()).then_some(playlist),
            person: id_at(&bytes, 33)?,
            session: id_at(&bytes, 49)?,
            expires_at: Timestamp::from_ms(i64::from_be_bytes(bytes[65..].try_into().ok()?)),
        })
    }

    /// Returns the id under which renewals are stored.
    pub fn uid(&self) -> GrantId {
        let digest: [u8; 32] = Sha256::digest(self.bytes()).into();
        let half = digest.first_chunk().copied().unwrap_or_default();
        Uid::from_bytes(half).into()
    }

    fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[0] = VERSION;
        bytes[1..17].copy_from_slice(self.content.as_bytes());
        bytes[17..33].copy_from_slice(self.playlist.unwrap_or(PlaylistId::nil()).as_bytes());
        bytes[33..49].copy_from_slice(self.person.as_bytes());
        bytes[49..65].copy_from_slice(self.session.as_bytes());
        bytes[65..].copy_from_slice(&self.expires_at.ms().to_be_bytes());
        bytes
    }
}

/// Returns the id whose bytes begin at `at`.
fn id_at<T: From<Uid>>(bytes: &[u8; BYTES], at: usize) -> Option<T> {
    Some(Uid::from_bytes(bytes[at..at + 16].try_into().ok()?).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn view() -> ViewContext {
        ViewContext {
            person: PersonId::from_u128(3),
            session: SessionId::from_u128(4),
            playlist: None,
            playlist_expires_at: None,
            viewer: Viewer::User,
        }
    }

    #[test]
    fn a_grant_is_read_back_from_its_token_unless_it_was_changed() {
        let signer = Signer::new(&[1; 32]);
        for playlist in [None, Some(PlaylistId::from_u128(2))] {
            let view = ViewContext { playlist, ..view() };
            let grant = Grant::new(ContentId::from_u128(1), view, None, at_ms(1_800_000_000_000));
            assert_eq!(Grant::read(&signer, &grant.token(&signer)), Some(grant));
            assert_eq!(Grant::read(&Signer::new(&[2; 32]), &grant.token(&signer)), None);
        }
        assert_eq!(Grant::read(&signer, &signer.sign(PURPOSE, b"short")), None);
        assert_eq!(Grant::read(&signer, &signer.sign("ingest", &[1; BYTES])), None);
    }

    #[test]
    fn an_address_is_valid_for_at_most_an_hour_and_identical_for_five_minutes() {
        let at = |now| Grant::new(ContentId::from_u128(1), view(), None, now);
        let now = at_ms(1_800_000_000_000 - 1_800_000_000_000 % STEP);
        assert_eq!(at(now).expires_at, now + HOUR);
        assert_eq!(at(now), at(now + STEP - 1));
        assert_ne!(at(now).uid(), at(now + STEP).uid());
    }

    #[test]
    fn an_address_ends_when_the_item_closes() {
        let now = at_ms(1_800_000_000_000 - 1_800_000_000_000 % STEP);
        let until = |at| Grant::new(ContentId::from_u128(1), view(), Some(at), now).expires_at;
        assert_eq!(until(now + MINUTE), now + MINUTE);
        assert_eq!(until(now + 2 * HOUR), now + HOUR);
    }
}
