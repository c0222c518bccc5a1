//! The stored form of the audience of a week, from which those of longer ranges are made: every viewer once, in few bytes.
//!
//! A version, the length of the item, sums, the views of each part, and the numbers of what follows; then the countries,
//! the items of a playlist, a record of fixed size for each viewer, the parts of viewers with gaps, and further countries.

use kernel::ContentId;

use super::{Audience, Country, Finished};
use crate::definitions::view::PARTS;
use crate::packed::{Bytes, push_number};
use crate::seen_parts::SeenParts;
use crate::view_pack::ViewerKey;

/// Version of the stored form, which no pack of views has.
pub const VERSION: u8 = 3;
/// Bytes of the record of a viewer: the key, bits of the devices, the country, and the first and last of the parts.
const RECORD: usize = 12;

/// Why an audience was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Damaged,
    /// The item had another length, so that its parts were others. Nothing was added.
    OtherLength,
}

impl Audience {
    /// Returns the stored form. Returns `None` if it has no place for everything.
    pub fn write(&self) -> Option<Vec<u8>> {
        let (mut records, mut gaps) = (Vec::with_capacity(self.people.len() * RECORD), Vec::new());
        for (person, parts) in self.people.iter().zip(self.parts_of_people()) {
            let country = person.country.map_or(0, |country| country + 1);
            records.extend_from_slice(&person.viewer.to_be_bytes());
            records.extend_from_slice(&[person.devices, u8::try_from(country).ok()?]);
            parts.push(&mut records, &mut gaps);
        }
        let mut bytes = Vec::with_capacity(256 + records.len() + gaps.len());
        bytes.push(VERSION);
        push_number(&mut bytes, self.length().map_or(0, |length| length.saturating_add(1)));
        push_finished(&mut bytes, self.total);
        push_number(&mut bytes, self.covered);
        let counts: Vec<usize> =
            if self.length().is_some() { self.plays.counts().collect() } else { Vec::new() };
        push_number(&mut bytes, counts.len() as i64);
        counts.iter().for_each(|count| push_number(&mut bytes, *count as i64));
        let (mut items, mut further): (Vec<_>, Vec<_>) =
            (self.items.iter().collect(), self.more_countries.iter().collect());
        items.sort_unstable_by_key(|(content, _)| **content);
        further.sort_unstable();
        let gap_count = gaps.len() / size_of::<u128>();
        for count in [self.countries.len(), items.len(), self.people.len(), gap_count, further.len()] {
            push_number(&mut bytes, count as i64);
        }
        bytes.extend(self.countries.as_flattened());
        for (content, item) in items {
            bytes.extend_from_slice(content.as_bytes());
            push_finished(&mut bytes, *item);
        }
        bytes.extend(records);
        bytes.extend(gaps);
        for (person, country) in further {
            push_number(&mut bytes, i64::from(*person));
            push_number(&mut bytes, i64::from(*country));
        }
        Some(bytes)
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
        let count = bytes.number()?;
        if count != 0 && count != PARTS as i64 {
            return None;
        }
        let plays: Option<Vec<i64>> = (0..count).map(|_| bytes.number()).collect();
        self.plays.add_counts(&plays?);
        let mut counts = [0_usize; 5];
        for count in &mut counts {
            *count = usize::try_from(bytes.number()?).ok()?;
        }
        let [countries, items, people, gaps, further] = counts;
        let countries: Vec<u16> =
            bytes.chunks(countries)?.iter().map(|code: &Country| self.country_number(*code)).collect();
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
            let place = *places.get(usize::try_from(bytes.number()?).ok()?)?;
            let country = *countries.get(usize::try_from(bytes.number()?).ok()?)?;
            self.add_country(place, country);
        }
        Some(())
    }
}

/// Reads the version and the length of the item.
#[expect(clippy::option_option, reason = "the outer one is about the bytes, the inner one about the item")]
fn stored_length(bytes: &mut Bytes<'_>) -> Option<Option<i64>> {
    let [version] = bytes.take()?;
    let length = bytes.number()?;
    (version == VERSION).then(|| length.checked_sub(1).filter(|length| *length >= 0))
}

fn push_finished(bytes: &mut Vec<u8>, item: Finished) {
    push_number(bytes, item.finished as i64);
    push_number(bytes, item.views as i64);
}

fn finished(bytes: &mut Bytes<'_>) -> Option<Finished> {
    let mut number = || usize::try_from(bytes.number()?).ok();
    Some(Finished { finished: number()?, views: number()? })
}

#[cfg(test)]
mod tests {
    use kernel::{Timestamp, ViewerId};

    use super::super::CountedView;
    use super::*;
    use crate::definitions::devices::Device;
    use crate::definitions::spans::Spans;
    use crate::definitions::view::{Form, Subject};

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

    #[test]
    fn stored_audiences_say_what_their_views_say() {
        for subject in [Some(SUBJECT), Some(Subject { length: None, ..SUBJECT }), None] {
            let weeks = [views(0), views(13), Vec::new(), views(100)];
            let stored: Vec<u8> =
                weeks.iter().flat_map(|views| audience(subject, views).write().unwrap()).collect();
            let (mut merged, mut rest) = (empty(subject), stored.as_slice());
            while !rest.is_empty() {
                rest = merged.add_stored(rest).unwrap();
            }
            assert_eq!(said(&merged), said(&audience(subject, &weeks.concat())), "{subject:?}");
        }
    }

    #[test]
    fn an_audience_of_another_length_is_refused_before_anything_is_added() {
        let stored = audience(Some(SUBJECT), &views(0)).write().unwrap();
        for length in [None, Some(100_001)] {
            let mut other = empty(Some(Subject { length, ..SUBJECT }));
            assert_eq!(other.add_stored(&stored), Err(Refused::OtherLength), "{length:?}");
            assert_eq!((other.uniques(), other.total), (0, Finished::default()));
        }
    }

    #[test]
    fn a_damaged_form_is_not_read() {
        let stored = audience(Some(SUBJECT), &views(0)).write().unwrap();
        let read = |bytes: &[u8]| empty(Some(SUBJECT)).add_stored(bytes).map(<[u8]>::len);
        assert_eq!(read(&stored), Ok(0));
        assert!((0..stored.len()).all(|end| read(&stored[..end]) == Err(Refused::Damaged)));
        assert_eq!(read(&[&[2], &stored[1..]].concat()), Err(Refused::Damaged), "another version");
        let huge = [&[VERSION][..], &[0xff; 9]].concat();
        assert_eq!(read(&huge), Err(Refused::Damaged));
    }

    #[test]
    fn more_countries_than_a_record_can_name_are_not_stored() {
        let view = |n: u8| CountedView {
            country: Some([b'A' + n / 26, b'A' + n % 26]),
            viewer: ViewerId::from_u128(n.into()),
            ..views(0)[0].clone()
        };
        let many: Vec<CountedView> = (0..=u8::MAX).map(view).collect();
        assert_eq!(audience(None, &many).write(), None);
        assert!(audience(None, &many[..255]).write().is_some());
    }
}
