//! What the counted views of an item say about its audience. No async, no SQL, no HTTP.

use std::collections::{BTreeMap, HashMap, HashSet};

use kernel::ViewerId;

use crate::definitions::countries;
use crate::definitions::devices::Device;
use crate::definitions::view::{PARTS, Subject, parts, share};
use crate::dto::{CountryOut, DeviceOut};
use crate::store::reports::CountedView;

/// Fewest people of a row about devices and countries, so that no row tells about one person.
const PEOPLE_MIN: usize = 3;

/// People and views of one part of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct RetentionOut {
    /// Different people who watched the part.
    people: usize,
    /// Views that contain the part.
    plays: usize,
}

/// Returns the number of different viewers.
pub fn uniques(views: &[CountedView]) -> usize {
    views.iter().map(|view| view.viewer).collect::<HashSet<_>>().len()
}

/// Returns the share of views that reached the end; `None` without views.
pub fn finish_rate(views: &[CountedView]) -> Option<f64> {
    ratio(views.iter().filter(|view| view.is_finished).count() as f64, views.len())
}

/// Returns the average share of the item that a view covers; `None` without views or length.
pub fn average_share(views: &[CountedView], subject: Subject) -> Option<f64> {
    let length = subject.length?;
    ratio(views.iter().map(|view| share(&view.sections, Some(length))).sum(), views.len())
}

pub fn ratio(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// Returns who watched each hundredth of the item; empty while its length is unknown.
pub fn retention(views: &[CountedView], subject: Subject) -> Vec<RetentionOut> {
    if subject.length.is_none_or(|length| length <= 0) {
        return Vec::new();
    }
    let mut retention = vec![RetentionOut::default(); PARTS];
    let mut by_viewer: HashMap<ViewerId, [bool; PARTS]> = HashMap::new();
    for view in views {
        let seen = parts(&view.sections, subject);
        let known = by_viewer.entry(view.viewer).or_insert([false; PARTS]);
        for ((part, seen), known) in retention.iter_mut().zip(seen).zip(known) {
            part.plays += usize::from(seen);
            *known |= seen;
        }
    }
    for seen in by_viewer.values() {
        for (part, seen) in retention.iter_mut().zip(seen) {
            part.people += usize::from(*seen);
        }
    }
    retention
}

/// Returns the number of people by kind of device, most first.
pub fn devices(views: &[CountedView]) -> Vec<DeviceOut> {
    device_rows(people_by(views.iter().map(|view| (view.device, view.viewer))))
}

/// Returns the number of people by country, most first.
pub fn countries(views: &[CountedView]) -> Vec<CountryOut> {
    country_rows(people_by(views.iter().filter_map(|view| Some((view.country.clone()?, view.viewer)))))
}

/// Returns the rows about devices that may be shown, most people first.
pub fn device_rows(people: Vec<(Device, usize)>) -> Vec<DeviceOut> {
    rows(people).map(|(name, people)| DeviceOut { name, people }).collect()
}

/// Returns the rows about countries that may be shown, most people first.
pub fn country_rows(people: Vec<(String, usize)>) -> Vec<CountryOut> {
    let country = |(code, people): (String, usize)| {
        let name = countries::name_of(&code).unwrap_or_default().to_owned();
        CountryOut { code, name, people }
    };
    rows(people).map(country).collect()
}

fn rows<Key: Ord>(mut people: Vec<(Key, usize)>) -> impl Iterator<Item = (Key, usize)> {
    people.retain(|(_, people)| *people >= PEOPLE_MIN);
    people.sort_by(|(key, people), (other, fewer)| fewer.cmp(people).then_with(|| key.cmp(other)));
    people.into_iter()
}

fn people_by<Key: Ord>(pairs: impl Iterator<Item = (Key, ViewerId)>) -> Vec<(Key, usize)> {
    let mut people: BTreeMap<Key, HashSet<ViewerId>> = BTreeMap::new();
    for (key, viewer) in pairs {
        people.entry(key).or_default().insert(viewer);
    }
    people.into_iter().map(|(key, viewers)| (key, viewers.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::spans::Spans;
    use crate::definitions::view::Form;

    const SUBJECT: Subject = Subject { form: Form::Plays, length: Some(100_000) };

    fn view(viewer: u128, sections: &str, is_finished: bool) -> CountedView {
        CountedView {
            viewer: ViewerId::from_u128(viewer),
            device: if viewer < 4 { Device::Mobile } else { Device::Tv },
            country: (viewer != 1).then(|| "DE".to_owned()),
            sections: Spans::read(sections).unwrap(),
            is_finished,
        }
    }

    #[test]
    fn a_person_who_watches_twice_is_two_plays_and_one_of_the_people() {
        let views = [view(1, "0-50000", false), view(1, "0-100000", true), view(2, "0-25000", false)];
        let retention = retention(&views, SUBJECT);
        assert_eq!(retention.len(), 100);
        assert_eq!(retention[0], RetentionOut { people: 2, plays: 3 });
        assert_eq!(retention[40], RetentionOut { people: 1, plays: 2 });
        assert_eq!(retention[99], RetentionOut { people: 1, plays: 1 });
        assert_eq!(uniques(&views), 2);
        assert_eq!(finish_rate(&views), Some(1.0 / 3.0));
        let average = average_share(&views, SUBJECT).unwrap();
        assert!((average - 1.75 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn no_row_tells_about_fewer_than_three_people() {
        let views = [view(1, "", false), view(2, "", false), view(3, "", false), view(4, "", false)];
        let devices = devices(&views);
        assert_eq!((devices.len(), devices[0].people), (1, 3));
        let countries = countries(&views);
        assert_eq!(
            (countries[0].code.as_str(), countries[0].name.as_str(), countries[0].people),
            ("DE", "Germany", 3)
        );
    }

    #[test]
    fn nothing_is_said_without_views_or_length() {
        assert_eq!(finish_rate(&[]), None);
        assert_eq!(average_share(&[], SUBJECT), None);
        assert!(retention(&[view(1, "0-5", false)], Subject { length: None, ..SUBJECT }).is_empty());
    }
}
