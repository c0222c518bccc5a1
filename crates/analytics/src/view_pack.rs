//! The stored form of the counted views of an item or playlist in a week: what the reports about audiences need of each
//! view, in few bytes. No async, no SQL, no HTTP.
//!
//! A version, then each view: the second of the week in which its hour starts, the viewer, a byte with the device and
//! what follows, the country, the content item unless it is that of the view before, and the sections.

use kernel::{ContentId, DAY, Millis, SECOND, Timestamp, ViewerId};

use crate::audience_of_item::CountedView;
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::packed::{Bytes, push_number};

/// Length of a week. Weeks are counted from the epoch in every time zone. Statements have it as a number.
pub const WEEK: Millis = 7 * DAY;

/// Version of the stored form.
const VERSION: u8 = 1;
/// Bits beside the device, which are the lowest three.
const FINISHED: u8 = 1 << 3;
const COUNTRY: u8 = 1 << 4;
const CONTENT: u8 = 1 << 5;
/// The devices by their numbers in the stored form.
const DEVICES: [Device; 5] = [Device::Desktop, Device::Mobile, Device::Tablet, Device::Tv, Device::Other];

/// Returns the start of the week to which an hour belongs.
pub fn week_of(hour: Timestamp) -> Timestamp {
    hour - hour.ms().rem_euclid(WEEK)
}

/// Returns the stored form of a week's views.
pub fn write(week: Timestamp, views: &[CountedView]) -> Vec<u8> {
    let mut sorted: Vec<&CountedView> = views.iter().collect();
    sorted.sort_by_key(|view| (view.content, view.hour, view.viewer));
    let mut bytes = Vec::with_capacity(1 + views.len() * 32);
    bytes.push(VERSION);
    let mut content = ContentId::nil();
    for view in sorted {
        push_number(&mut bytes, (view.hour - week) / SECOND);
        bytes.extend_from_slice(view.viewer.as_bytes());
        let device = DEVICES.iter().position(|device| *device == view.device).unwrap_or(DEVICES.len() - 1);
        let bits = [
            (view.is_finished, FINISHED),
            (view.country.is_some(), COUNTRY),
            (view.content != content, CONTENT),
        ];
        // There are five devices.
        bytes.push(bits.iter().filter(|(is_set, _)| *is_set).fold(device as u8, |bits, (_, bit)| bits | bit));
        bytes.extend(view.country.iter().flatten());
        if view.content != content {
            content = view.content;
            bytes.extend_from_slice(content.as_bytes());
        }
        let sections = view.sections.as_slice();
        push_number(&mut bytes, sections.len() as i64);
        let mut end = 0;
        for (from, to) in sections {
            push_number(&mut bytes, from - end);
            push_number(&mut bytes, to - from);
            end = *to;
        }
    }
    bytes
}

/// Reads the views of a week. Returns `None` if the stored form is damaged.
pub fn read(week: Timestamp, bytes: &[u8], mut each: impl FnMut(&CountedView)) -> Option<()> {
    let mut bytes = Bytes::new(bytes);
    if bytes.take::<1>()? != [VERSION] {
        return None;
    }
    let mut view = CountedView {
        hour: week,
        viewer: ViewerId::nil(),
        content: ContentId::nil(),
        device: Device::Other,
        country: None,
        is_finished: false,
        sections: Spans::default(),
    };
    while !bytes.is_empty() {
        view.hour = week + bytes.number()?.checked_mul(SECOND)?;
        view.viewer = ViewerId::from_u128(u128::from_be_bytes(bytes.take()?));
        let [bits] = bytes.take()?;
        view.device = *DEVICES.get(usize::from(bits & 7))?;
        view.is_finished = bits & FINISHED != 0;
        view.country = if bits & COUNTRY != 0 { Some(bytes.take()?) } else { None };
        if bits & CONTENT != 0 {
            view.content = ContentId::from_u128(u128::from_be_bytes(bytes.take()?));
        }
        let (count, mut end) = (bytes.number()?, 0_i64);
        view.sections.clear();
        for _ in 0..count {
            let from = end.checked_add(bytes.number()?)?;
            end = from.checked_add(bytes.number()?)?;
            view.sections.push(from, end);
        }
        each(&view);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use kernel::HOUR;

    use super::*;

    const START: Timestamp = Timestamp::from_ms(2_900 * WEEK);

    fn view(n: u128, sections: &str) -> CountedView {
        CountedView {
            hour: START + (n as i64 * 37 % 168) * HOUR + 30 * 60 * SECOND,
            viewer: ViewerId::from_u128(n << 64 | 5),
            content: ContentId::from_u128(1 + n % 3),
            device: DEVICES[n as usize % 5],
            country: (!n.is_multiple_of(4)).then_some([b'D', b'A' + n as u8]),
            is_finished: n.is_multiple_of(2),
            sections: Spans::read(sections).unwrap(),
        }
    }

    fn views() -> Vec<CountedView> {
        let sections = ["", "0-1", "5-10000", "0-3,5-9,1000000-99999999", "1-2"];
        (0..25).map(|n| view(n, sections[n as usize % 5])).collect()
    }

    #[test]
    fn everything_is_read_again() {
        assert_eq!(WEEK, 604_800_000);
        assert_eq!(week_of(START + WEEK - 1), START);
        let bytes = write(START, &views());
        let mut found = Vec::new();
        read(START, &bytes, |view| found.push(view.clone())).unwrap();
        let mut expected = views();
        expected.sort_by_key(|view| (view.content, view.hour, view.viewer));
        assert_eq!(found, expected);
        let one = write(START, &views()[..1]);
        assert!(one.len() < 40, "{}", one.len());
        assert_eq!(read(START, &write(START, &[]), |_| panic!("there is no view")), Some(()));
    }

    #[test]
    fn a_damaged_form_is_not_read() {
        let bytes = write(START, &views()[..4]);
        let mut ends = Vec::new();
        for end in 0..bytes.len() {
            if read(START, &bytes[..end], |_| ()).is_some() {
                ends.push(end);
            }
        }
        assert_eq!(ends.len(), 4, "only between views: {ends:?}");
        let other = [&[2], &bytes[1..]].concat();
        assert_eq!(read(START, &other, |_| ()), None, "another version");
        let device = [&[VERSION, 0][..], &[0; 16], &[7, 0]].concat();
        assert_eq!(read(START, &device, |_| ()), None);
        assert_eq!(read(START, &[&[VERSION][..], &[0xff; 12]].concat(), |_| ()), None);
    }
}
