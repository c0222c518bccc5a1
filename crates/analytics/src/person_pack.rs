//! The stored form of what a person watched in a period: the totals by hour, in few bytes. No async, no SQL, no HTTP.
//!
//! A version, the number of the period, the playlists, and each content item with its entries: the playlist, the seconds
//! since the hour of the entry before or the start of the period, the watch time and the views. Counts come before what they
//! count, so that several packs are read one after the other.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use kernel::{ContentId, DAY, Millis, PlaylistId, SECOND, Timestamp};

use crate::packed::{Bytes, push_number};
use crate::series::Range;

/// Length of a packed period of a person: two weeks, half of [`crate::totals::PERIOD`]. Periods are counted from the epoch. A
/// statement has it as a number.
pub const FORTNIGHT: Millis = 14 * DAY;

/// Version of the stored form.
const VERSION: u8 = 2;

/// Approximate size, over all packs, of an item that a person watches now and then.
const BYTES_PER_ITEM: usize = 48;

/// What a person watched of a content item, in a playlist or outside of playlists, in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchedHour {
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
    /// Start of the hour.
    pub hour: Timestamp,
}

/// A person's watch time and views of one content item or playlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchTotals {
    pub watch_ms: Millis,
    pub views: i64,
}

/// Totals of content items or playlists, of which one person may have a thousand.
pub type TotalsById<Id> = HashMap<Id, WatchTotals>;

/// A person's watch time and views by content item and by playlist.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub total_ms: Millis,
    pub content: TotalsById<ContentId>,
    pub playlists: TotalsById<PlaylistId>,
}

/// An entry, as it is stored.
struct Entry {
    content: ContentId,
    /// Number of the playlist from 1, or 0 outside of playlists.
    playlist: usize,
    hour: Timestamp,
    totals: WatchTotals,
}

/// Returns the start of the period of a time.
pub fn fortnight_of(time: Timestamp) -> Timestamp {
    time - time.ms().rem_euclid(FORTNIGHT)
}

/// Returns the stored form of what was watched in a period.
pub fn write(period: Timestamp, hours: &BTreeMap<WatchedHour, WatchTotals>) -> Vec<u8> {
    let mut playlists: Vec<PlaylistId> = hours.keys().filter_map(|key| key.playlist).collect();
    playlists.sort_unstable();
    playlists.dedup();
    let mut bytes = Vec::with_capacity(32 + hours.len() * 24);
    bytes.push(VERSION);
    push_number(&mut bytes, period.ms() / FORTNIGHT);
    push_number(&mut bytes, playlists.len() as i64);
    for playlist in &playlists {
        bytes.extend_from_slice(playlist.as_bytes());
    }
    let mut sorted: Vec<(&WatchedHour, &WatchTotals)> = hours.iter().collect();
    sorted.sort_by_key(|(key, _)| (key.content, key.hour, key.playlist));
    let items: Vec<_> = sorted.chunk_by(|one, next| one.0.content == next.0.content).collect();
    push_number(&mut bytes, items.len() as i64);
    for entries in items {
        let Some((WatchedHour { content, .. }, _)) = entries.first() else { continue };
        bytes.extend_from_slice(content.as_bytes());
        push_number(&mut bytes, entries.len() as i64);
        let mut before = period;
        for (key, totals) in entries {
            let number = key.playlist.and_then(|playlist| playlists.binary_search(&playlist).ok());
            push_number(&mut bytes, number.map_or(0, |number| number as i64 + 1));
            push_number(&mut bytes, (key.hour - before) / SECOND);
            push_number(&mut bytes, totals.watch_ms);
            push_number(&mut bytes, totals.views);
            before = key.hour;
        }
    }
    bytes
}

/// Receives what a pack has.
trait Visitor {
    /// Receives an entry.
    fn entry(&mut self, entry: Entry);

    /// Receives an item, after all of its entries.
    fn end_of_item(&mut self, _content: ContentId) {}
}

impl Visitor for Vec<Entry> {
    fn entry(&mut self, entry: Entry) {
        self.push(entry);
    }
}

/// Reads one pack. Returns its period and its playlists; `None` if the stored form is damaged.
fn read_one(bytes: &mut Bytes<'_>, visitor: &mut impl Visitor) -> Option<(Timestamp, Vec<PlaylistId>)> {
    if bytes.take::<1>()? != [VERSION] {
        return None;
    }
    let period = Timestamp::from_ms(bytes.number()?.checked_mul(FORTNIGHT)?);
    let mut playlists = Vec::new();
    for _ in 0..bytes.number()? {
        playlists.push(PlaylistId::from_u128(u128::from_be_bytes(bytes.take()?)));
    }
    for _ in 0..bytes.number()? {
        let content = ContentId::from_u128(u128::from_be_bytes(bytes.take()?));
        let mut since_start: Millis = 0;
        for _ in 0..bytes.number()? {
            let playlist = usize::try_from(bytes.number()?).ok()?;
            since_start = since_start.checked_add(bytes.number()?.checked_mul(SECOND)?)?;
            if playlist > playlists.len() || since_start >= FORTNIGHT {
                return None;
            }
            let totals = WatchTotals { watch_ms: bytes.number()?, views: bytes.number()? };
            visitor.entry(Entry { content, playlist, hour: period + since_start, totals });
        }
        visitor.end_of_item(content);
    }
    Some((period, playlists))
}

/// Reads what was watched in the period of one pack. Returns `None` if the stored form is damaged.
pub fn read(period: Timestamp, data: &[u8]) -> Option<BTreeMap<WatchedHour, WatchTotals>> {
    let (mut bytes, mut entries) = (Bytes::new(data), Vec::new());
    let (stored, playlists) = read_one(&mut bytes, &mut entries)?;
    if stored != period || !bytes.is_empty() {
        return None;
    }
    let playlist_of = |number: usize| number.checked_sub(1).and_then(|index| playlists.get(index)).copied();
    let hours = entries.into_iter().map(|Entry { content, playlist, hour, totals }| {
        (WatchedHour { content, playlist: playlist_of(playlist), hour }, totals)
    });
    Some(hours.collect())
}

impl WatchTotals {
    fn add(&mut self, other: Self) {
        self.watch_ms += other.watch_ms;
        self.views += other.views;
    }
}

impl Watched {
    /// Adds what was watched in an hour, or together with a visit.
    pub fn add(&mut self, content: Option<ContentId>, playlist: Option<PlaylistId>, totals: WatchTotals) {
        self.total_ms += totals.watch_ms;
        if let Some(content) = content {
            self.content.entry(content).or_default().add(totals);
        }
        if let Some(playlist) = playlist {
            self.playlists.entry(playlist).or_default().add(totals);
        }
    }

    /// Adds what packs, one after the other, have in a range. Returns their periods; `None` if the stored form is damaged.
    pub fn add_packs(&mut self, data: &[u8], range: Range) -> Option<Vec<Timestamp>> {
        self.content.reserve(data.len() / BYTES_PER_ITEM);
        let (mut bytes, mut periods) = (Bytes::new(data), Vec::new());
        let mut in_range = InRange { watched: self, range, of_item: None, of_playlists: Vec::new() };
        while !bytes.is_empty() {
            in_range.of_playlists.clear();
            let (period, playlists) = read_one(&mut bytes, &mut in_range)?;
            for (playlist, totals) in playlists.into_iter().zip(in_range.of_playlists.iter().skip(1)) {
                in_range.watched.playlists.entry(playlist).or_default().add(*totals);
            }
            periods.push(period);
        }
        Some(periods)
    }
}

/// Adds the entries of packs that are in a range. There is one look-up for all entries of an item, and one for all of a
/// playlist.
struct InRange<'a> {
    watched: &'a mut Watched,
    range: Range,
    of_item: Option<WatchTotals>,
    /// By the number of the playlist in the pack.
    of_playlists: Vec<WatchTotals>,
}

impl Visitor for InRange<'_> {
    fn entry(&mut self, entry: Entry) {
        if entry.hour < self.range.start || entry.hour >= self.range.end {
            return;
        }
        self.of_item.get_or_insert_default().add(entry.totals);
        if self.of_playlists.len() <= entry.playlist {
            self.of_playlists.resize(entry.playlist + 1, WatchTotals::default());
        }
        self.of_playlists[entry.playlist].add(entry.totals);
    }

    fn end_of_item(&mut self, content: ContentId) {
        if let Some(totals) = self.of_item.take() {
            self.watched.add(Some(content), None, totals);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::HOUR;

    use super::*;

    const START: Timestamp = Timestamp::from_ms(730 * FORTNIGHT);

    fn hours(count: u128) -> BTreeMap<WatchedHour, WatchTotals> {
        let key = |n: u128| WatchedHour {
            content: ContentId::from_u128((1 << 90) + n % 4),
            playlist: (!n.is_multiple_of(3)).then(|| PlaylistId::from_u128((n % 3) << 70)),
            // Also hours of zones that begin at half past.
            hour: START + (n as i64 * 61 % 336) * HOUR + n as i64 % 2 * 30 * 60 * SECOND,
        };
        let totals = |n: u128| WatchTotals { watch_ms: n as i64 * 100_003, views: n as i64 % 5 };
        (0..count).map(|n| (key(n), totals(n))).collect()
    }

    #[test]
    fn the_statement_that_compares_has_the_same_periods() {
        assert_eq!(FORTNIGHT, 1_209_600_000);
        assert_eq!((fortnight_of(START + FORTNIGHT - 1), fortnight_of(START)), (START, START));
    }

    #[test]
    fn everything_is_read_again() {
        let all = hours(40);
        assert_eq!(all.len(), 40);
        let data = write(START, &all);
        assert_eq!(read(START, &data), Some(all));
        assert!(data.len() < 40 * 12, "{}", data.len());
        assert_eq!(read(START + FORTNIGHT, &data), None, "another period");
        assert_eq!(read(START, &write(START, &BTreeMap::new())), Some(BTreeMap::new()));
    }

    #[test]
    fn packs_one_after_the_other_add_up_to_the_entries_of_the_range() {
        let (all, next) = (hours(40), START + FORTNIGHT);
        let later: BTreeMap<_, _> = hours(7)
            .into_iter()
            .map(|(key, totals)| (WatchedHour { hour: key.hour + FORTNIGHT, ..key }, totals))
            .collect();
        let data = [write(START, &all), write(next, &later)].concat();
        for (start, end) in
            [(START, next + FORTNIGHT), (START + 100 * HOUR, next + HOUR), (next, next + 1), (START, START)]
        {
            let range = Range { start, end };
            let (mut packed, mut expected) = (Watched::default(), Watched::default());
            assert_eq!(packed.add_packs(&data, range), Some(vec![START, next]));
            for (key, totals) in all.iter().chain(&later) {
                if key.hour >= start && key.hour < end {
                    expected.add(Some(key.content), key.playlist, *totals);
                }
            }
            expected.playlists.retain(|_, totals| *totals != WatchTotals::default());
            packed.playlists.retain(|_, totals| *totals != WatchTotals::default());
            assert_eq!(packed.total_ms, expected.total_ms);
            assert_eq!((packed.content, packed.playlists), (expected.content, expected.playlists));
        }
    }

    #[test]
    fn a_damaged_form_is_not_read() {
        let data = write(START, &hours(9));
        for end in 0..data.len() {
            assert_eq!(read(START, &data[..end]), None, "{end}");
            assert!(end == 0 || Watched::default().add_packs(&data[..end], EVER).is_none(), "{end}");
        }
        assert_eq!(read(START, &[&data[..], &[0]].concat()), None, "something follows");
        assert_eq!(read(START, &[&[VERSION + 1], &data[1..]].concat()), None, "another version");
        let mut head = vec![VERSION];
        push_number(&mut head, 730);
        let item = |entry: [i64; 4]| {
            let mut data = [&head[..], &[0, 1], &[7; 16], &[1]].concat();
            entry.into_iter().for_each(|number| push_number(&mut data, number));
            data
        };
        assert!(read(START, &item([0, 0, 5, 1])).is_some());
        assert_eq!(read(START, &item([1, 0, 5, 1])), None, "a playlist that is not there");
        assert_eq!(read(START, &item([0, FORTNIGHT / SECOND, 5, 1])), None, "after the period");
        assert_eq!(read(START, &[&head[..], &[0xff; 12]].concat()), None);
    }

    const EVER: Range = Range { start: Timestamp::EPOCH, end: Timestamp::from_ms(i64::MAX) };
}
