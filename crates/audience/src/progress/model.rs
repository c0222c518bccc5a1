//! The rules of progress: what can be resumed, what counts as seen, and when a visit ends.

use content::ContentKind;
use kernel::{ContentId, MINUTE, Millis, PlaylistId, Timestamp};

/// Shorter videos and audio start from the beginning.
const SHORTEST_RESUMED: Millis = 5 * MINUTE;
/// Percentages of the length before which nothing is resumed, and from which an item counts as seen.
const BEGUN: i128 = 5;
const SEEN: i128 = 90;
/// A visit ends after this time without a sign of the person.
const VISIT_GAP: Millis = 30 * MINUTE;

/// How far a person is in an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemProgress {
    pub content: ContentId,
    /// The playlist in which it was opened last.
    pub playlist: PlaylistId,
    /// Milliseconds, or the page of a document; 0 if there is nothing to resume.
    pub position: i64,
    pub length: Option<i64>,
    /// When the person finished it for the first time.
    pub seen_at: Option<Timestamp>,
    /// When the app took the position.
    pub taken_at: Timestamp,
}

/// A position as the app reports it.
#[derive(Clone, Copy, Debug)]
pub struct Reported {
    pub content: ContentId,
    pub playlist: PlaylistId,
    /// Milliseconds, or the page of a document.
    pub position: i64,
    /// Milliseconds or pages.
    pub length: Option<i64>,
    pub taken_at: Timestamp,
}

/// Returns what to store, or `None` if a newer position is stored. A mark of what was seen stays.
pub fn progress_after(
    before: Option<&ItemProgress>,
    reported: Reported,
    kind: ContentKind,
) -> Option<ItemProgress> {
    let Reported { content, playlist, position, length, taken_at } = reported;
    if before.is_some_and(|before| before.taken_at >= taken_at) {
        return None;
    }
    let reached = reached(kind, position, length);
    let seen_at = before.and_then(|before| before.seen_at).or(reached.seen.then_some(taken_at));
    Some(ItemProgress { content, playlist, position: reached.position, length, seen_at, taken_at })
}

struct Reached {
    position: i64,
    seen: bool,
}

/// Decides what a position is worth. Images and other files are seen when they are opened.
fn reached(kind: ContentKind, position: i64, length: Option<i64>) -> Reached {
    let known = length.filter(|length| *length > 0);
    match (kind, known) {
        (ContentKind::Image | ContentKind::File, _) => Reached { position: 0, seen: true },
        (_, None) => Reached { position: 0, seen: false },
        (ContentKind::Pdf, Some(pages)) => {
            let seen = position >= pages;
            Reached { position: if seen || position <= 1 { 0 } else { position }, seen }
        }
        (ContentKind::Video | ContentKind::Audio | ContentKind::Embed, Some(length)) => {
            let share = i128::from(position) * 100;
            let seen = share >= SEEN * i128::from(length);
            let forgotten = seen || share < BEGUN * i128::from(length) || length < SHORTEST_RESUMED;
            Reached { position: if forgotten { 0 } else { position }, seen }
        }
    }
}

/// The visits of a person in an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visits {
    /// The last sign of the person.
    pub active_at: Timestamp,
    /// The last sign of the person in the visit before.
    pub previous_at: Option<Timestamp>,
}

/// Returns the visits after a sign of the person at `now`.
pub fn visits_after(before: Option<Visits>, now: Timestamp) -> Visits {
    Visits { active_at: now, previous_at: visit_before(before, now) }
}

/// Returns when the visit before the one at `now` ended, whether or not the current one has been stored.
pub fn visit_before(visits: Option<Visits>, now: Timestamp) -> Option<Timestamp> {
    let visits = visits?;
    if now - visits.active_at > VISIT_GAP { Some(visits.active_at) } else { visits.previous_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn reported(position: i64, length: Option<i64>, taken_at: i64) -> Reported {
        let (content, playlist) = (ContentId::from_u128(1), PlaylistId::from_u128(2));
        Reported { content, playlist, position, length, taken_at: at(taken_at) }
    }

    fn after(kind: ContentKind, position: i64, length: Option<i64>) -> (i64, bool) {
        let stored = progress_after(None, reported(position, length, 7), kind).unwrap();
        (stored.position, stored.seen_at == Some(at(7)))
    }

    #[test]
    fn a_video_is_resumed_between_five_and_ninety_percent_of_at_least_five_minutes() {
        for kind in [ContentKind::Video, ContentKind::Audio, ContentKind::Embed] {
            for (position, length, expected) in [
                (0, 300_000, (0, false)),
                (14_999, 300_000, (0, false)),
                (15_000, 300_000, (15_000, false)),
                (269_999, 300_000, (269_999, false)),
                (270_000, 300_000, (0, true)),
                (300_000, 300_000, (0, true)),
                (100_000, 299_999, (0, false)),
                (299_999, 299_999, (0, true)),
            ] {
                assert_eq!(after(kind, position, Some(length)), expected, "{kind:?} {position} of {length}");
            }
            assert_eq!(after(kind, 100_000, None), (0, false));
        }
    }

    #[test]
    fn a_document_keeps_its_page_until_the_last_one_and_a_picture_is_seen_at_once() {
        assert_eq!(after(ContentKind::Pdf, 1, Some(12)), (0, false));
        assert_eq!(after(ContentKind::Pdf, 2, Some(12)), (2, false));
        assert_eq!(after(ContentKind::Pdf, 12, Some(12)), (0, true));
        assert_eq!(after(ContentKind::Pdf, 1, Some(1)), (0, true));
        assert_eq!(after(ContentKind::Image, 0, None), (0, true));
        assert_eq!(after(ContentKind::File, 0, None), (0, true));
    }

    #[test]
    fn the_newest_position_wins_in_any_order_of_arrival_and_seen_stays_seen() {
        let first = progress_after(None, reported(580_000, Some(600_000), 5), ContentKind::Video).unwrap();
        let again =
            progress_after(Some(&first), reported(60_000, Some(600_000), 9), ContentKind::Video).unwrap();
        assert_eq!((again.position, again.seen_at), (60_000, Some(at(5))));
        for old in [5, 9] {
            let late = reported(90_000, Some(600_000), old);
            assert_eq!(progress_after(Some(&again), late, ContentKind::Video), None);
        }
    }

    #[test]
    fn a_visit_ends_after_half_an_hour_and_the_order_of_reading_and_saving_does_not_matter() {
        assert_eq!(visit_before(None, at(1)), None);
        let first = visits_after(None, at(0));
        assert_eq!(first, Visits { active_at: at(0), previous_at: None });
        let same = visits_after(Some(first), at(VISIT_GAP));
        assert_eq!(same.previous_at, None);
        let later = at(2 * VISIT_GAP + 1);
        assert_eq!(visit_before(Some(same), later), Some(at(VISIT_GAP)));
        let second = visits_after(Some(same), later);
        assert_eq!(second.previous_at, Some(at(VISIT_GAP)));
        assert_eq!(visit_before(Some(second), later + 1), Some(at(VISIT_GAP)));
    }
}
