//! The stored form of the counted views of an item or playlist in a week: what the reports about audiences need of each
//! view, in few bytes. No async, no SQL, no HTTP.
//!
//! It tells its own length, so that packs can be read one after another. First come a version, the week, the length of
//! the item and the numbers of what follows; then the countries, the content items, a record of fixed size for each view,
//! the parts of the views with gaps, and the sections of each view. All that an audience is made of is in the records;
//! sections are read only if the length of the item has become known or has changed since.

use kernel::{ContentId, DAY, Millis, SECOND, Timestamp, ViewerId};

use crate::audience_of_item::{CountedView, Country};
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{Subject, parts};
use crate::packed::{Bytes, push_number};
use crate::seen_parts::SeenParts;

/// Length of a week. Weeks are counted from the epoch in every time zone. Statements have it as a number.
pub const WEEK: Millis = 7 * DAY;

/// Version of the stored form.
pub const VERSION: u8 = 2;
/// Bytes of the record of a view: viewer, what it covers, the second of the week and its bits, country, content item, and
/// the first and last of its parts.
const RECORD: usize = 22;
/// Bits of the second of the week in which the hour of the view starts. The device comes next, then whether it is finished.
const SECOND_BITS: u32 = 20;
const DEVICE_BITS: u32 = 3;
/// The devices by their numbers in the stored form.
const DEVICES: [Device; 5] = [Device::Desktop, Device::Mobile, Device::Tablet, Device::Tv, Device::Other];

/// What tells viewers apart: the random half of their ids.
pub type ViewerKey = u64;

/// Returns the key of a viewer.
pub fn viewer_key(viewer: ViewerId) -> ViewerKey {
    viewer.uid().as_u128() as u64
}

/// Returns the start of the week to which an hour belongs.
pub fn week_of(hour: Timestamp) -> Timestamp {
    hour - hour.ms().rem_euclid(WEEK)
}

/// Returns the start of the day to which an hour belongs. Days are those of the weeks, in every time zone.
pub fn utc_day(hour: Timestamp) -> Timestamp {
    hour - hour.ms().rem_euclid(DAY)
}

/// Returns what is covered of an item of a length.
pub fn covered(sections: &Spans, length: Option<i64>) -> i64 {
    sections.total().min(length.unwrap_or(0))
}

/// Returns the stored form of a week's views of an item, or of a playlist. Returns `None` if it has no place for them: then
/// their rows are read.
pub fn write(week: Timestamp, subject: Option<Subject>, views: &[CountedView]) -> Option<Vec<u8>> {
    let mut sorted: Vec<&CountedView> = views.iter().collect();
    sorted.sort_by_key(|view| (view.content, view.hour, view.viewer));
    let mut contents: Vec<ContentId> = sorted.iter().map(|view| view.content).collect();
    contents.dedup();
    let mut countries: Vec<Country> = sorted.iter().filter_map(|view| view.country).collect();
    countries.sort_unstable();
    countries.dedup();
    let length = subject.and_then(|subject| subject.length);
    let (mut records, mut gaps, mut sections) =
        (Vec::with_capacity(views.len() * RECORD), Vec::new(), Vec::new());
    for view in sorted {
        let second =
            u32::try_from((view.hour - week) / SECOND).ok().filter(|second| second >> SECOND_BITS == 0)?;
        let device = DEVICES.iter().position(|device| *device == view.device)? as u32;
        let bits =
            second | device << SECOND_BITS | u32::from(view.is_finished) << (SECOND_BITS + DEVICE_BITS);
        let country = match view.country {
            Some(code) => u16::try_from(countries.binary_search(&code).ok()? + 1).ok()?,
            None => 0,
        };
        let content = u16::try_from(contents.binary_search(&view.content).ok()?).ok()?;
        let parts = SeenParts::of(subject.map_or(0, |subject| parts(&view.sections, subject)));
        records.extend_from_slice(&viewer_key(view.viewer).to_be_bytes());
        records.extend_from_slice(&u32::try_from(covered(&view.sections, length)).ok()?.to_le_bytes());
        records.extend_from_slice(&bits.to_le_bytes());
        records.extend_from_slice(&country.to_le_bytes());
        records.extend_from_slice(&content.to_le_bytes());
        parts.push(&mut records, &mut gaps);
        push_sections(&mut sections, &view.sections);
    }
    let mut bytes = Vec::with_capacity(64 + records.len() + gaps.len() + sections.len());
    bytes.push(VERSION);
    push_number(&mut bytes, week.ms() / SECOND);
    push_number(&mut bytes, length.map_or(0, |length| length.saturating_add(1)));
    let counts =
        [countries.len(), contents.len(), views.len(), gaps.len() / size_of::<u128>(), sections.len()];
    for count in counts {
        push_number(&mut bytes, count as i64);
    }
    bytes.extend(countries.as_flattened());
    bytes.extend(contents.iter().flat_map(|content| *content.as_bytes()));
    bytes.extend(records);
    bytes.extend(gaps);
    bytes.extend(sections);
    Some(bytes)
}

/// A view as it was packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedView {
    pub viewer: ViewerKey,
    /// Milliseconds or pages.
    pub covered: i64,
    /// Second of the week in which its hour starts.
    pub second: u32,
    pub device: Device,
    pub is_finished: bool,
    /// Number of the country in the pack.
    pub country: Option<usize>,
    /// Number of the content item in the pack.
    pub content: usize,
    pub parts: SeenParts,
}

/// A week of views.
pub struct Pack<'a> {
    pub week: Timestamp,
    /// The length of the item from which parts were made.
    pub length: Option<i64>,
    pub countries: &'a [Country],
    pub contents: Vec<ContentId>,
    records: &'a [[u8; RECORD]],
    gaps: &'a [[u8; size_of::<u128>()]],
    sections: &'a [u8],
}

impl<'a> Pack<'a> {
    /// Reads the first of some packs, and returns what follows. Returns `None` if it is damaged.
    pub fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let mut bytes = Bytes::new(bytes);
        if bytes.take::<1>()? != [VERSION] {
            return None;
        }
        let week = Timestamp::from_ms(bytes.number()?.checked_mul(SECOND)?);
        let length = bytes.number()?.checked_sub(1).filter(|length| *length >= 0);
        let mut counts = [0_usize; 5];
        for count in &mut counts {
            *count = usize::try_from(bytes.number()?).ok()?;
        }
        let [countries, contents, views, gaps, sections] = counts;
        let countries = bytes.chunks(countries)?;
        let contents = bytes.chunks::<16>(contents)?;
        let contents = contents.iter().map(|id| ContentId::from_u128(u128::from_be_bytes(*id))).collect();
        let (records, gaps) = (bytes.chunks(views)?, bytes.chunks(gaps)?);
        let sections = bytes.chunks::<1>(sections)?.as_flattened();
        Some((Self { week, length, countries, contents, records, gaps, sections }, bytes.rest()))
    }

    /// Returns the views; a damaged one is `None`.
    pub fn views(&self) -> impl Iterator<Item = Option<PackedView>> {
        let mut gaps = self.gaps.iter();
        self.records.iter().map(move |record| self.view(record, &mut gaps))
    }

    fn view<'b>(
        &self,
        record: &[u8; RECORD],
        gaps: &mut impl Iterator<Item = &'b [u8; size_of::<u128>()]>,
    ) -> Option<PackedView> {
        let mut bytes = Bytes::new(record);
        let viewer = ViewerKey::from_be_bytes(bytes.take()?);
        let covered = u32::from_le_bytes(bytes.take()?).into();
        let bits = u32::from_le_bytes(bytes.take()?);
        let country = usize::from(u16::from_le_bytes(bytes.take()?));
        let content = usize::from(u16::from_le_bytes(bytes.take()?));
        let parts = SeenParts::read(bytes.take()?, gaps)?;
        if country > self.countries.len() || content >= self.contents.len() {
            return None;
        }
        Some(PackedView {
            viewer,
            covered,
            second: bits & ((1 << SECOND_BITS) - 1),
            device: *DEVICES.get((bits >> SECOND_BITS & ((1 << DEVICE_BITS) - 1)) as usize)?,
            is_finished: bits >> (SECOND_BITS + DEVICE_BITS) & 1 != 0,
            country: country.checked_sub(1),
            content,
            parts,
        })
    }

    /// Returns the sections of the views; damaged ones are `None`.
    pub fn sections(&self) -> impl Iterator<Item = Option<Spans>> {
        let mut bytes = Bytes::new(self.sections);
        self.records.iter().map(move |_| read_sections(&mut bytes))
    }
}

fn read_sections(bytes: &mut Bytes<'_>) -> Option<Spans> {
    let (count, mut end) = (bytes.number()?, 0_i64);
    let mut sections = Spans::default();
    for _ in 0..count {
        let from = end.checked_add(bytes.number()?)?;
        end = from.checked_add(bytes.number()?)?;
        sections.push(from, end);
    }
    Some(sections)
}

fn push_sections(bytes: &mut Vec<u8>, sections: &Spans) {
    push_number(bytes, sections.len() as i64);
    let mut end = 0;
    for (from, to) in sections.as_slice() {
        push_number(bytes, from - end);
        push_number(bytes, to - from);
        end = *to;
    }
}

#[cfg(test)]
mod tests {
    use kernel::HOUR;

    use super::*;
    use crate::definitions::view::Form;

    const START: Timestamp = Timestamp::from_ms(2_900 * WEEK);
    const SUBJECT: Subject = Subject { form: Form::Plays, length: Some(1_000_000) };

    fn view(n: u128, sections: &str) -> CountedView {
        CountedView {
            hour: START + (n as i64 * 37 % 168) * HOUR + 30 * 60 * SECOND,
            viewer: ViewerId::from_u128(n << 64 | (n + 7)),
            content: ContentId::from_u128(1 + n % 3),
            device: DEVICES[n as usize % 5],
            country: (!n.is_multiple_of(4)).then_some([b'D', b'A' + n as u8]),
            is_finished: n.is_multiple_of(2),
            sections: Spans::read(sections).unwrap(),
        }
    }

    fn views() -> Vec<CountedView> {
        let sections = ["", "0-1", "5-10000", "0-3,5-9,700000-99999999", "0-1000000"];
        (0..25).map(|n| view(n, sections[n as usize % 5])).collect()
    }

    fn packed(bytes: &[u8]) -> Option<Vec<PackedView>> {
        let (pack, rest) = Pack::read(bytes)?;
        pack.sections().collect::<Option<Vec<Spans>>>()?;
        pack.views().collect::<Option<Vec<PackedView>>>().filter(|_| rest.is_empty())
    }

    #[test]
    fn everything_is_read_again() {
        assert_eq!(WEEK, 604_800_000);
        assert_eq!(week_of(START + WEEK - 1), START);
        assert_eq!(utc_day(START + 3 * DAY - 1), START + 2 * DAY);
        let mut expected = views();
        expected.sort_by_key(|view| (view.content, view.hour, view.viewer));
        let both = [write(START, Some(SUBJECT), &views()).unwrap(), write(START + WEEK, None, &[]).unwrap()];
        let both = both.concat();
        let (pack, rest) = Pack::read(&both).unwrap();
        assert_eq!((pack.week, pack.length, pack.views().count()), (START, SUBJECT.length, 25));
        let sections: Vec<Spans> = pack.sections().map(Option::unwrap).collect();
        let found: Vec<PackedView> = pack.views().map(Option::unwrap).collect();
        for ((view, found), sections) in expected.iter().zip(found).zip(sections) {
            assert_eq!(sections, view.sections);
            assert_eq!(START + i64::from(found.second) * SECOND, view.hour);
            assert_eq!((found.viewer, found.device), (viewer_key(view.viewer), view.device));
            assert_eq!(found.is_finished, view.is_finished);
            assert_eq!(found.country.map(|number| pack.countries[number]), view.country);
            assert_eq!(pack.contents[found.content], view.content);
            assert_eq!(found.parts.bits(), parts(&view.sections, SUBJECT), "{:?}", view.sections);
            assert_eq!(found.covered, view.sections.total().min(1_000_000));
        }
        let (pack, rest) = Pack::read(rest).unwrap();
        assert_eq!((pack.week, pack.length, pack.views().count(), rest.len()), (START + WEEK, None, 0, 0));
        let one = write(START, Some(SUBJECT), &views()[1..2]).unwrap();
        assert!(one.len() < 60, "{}", one.len());
    }

    #[test]
    fn views_of_another_week_have_no_place() {
        let views = [view(1, "")];
        assert_eq!(write(START + WEEK, None, &views), None);
        assert_eq!(write(START - 2 * WEEK, None, &views), None);
        assert!(write(START, None, &views).is_some());
    }

    #[test]
    fn a_damaged_form_is_not_read() {
        let bytes = write(START, Some(SUBJECT), &views()[..4]).unwrap();
        assert_eq!(packed(&bytes).unwrap().len(), 4);
        assert!((0..bytes.len()).all(|end| packed(&bytes[..end]).is_none()));
        assert_eq!(packed(&[&[1], &bytes[1..]].concat()), None, "another version");
        assert_eq!(packed(&[&[VERSION][..], &[0xff; 12]].concat()), None);
        // A number of views that no memory has place for.
        let huge =
            [&[VERSION, 1, 0, 0, 0][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], &[0, 0]].concat();
        assert_eq!(packed(&huge), None);
        let last = |record: [u8; RECORD]| {
            let empty = write(START, None, &[]).unwrap();
            let mut bytes = empty[..empty.len() - 4].to_vec();
            bytes.extend([1, 1, 0, 1]);
            bytes.extend([0; 16]);
            bytes.extend(record);
            bytes.push(0);
            packed(&bytes)
        };
        assert!(last([0; RECORD]).is_some());
        for (at, value, what) in [
            (14, 0x70, "device"),
            (16, 1, "country"),
            (18, 1, "content item"),
            (20, 200, "parts"),
            (21, 101, "parts"),
            (20, 255, "parts with gaps"),
        ] {
            let mut record = [0; RECORD];
            record[21] = 1;
            record[at] = value;
            assert_eq!(last(record), None, "{what}");
        }
    }
}
