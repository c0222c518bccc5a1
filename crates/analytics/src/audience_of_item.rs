//! What the counted views of an item or playlist say about its audience. No async, no SQL, no HTTP.

use std::collections::HashMap;

use kernel::{ContentId, Timestamp, ViewerId};

use crate::definitions::countries;
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{PARTS, Subject, parts};
use crate::dto::{CountryOut, DeviceOut};

/// Fewest people of a row about devices and countries, so that no row tells about one person.
const PEOPLE_MIN: usize = 3;

/// A code of two letters.
pub type Country = [u8; 2];

/// A counted view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedView {
    /// Start of the hour in which it began.
    pub hour: Timestamp,
    pub viewer: ViewerId,
    pub content: ContentId,
    pub device: Device,
    pub country: Option<Country>,
    pub is_finished: bool,
    pub sections: Spans,
}

/// Views, and how many of them reached the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub finished: usize,
    pub views: usize,
}

impl Finished {
    /// Returns the share of views that reached the end; `None` without views.
    pub fn rate(self) -> Option<f64> {
        ratio(self.finished as f64, self.views)
    }

    fn add(&mut self, view: &CountedView) {
        self.finished += usize::from(view.is_finished);
        self.views += 1;
    }
}

/// People and views of one part of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct RetentionOut {
    /// Different people who watched the part.
    people: usize,
    /// Views that contain the part.
    plays: usize,
}

/// What one viewer did.
#[derive(Clone, Debug, Default)]
struct ViewerSummary {
    /// Bits of the parts that were seen.
    parts: u128,
    /// Bits of the devices.
    devices: u8,
    country: Option<Country>,
    /// Further countries; few people have any.
    more_countries: Vec<Country>,
}

/// The audience of the views that were added. The numbers of people are those of different viewers.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    /// The item; `None` for a playlist.
    subject: Option<Subject>,
    pub total: Finished,
    pub items: HashMap<ContentId, Finished>,
    /// What the views cover, in milliseconds or pages. An integer, so that the order of views makes no difference.
    covered: i64,
    plays: PartCounts,
    viewers: HashMap<ViewerId, ViewerSummary>,
}

impl Audience {
    /// Returns the audience of an item before its views are added.
    pub fn of_item(subject: Subject) -> Self {
        Self { subject: Some(subject), ..Self::default() }
    }

    /// Adds a view.
    pub fn add(&mut self, view: &CountedView) {
        self.total.add(view);
        let viewer = self.viewers.entry(view.viewer).or_default();
        viewer.devices |= 1 << view.device as u8;
        match (view.country, viewer.country) {
            (Some(_), None) => viewer.country = view.country,
            (Some(code), Some(known)) if code != known && !viewer.more_countries.contains(&code) => {
                viewer.more_countries.push(code);
            }
            _ => {}
        }
        if let Some(subject) = self.subject {
            let seen = parts(&view.sections, subject);
            viewer.parts |= seen;
            self.plays.add(seen);
            self.covered += view.sections.total().min(subject.length.unwrap_or(0));
        } else {
            self.items.entry(view.content).or_default().add(view);
        }
    }

    /// Returns the number of different viewers.
    pub fn uniques(&self) -> usize {
        self.viewers.len()
    }

    /// Returns the average share of the item that a view covers; `None` without views or length.
    pub fn average_share(&self) -> Option<f64> {
        let length = self.subject?.length?;
        let whole = if length > 0 { self.covered as f64 / length as f64 } else { 0.0 };
        ratio(whole, self.total.views)
    }

    /// Returns who watched each hundredth of the item; empty while its length is unknown.
    pub fn retention(&self) -> Vec<RetentionOut> {
        if self.subject.and_then(|subject| subject.length).is_none_or(|length| length <= 0) {
            return Vec::new();
        }
        let mut people = PartCounts::default();
        for viewer in self.viewers.values() {
            people.add(viewer.parts);
        }
        let part = |(people, plays)| RetentionOut { people, plays };
        people.counts().zip(self.plays.counts()).map(part).collect()
    }

    /// Returns the number of people by kind of device, most first.
    pub fn devices(&self) -> Vec<DeviceOut> {
        let mut people: HashMap<Device, usize> = HashMap::new();
        for viewer in self.viewers.values() {
            for device in Device::ALL.into_iter().filter(|device| viewer.devices & (1 << *device as u8) != 0)
            {
                *people.entry(device).or_default() += 1;
            }
        }
        rows(people).map(|(name, people)| DeviceOut { name, people }).collect()
    }

    /// Returns the number of people by country, most first.
    pub fn countries(&self) -> Vec<CountryOut> {
        let mut people: HashMap<Country, usize> = HashMap::new();
        for viewer in self.viewers.values() {
            for country in viewer.country.iter().chain(&viewer.more_countries) {
                *people.entry(*country).or_default() += 1;
            }
        }
        let country = |(code, people): (Country, usize)| {
            let code = String::from_utf8_lossy(&code).into_owned();
            let name = countries::name_of(&code).unwrap_or_default().to_owned();
            CountryOut { code, name, people }
        };
        rows(people).map(country).collect()
    }
}

/// How often each part occurs. Parts that are seen together are added together, because most views have few gaps: the
/// number of a part is the sum of the changes up to it.
#[derive(Clone, Debug)]
struct PartCounts([i64; PARTS + 1]);

impl Default for PartCounts {
    fn default() -> Self {
        Self([0; PARTS + 1])
    }
}

impl PartCounts {
    fn add(&mut self, parts: u128) {
        let (mut rest, mut at) = (parts, 0);
        while rest != 0 {
            let gap = rest.trailing_zeros();
            rest >>= gap;
            let length = rest.trailing_ones();
            rest = rest.checked_shr(length).unwrap_or(0);
            let from = at + gap as usize;
            at = from + length as usize;
            self.0[from] += 1;
            self.0[at] -= 1;
        }
    }

    fn counts(&self) -> impl Iterator<Item = usize> {
        let sums = self.0.iter().scan(0_i64, |sum, change| {
            *sum += change;
            Some(*sum)
        });
        // A count is never negative.
        sums.take(PARTS).map(|count| usize::try_from(count).unwrap_or(0))
    }
}

fn ratio(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// Returns the rows that may be shown, most people first.
fn rows<Key: Ord>(people: HashMap<Key, usize>) -> impl Iterator<Item = (Key, usize)> {
    let mut rows: Vec<(Key, usize)> =
        people.into_iter().filter(|(_, people)| *people >= PEOPLE_MIN).collect();
    rows.sort_by(|(key, people), (other, fewer)| fewer.cmp(people).then_with(|| key.cmp(other)));
    rows.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::view::Form;

    const SUBJECT: Subject = Subject { form: Form::Plays, length: Some(100_000) };

    fn view(viewer: u128, sections: &str, is_finished: bool) -> CountedView {
        CountedView {
            hour: Timestamp::EPOCH,
            viewer: ViewerId::from_u128(viewer),
            content: ContentId::from_u128(viewer % 2),
            device: if viewer < 4 { Device::Mobile } else { Device::Tv },
            country: (viewer != 1).then_some(*b"DE"),
            sections: Spans::read(sections).unwrap(),
            is_finished,
        }
    }

    fn audience(subject: Option<Subject>, views: &[CountedView]) -> Audience {
        let mut audience = Audience { subject, ..Audience::default() };
        views.iter().for_each(|view| audience.add(view));
        audience
    }

    #[test]
    fn a_person_who_watches_twice_is_two_plays_and_one_of_the_people() {
        let views = [view(1, "0-50000", false), view(1, "0-100000", true), view(2, "0-25000", false)];
        let audience = audience(Some(SUBJECT), &views);
        let retention = audience.retention();
        assert_eq!(retention.len(), 100);
        assert_eq!(retention[0], RetentionOut { people: 2, plays: 3 });
        assert_eq!(retention[40], RetentionOut { people: 1, plays: 2 });
        assert_eq!(retention[99], RetentionOut { people: 1, plays: 1 });
        assert_eq!(audience.uniques(), 2);
        assert_eq!(audience.total.rate(), Some(1.0 / 3.0));
        let average = audience.average_share().unwrap();
        assert!((average - 1.75 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn views_of_a_playlist_are_counted_by_item() {
        let views = [view(1, "", false), view(2, "", true), view(4, "", false)];
        let items = audience(None, &views).items;
        assert_eq!(items[&ContentId::from_u128(1)], Finished { finished: 0, views: 1 });
        assert_eq!(items[&ContentId::from_u128(0)], Finished { finished: 1, views: 2 });
    }

    #[test]
    fn no_row_tells_about_fewer_than_three_people() {
        let views = [view(1, "", false), view(2, "", false), view(3, "", false), view(4, "", false)];
        let audience = audience(None, &views);
        let devices = audience.devices();
        assert_eq!((devices.len(), devices[0].people), (1, 3));
        let countries = audience.countries();
        assert_eq!(
            (countries[0].code.as_str(), countries[0].name.as_str(), countries[0].people),
            ("DE", "Germany", 3)
        );
    }

    #[test]
    fn someone_on_two_devices_in_two_countries_is_one_of_the_people_of_each() {
        let mut views: Vec<CountedView> = (2..5).map(|viewer| view(viewer, "", false)).collect();
        views.extend((2..5).map(|viewer| CountedView {
            device: Device::Other,
            country: Some(*b"FR"),
            ..view(viewer, "", false)
        }));
        views.extend_from_within(..);
        let audience = audience(None, &views);
        let people = |rows: Vec<(String, usize)>| rows.into_iter().collect::<Vec<_>>();
        let countries = audience.countries().into_iter().map(|row| (row.code, row.people)).collect();
        assert_eq!(people(countries), [("DE".to_owned(), 3), ("FR".to_owned(), 3)]);
        assert_eq!(audience.devices().len(), 1, "two on a phone and one at a television are too few");
    }

    #[test]
    fn nothing_is_said_without_views_or_length() {
        let none = audience(Some(SUBJECT), &[]);
        assert_eq!((none.total.rate(), none.average_share()), (None, None));
        let unknown = Subject { length: None, ..SUBJECT };
        assert!(audience(Some(unknown), &[view(1, "0-5", false)]).retention().is_empty());
    }
}
