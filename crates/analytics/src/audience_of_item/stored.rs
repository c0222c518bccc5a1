//! The stored form of the audience of a week, from which those of longer ranges are made. Viewers who came in no other week
//! are only in sums, so that a report reads few bytes: a sum has no names, and different people of different weeks can be
//! added up. Those who returned are kept one by one.
//!
//! A version, the length of the item, sums, the views of each part, and the numbers of what follows; then the countries,
//! the numbers of people who are only in sums, by country, devices and parts, the items of a playlist, a record of fixed size
//! for each other viewer, the parts of such viewers with gaps, and their further countries.

use hashbrown::HashSet;
use kernel::ContentId;

use super::people_counts::PeopleCounts;
use super::{Audience, Country, Finished};
use crate::definitions::view::PARTS;
use crate::packed::{Bytes, push_number};
use crate::seen_parts::{PartCounts, SeenParts};
use crate::view_pack::ViewerKey;

/// Version of the stored form, which no pack of views has.
pub const VERSION: u8 = 4;
/// Bytes of the record of a viewer: the key, bits of the devices, the country, and the first and last of the parts.
const RECORD: usize = 12;

/// Why an audience was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Damaged,
    /// The item had another length, so that its parts were others. Nothing was added.
    OtherLength,
}

/// Returns those viewers of a stored audience of an item or playlist who are not only in the sums. Returns `None` if it is damaged.
pub fn returning(stored: &[u8], is_item: bool) -> Option<HashSet<ViewerKey>> {
    let length = stored_length(&mut Bytes::new(stored))?;
    let mut audience = Audience::of_length(length, is_item);
    let rest = audience.add_stored(stored).ok()?;
    rest.is_empty().then(|| audience.viewers().collect())
}

/// What is stored of viewers one by one.
#[derive(Default)]
struct Records {
    count: usize,
    records: Vec<u8>,
    gaps: Vec<u8>,
    /// Number of the viewer and of the country.
    further: Vec<(usize, u16)>,
}

impl Audience {
    /// Returns the stored form of a week, in which those who returned are kept one by one. Returns `None` if it has no
    /// place for everything.
    pub fn write(&self, returning: &HashSet<ViewerKey>) -> Option<Vec<u8>> {
        let (sums, records) = self.sums_and_records(returning)?;
        let has_parts = self.length().is_some();
        let mut bytes = Vec::with_capacity(512 + records.records.len() + records.gaps.len());
        bytes.push(VERSION);
        push_number(&mut bytes, self.length().map_or(0, |length| length.saturating_add(1)));
        push_finished(&mut bytes, self.total);
        push_number(&mut bytes, self.covered);
        push_parts(&mut bytes, has_parts.then_some(&self.plays))?;
        let mut items: Vec<_> = self.items.iter().collect();
        items.sort_unstable_by_key(|(content, _)| **content);
        let devices: Vec<(usize, usize)> =
            sums.devices.iter().copied().enumerate().filter(|(_, people)| *people > 0).collect();
        let gap_count = records.gaps.len() / size_of::<u128>();
        let summed = self.people.len() - records.count;
        for count in [
            self.countries.len(),
            devices.len(),
            summed,
            items.len(),
            records.count,
            gap_count,
            records.further.len(),
        ] {
            push_number(&mut bytes, count as i64);
        }
        bytes.extend(self.countries.as_flattened());
        for number in 0..self.countries.len() {
            push_number(&mut bytes, sums.countries.get(number).copied().unwrap_or_default() as i64);
        }
        for (bits, people) in devices {
            push_number(&mut bytes, bits as i64);
            push_number(&mut bytes, people as i64);
        }
        push_parts(&mut bytes, has_parts.then_some(&sums.parts))?;
        for (content, item) in items {
            bytes.extend_from_slice(content.as_bytes());
            push_finished(&mut bytes, *item);
        }
        bytes.extend(records.records);
        bytes.extend(records.gaps);
        for (viewer, country) in records.further {
            push_number(&mut bytes, viewer as i64);
            push_number(&mut bytes, i64::from(country));
        }
        Some(bytes)
    }

    /// Counts the viewers who came once, and writes the records of the others.
    fn sums_and_records(&self, returning: &HashSet<ViewerKey>) -> Option<(PeopleCounts, Records)> {
        let (mut sums, mut records) = (PeopleCounts::default(), Records::default());
        let mut further: Vec<(u32, u16)> = self.more_countries.iter().copied().collect();
        further.sort_unstable();
        let mut further = further.into_iter().peekable();
        for (place, (person, parts)) in (0..).zip(self.people.iter().zip(self.parts_of_people())) {
            let is_returning = returning.contains(&person.viewer);
            if is_returning {
                let country = person.country.map_or(0, |country| country + 1);
                records.records.extend_from_slice(&person.viewer.to_be_bytes());
                records.records.extend_from_slice(&[person.devices, u8::try_from(country).ok()?]);
                parts.push(&mut records.records, &mut records.gaps);
            } else {
                sums.add(parts, person.devices, person.country);
            }
            while let Some((_, country)) = further.next_if(|(of, _)| *of == place) {
                if is_returning {
                    records.further.push((records.count, country));
                } else {
                    sums.add_country(country);
                }
            }
            records.count += usize::from(is_returning);
        }
        Some((sums, records))
    }

    /// Adds the audience of a week, which `bytes` begin with. Returns what follows. Nothing may be shown of an audience to
    /// which a damaged one was added.
    pub fn add_stored<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Refused> {
        let mut bytes = Bytes::new(bytes);
        let length = stored_length(&mut bytes).ok_or(Refused::Damaged)?;
        if length != self.length() {
            return Err(Refused::OtherLength);
        }
        self.add_week(&mut bytes).ok_or(Refused::Damaged)?;
        Ok(bytes.rest())
    }

    fn add_week(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        self.total.add_all(finished(bytes)?);
        self.covered = self.covered.checked_add(bytes.number()?)?;
        add_parts(&mut self.plays, bytes)?;
        let mut counts = [0_usize; 7];
        for count in &mut counts {
            *count = size(bytes)?;
        }
        let [countries, devices, summed, items, people, gaps, further] = counts;
        let countries: Vec<u16> =
            bytes.chunks(countries)?.iter().map(|code: &Country| self.country_number(*code)).collect();
        self.summed = self.summed.checked_add(summed)?;
        self.add_sums(bytes, &countries, devices)?;
        for _ in 0..items {
            let content = ContentId::from_u128(u128::from_be_bytes(bytes.take()?));
            self.items.entry(content).or_default().add_all(finished(bytes)?);
        }
        let records = bytes.chunks::<RECORD>(people)?;
        let mut gaps = bytes.chunks(gaps)?.iter();
        let mut places = Vec::with_capacity(if further > 0 { people } else { 0 });
        for record in records {
            let mut record = Bytes::new(record);
            let viewer = ViewerKey::from_be_bytes(record.take()?);
            let [devices, country, from, to] = record.take()?;
            let parts = SeenParts::read([from, to], &mut gaps)?;
            let country = match usize::from(country).checked_sub(1) {
                Some(number) => Some(*countries.get(number)?),
                None => None,
            };
            let place = self.add_viewer(viewer, (devices, country), parts);
            if further > 0 {
                places.push(place);
            }
        }
        for _ in 0..further {
            let place = *places.get(size(bytes)?)?;
            let country = *countries.get(size(bytes)?)?;
            self.add_country(place, country);
        }
        Some(())
    }

    /// Adds the numbers of people who are only in sums, by country, devices and parts.
    fn add_sums(&mut self, bytes: &mut Bytes<'_>, countries: &[u16], devices: usize) -> Option<()> {
        for country in countries {
            let people = self.counts.country_mut(*country);
            *people = people.checked_add(size(bytes)?)?;
        }
        for _ in 0..devices {
            let people = self.counts.devices.get_mut(size(bytes)?)?;
            *people = people.checked_add(size(bytes)?)?;
        }
        add_parts(&mut self.counts.parts, bytes)
    }
}

/// Reads the version and the length of the item.
#[expect(clippy::option_option, reason = "the outer one is about the bytes, the inner one about the item")]
fn stored_length(bytes: &mut Bytes<'_>) -> Option<Option<i64>> {
    let [version] = bytes.take()?;
    let length = bytes.number()?;
    (version == VERSION).then(|| length.checked_sub(1).filter(|length| *length >= 0))
}

/// Reads a number of things.
fn size(bytes: &mut Bytes<'_>) -> Option<usize> {
    usize::try_from(bytes.number()?).ok()
}

/// Appends how often each part occurs, if the item has parts: the number of bytes of each count, and the counts. Returns
/// `None` if they are too large.
fn push_parts(bytes: &mut Vec<u8>, counts: Option<&PartCounts>) -> Option<()> {
    let counts: Vec<u32> =
        counts.into_iter().flat_map(PartCounts::counts).map(u32::try_from).collect::<Result<_, _>>().ok()?;
    let width = match counts.iter().max() {
        None => 0,
        Some(0..0x100) => 1,
        Some(0x100..0x1_0000) => 2,
        Some(_) => 4,
    };
    bytes.push(width);
    counts.iter().for_each(|count| bytes.extend_from_slice(&count.to_le_bytes()[..width.into()]));
    Some(())
}

/// Adds what [`push_parts`] appended.
fn add_parts(counts: &mut PartCounts, bytes: &mut Bytes<'_>) -> Option<()> {
    let [width] = bytes.take()?;
    match width {
        0 => {}
        1 => counts.add_counts(bytes.chunks::<1>(PARTS)?.iter().map(|[count]| i64::from(*count))),
        2 => counts.add_counts(bytes.chunks(PARTS)?.iter().map(|count| u16::from_le_bytes(*count).into())),
        4 => counts.add_counts(bytes.chunks(PARTS)?.iter().map(|count| u32::from_le_bytes(*count).into())),
        _ => return None,
    }
    Some(())
}

fn push_finished(bytes: &mut Vec<u8>, item: Finished) {
    push_number(bytes, item.finished as i64);
    push_number(bytes, item.views as i64);
}

fn finished(bytes: &mut Bytes<'_>) -> Option<Finished> {
    Some(Finished { finished: size(bytes)?, views: size(bytes)? })
}

#[cfg(test)]
mod tests {
    use kernel::{Timestamp, ViewerId};

    use super::super::CountedView;
    use super::*;
    use crate::definitions::devices::Device;
    use crate::definitions::spans::Spans;
    use crate::definitions::view::{Form, Subject};
    use crate::view_pack::viewer_key;

    const SUBJECT: Subject = Subject { form: Form::Plays, length: Some(100_000) };

    /// Views of people who come back, on other devices and from other countries.
    fn views(first: u128) -> Vec<CountedView> {
        let sections = ["", "0-50000", "0-1000,99000-100000", "20000-40000", "0-100000"];
        let view = |n: u128| CountedView {
            hour: Timestamp::EPOCH,
            viewer: ViewerId::from_u128(n % 7),
            content: ContentId::from_u128(n % 3),
            device: Device::ALL[(n % 5) as usize],
            country: (!n.is_multiple_of(4)).then_some([b'A' + (n % 9) as u8, b'X']),
            is_finished: n.is_multiple_of(2),
            sections: Spans::read(sections[(n % 5) as usize]).unwrap(),
        };
        (first..first + 20).map(view).collect()
    }

    fn empty(subject: Option<Subject>) -> Audience {
        subject.map_or_else(Audience::default, Audience::of_item)
    }

    fn audience(subject: Option<Subject>, views: &[CountedView]) -> Audience {
        let mut audience = empty(subject);
        views.iter().for_each(|view| audience.add(view));
        audience
    }

    fn said(audience: &Audience) -> String {
        let mut items: Vec<_> = audience.items.iter().collect();
        items.sort_by_key(|(content, _)| **content);
        serde_json::to_string(&(audience.devices(), audience.countries(), audience.retention())).unwrap()
            + &format!("{:?}", (audience.total, audience.uniques(), audience.average_share(), items))
    }

    fn key(n: u128) -> ViewerKey {
        viewer_key(ViewerId::from_u128(n))
    }

    /// Returns the audience of the stored forms of weeks.
    fn merged(subject: Option<Subject>, stored: &[Vec<u8>]) -> Audience {
        let (mut merged, stored) = (empty(subject), stored.concat());
        let mut rest = stored.as_slice();
        while !rest.is_empty() {
            rest = merged.add_stored(rest).unwrap();
        }
        merged
    }

    #[test]
    fn stored_audiences_say_what_their_views_say() {
        for subject in [Some(SUBJECT), Some(Subject { length: None, ..SUBJECT }), None] {
            let weeks = [views(0), views(13), Vec::new(), views(100)];
            let everyone: HashSet<ViewerKey> = (0..7).map(key).collect();
            let stored = weeks.clone().map(|views| audience(subject, &views).write(&everyone).unwrap());
            assert_eq!(
                said(&merged(subject, &stored)),
                said(&audience(subject, &weeks.concat())),
                "{subject:?}"
            );
            let smaller = audience(subject, &weeks[0]).write(&HashSet::from([key(2), key(5)])).unwrap();
            assert!(smaller.len() < stored[0].len(), "the others are only in sums");
            assert_eq!(
                said(&merged(subject, &[smaller])),
                said(&audience(subject, &weeks[0])),
                "{subject:?}"
            );
        }
    }

    #[test]
    fn those_who_returned_are_named_and_the_others_are_not() {
        let (all, some) = (audience(Some(SUBJECT), &views(0)), HashSet::from([key(1), key(6), key(99)]));
        let stored = all.write(&some).unwrap();
        assert_eq!(returning(&stored, true), Some(HashSet::from([key(1), key(6)])));
        assert_eq!(returning(&stored[1..], true), None);
        assert_eq!(returning(&[stored, vec![0]].concat(), true), None, "something follows");
    }

    #[test]
    fn someone_is_taken_out_of_the_sums_who_comes_again() {
        for subject in [Some(SUBJECT), None] {
            let (first, later) = (views(0), views(3));
            for returning in [HashSet::new(), HashSet::from([key(1)]), (0..7).map(key).collect()] {
                let mut found = merged(subject, &[audience(subject, &first).write(&returning).unwrap()]);
                for viewer in 0..7 {
                    let of_viewer = |view: &&CountedView| view.viewer == ViewerId::from_u128(viewer);
                    let summed: Vec<CountedView> = first.iter().filter(of_viewer).cloned().collect();
                    found.name_summed(&summed).unwrap();
                    later.iter().filter(of_viewer).for_each(|view| found.add(view));
                }
                let all = audience(subject, &[first.clone(), later.clone()].concat());
                assert_eq!(said(&found), said(&all), "{subject:?}, {} named", returning.len());
            }
        }
    }

    #[test]
    fn someone_who_is_in_no_sum_cannot_be_taken_out() {
        let mut empty = empty(Some(SUBJECT));
        assert_eq!(empty.name_summed(&[]), Some(()));
        assert_eq!(empty.name_summed(&views(0)[..1]), None);
    }

    #[test]
    fn an_audience_of_another_length_is_refused_before_anything_is_added() {
        let stored = audience(Some(SUBJECT), &views(0)).write(&HashSet::from([key(1)])).unwrap();
        for length in [None, Some(100_001)] {
            let mut other = empty(Some(Subject { length, ..SUBJECT }));
            assert_eq!(other.add_stored(&stored), Err(Refused::OtherLength), "{length:?}");
            assert_eq!((other.uniques(), other.total), (0, Finished::default()));
        }
    }

    #[test]
    fn a_damaged_form_is_not_read() {
        let stored = audience(Some(SUBJECT), &views(0)).write(&HashSet::from([key(1)])).unwrap();
        let read = |bytes: &[u8]| empty(Some(SUBJECT)).add_stored(bytes).map(<[u8]>::len);
        assert_eq!(read(&stored), Ok(0));
        assert!((0..stored.len()).all(|end| read(&stored[..end]) == Err(Refused::Damaged)));
        assert_eq!(read(&[&[2], &stored[1..]].concat()), Err(Refused::Damaged), "another version");
        let huge = [&[VERSION][..], &[0xff; 9]].concat();
        assert_eq!(read(&huge), Err(Refused::Damaged));
    }

    #[test]
    fn counts_of_parts_have_as_many_bytes_as_they_need() {
        for count in [0, 1, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff] {
            let (mut counts, mut bytes) = (PartCounts::default(), Vec::new());
            counts.add_counts((0..PARTS).map(|part| if part == 7 { count } else { 0 }));
            push_parts(&mut bytes, Some(&counts)).unwrap();
            let mut read = PartCounts::default();
            let mut rest = Bytes::new(&bytes);
            add_parts(&mut read, &mut rest).unwrap();
            assert!(rest.is_empty() && read.counts().eq(counts.counts()), "{count}");
        }
        let mut counts = PartCounts::default();
        counts.add_counts([0x1_0000_0000; PARTS]);
        assert_eq!(push_parts(&mut Vec::new(), Some(&counts)), None);
        assert_eq!(add_parts(&mut counts, &mut Bytes::new(&[3; 400])), None);
    }

    #[test]
    fn more_countries_than_a_record_can_name_are_not_stored() {
        let view = |n: u8| CountedView {
            country: Some([b'A' + n / 26, b'A' + n % 26]),
            viewer: ViewerId::from_u128(n.into()),
            ..views(0)[0].clone()
        };
        let many: Vec<CountedView> = (0..=u8::MAX).map(view).collect();
        let everyone: HashSet<ViewerKey> = (0..256).map(key).collect();
        assert_eq!(audience(None, &many).write(&everyone), None);
        assert!(audience(None, &many[..255]).write(&everyone).is_some());
    }
}
