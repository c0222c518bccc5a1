//! What the counted views of an item or playlist say about its audience. No async, no SQL, no HTTP.

mod people_counts;
pub mod stored;

use hashbrown::hash_table::Entry;
use hashbrown::{HashMap, HashSet, HashTable};

use kernel::{ContentId, Timestamp, ViewerId};

use self::people_counts::PeopleCounts;
use crate::definitions::countries;
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{Form, Subject, parts};
use crate::dto::{CountryOut, DeviceOut};
use crate::seen_parts::{Ends, PartCounts, SeenParts};
use crate::view_pack::{Pack, ViewerKey, covered, viewer_key};

/// Fewest people of a row about devices and countries, so that no row tells about one person.
const PEOPLE_MIN: usize = 3;

/// Number of sets of devices.
const DEVICE_SETS: usize = 1 << Device::ALL.len();

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

    fn add(&mut self, is_finished: bool) {
        self.finished += usize::from(is_finished);
        self.views += 1;
    }

    fn add_all(&mut self, other: Self) {
        self.finished += other.finished;
        self.views += other.views;
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

/// What one viewer did, in few bytes: there may be many.
#[derive(Clone, Copy, Debug)]
struct Person {
    viewer: ViewerKey,
    /// Number of the country in the audience.
    country: Option<u16>,
    /// Bits of the devices.
    devices: u8,
    /// The ends of the parts that were seen. Those with gaps are in the audience.
    ends: Ends,
}

impl Person {
    /// Returns the parts that were seen by the person at `place`.
    fn parts(&self, place: u32, gaps: &HashMap<u32, u128>) -> SeenParts {
        SeenParts::between(self.ends, || gaps.get(&place).copied()).unwrap_or(SeenParts::NONE)
    }
}

/// Returns the ends of parts, after it has kept those with gaps.
fn keep(gaps: &mut HashMap<u32, u128>, place: u32, parts: SeenParts) -> Ends {
    if let SeenParts::Gaps(bits) = parts {
        gaps.insert(place, bits);
    }
    parts.ends()
}

/// Spreads keys, which are random numbers, but not in every test.
fn hash(viewer: ViewerKey) -> u64 {
    let product = u128::from(viewer) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// The audience of the views that were added. The numbers of people are those of different viewers.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    /// The item; `None` for a playlist.
    subject: Option<Subject>,
    pub total: Finished,
    /// The items of a playlist.
    pub items: HashMap<ContentId, Finished>,
    /// What the views cover, in milliseconds or pages. An integer, so that the order of views makes no difference.
    covered: i64,
    plays: PartCounts,
    countries: Vec<Country>,
    people: Vec<Person>,
    /// Number of people who are only in sums of weeks.
    summed: usize,
    /// The parts of people who saw some with gaps between them, by place.
    gaps: HashMap<u32, u128>,
    counts: PeopleCounts,
    /// Places in the list of people, by viewer.
    places: HashTable<u32>,
    /// Further countries of people, of whom few have any.
    more_countries: HashSet<(u32, u16)>,
}

impl Audience {
    /// Returns the audience of an item before its views are added.
    pub fn of_item(subject: Subject) -> Self {
        Self { subject: Some(subject), ..Self::default() }
    }

    /// Returns the audience of all views of a pack, of an item or of a playlist. Returns `None` if it is damaged.
    pub fn of_pack(pack: &Pack<'_>, is_item: bool) -> Option<Self> {
        let mut audience = Self::of_length(pack.length, is_item);
        audience.add_pack(pack, |_| true)?;
        Some(audience)
    }

    /// Returns the audience of an item of a length, or of a playlist, before anything that is packed is added. How an item is
    /// measured makes no difference then.
    fn of_length(length: Option<i64>, is_item: bool) -> Self {
        Self { subject: is_item.then_some(Subject { form: Form::Plays, length }), ..Self::default() }
    }

    /// Adds a view.
    pub fn add(&mut self, view: &CountedView) {
        let country = view.country.map(|code| self.country_number(code));
        let parts = SeenParts::of(self.subject.map_or(0, |subject| parts(&view.sections, subject)));
        let covered = covered(&view.sections, self.length());
        self.add_viewer(viewer_key(view.viewer), (1 << view.device as u8, country), parts);
        self.add_view(view.is_finished, parts, covered);
        if self.subject.is_none() {
            self.items.entry(view.content).or_default().add(view.is_finished);
        }
    }

    /// Adds the views of a pack in whose hours `is_shown` is true. Returns `None` if it is damaged.
    pub fn add_pack(&mut self, pack: &Pack<'_>, is_shown: impl Fn(u32) -> bool) -> Option<()> {
        let countries: Vec<u16> = pack.countries.iter().map(|code| self.country_number(*code)).collect();
        let mut items = vec![Finished::default(); pack.contents.len()];
        let length = self.length();
        // The length of the item was another one when they were packed.
        let mut sections =
            self.subject.filter(|_| pack.length != length).map(|subject| (subject, pack.sections()));
        for view in pack.views() {
            let view = view?;
            let (mut seen, mut covers) = (view.parts, view.covered);
            if let Some((subject, sections)) = &mut sections {
                let sections = sections.next()??;
                (seen, covers) = (SeenParts::of(parts(&sections, *subject)), covered(&sections, length));
            }
            if !is_shown(view.second) {
                continue;
            }
            let country = view.country.and_then(|number| countries.get(number).copied());
            self.add_viewer(view.viewer, (1 << view.device as u8, country), seen);
            self.add_view(view.is_finished, seen, covers);
            items.get_mut(view.content)?.add(view.is_finished);
        }
        if self.subject.is_none() {
            for (content, item) in pack.contents.iter().zip(items).filter(|(_, item)| item.views > 0) {
                self.items.entry(*content).or_default().add_all(item);
            }
        }
        Some(())
    }

    /// Returns the number of a country in this audience.
    fn country_number(&mut self, code: Country) -> u16 {
        let known = self.countries.iter().position(|known| *known == code);
        // There are fewer codes of two letters.
        known.unwrap_or_else(|| {
            self.countries.push(code);
            self.countries.len() - 1
        }) as u16
    }

    /// Makes room for this many viewers, some of whom saw parts with gaps between them.
    pub fn reserve(&mut self, count: usize) {
        self.people.reserve(count);
        self.gaps.reserve(count / 4);
        self.places.reserve(count, |place| hash(self.people[*place as usize].viewer));
    }

    /// Adds what a viewer did, and returns the viewer's place.
    fn add_viewer(
        &mut self,
        viewer: ViewerKey,
        (devices, country): (u8, Option<u16>),
        parts: SeenParts,
    ) -> u32 {
        let (people, gaps, counts) = (&mut self.people, &mut self.gaps, &mut self.counts);
        let known = self.places.entry(
            hash(viewer),
            |place| people[*place as usize].viewer == viewer,
            |place| hash(people[*place as usize].viewer),
        );
        match known {
            Entry::Vacant(entry) => {
                // No answer could be made of more.
                let place = people.len() as u32;
                entry.insert(place);
                people.push(Person { viewer, country, devices, ends: keep(gaps, place, parts) });
                counts.add(parts, devices, country);
                place
            }
            Entry::Occupied(entry) => {
                let place = *entry.get();
                let person = &mut people[place as usize];
                let known = person.parts(place, gaps);
                if parts != known {
                    let (bits, known) = (parts.bits(), known.bits());
                    counts.parts.add(SeenParts::of(bits & !known));
                    person.ends = keep(gaps, place, SeenParts::of(bits | known));
                }
                counts.change_devices(person.devices, person.devices | devices);
                person.devices |= devices;
                if let Some(country) = country {
                    self.add_country(place, country);
                }
                place
            }
        }
    }

    fn add_country(&mut self, place: u32, country: u16) {
        let known = &mut self.people[place as usize].country;
        let is_new = match *known {
            None => true,
            Some(known) => known != country && self.more_countries.insert((place, country)),
        };
        known.get_or_insert(country);
        if is_new {
            self.counts.add_country(country);
        }
    }

    /// Takes a viewer of a day that is not packed out of the sums of weeks, and keeps this viewer one by one. `views` are
    /// those views of the viewer that are packed. Returns `None` if the sums are damaged.
    pub fn name_summed(&mut self, views: &[CountedView]) -> Option<()> {
        let Some(first) = views.first() else { return Some(()) };
        let viewer = viewer_key(first.viewer);
        // A viewer who is kept one by one, or whose views were read, is in none of the sums.
        if self.place_of(viewer).is_some() {
            return Some(());
        }
        let mut alone = Self { subject: self.subject, countries: self.countries.clone(), ..Self::default() };
        views.iter().for_each(|view| alone.add(view));
        self.countries.clone_from(&alone.countries);
        self.summed = self.summed.checked_sub(alone.people.len())?;
        self.counts.remove_all(&alone)?;
        let [person] = alone.people.as_slice() else { return None };
        let place = self.add_viewer(viewer, (person.devices, person.country), person.parts(0, &alone.gaps));
        alone.more_countries.iter().for_each(|(_, country)| self.add_country(place, *country));
        Some(())
    }

    fn place_of(&self, viewer: ViewerKey) -> Option<u32> {
        self.places.find(hash(viewer), |place| self.people[*place as usize].viewer == viewer).copied()
    }

    /// Returns the keys of the viewers.
    pub fn viewers(&self) -> impl Iterator<Item = ViewerKey> {
        self.people.iter().map(|person| person.viewer)
    }

    fn length(&self) -> Option<i64> {
        self.subject?.length
    }

    fn add_view(&mut self, is_finished: bool, parts: SeenParts, covered: i64) {
        self.total.add(is_finished);
        self.plays.add(parts);
        self.covered += covered;
    }

    /// Returns the parts that each of the people saw, in their order.
    fn parts_of_people(&self) -> impl Iterator<Item = SeenParts> {
        (0..).zip(&self.people).map(|(place, person)| person.parts(place, &self.gaps))
    }

    /// Returns the number of different viewers.
    pub fn uniques(&self) -> usize {
        self.people.len() + self.summed
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
        let part = |(people, plays)| RetentionOut { people, plays };
        self.counts.parts.counts().zip(self.plays.counts()).map(part).collect()
    }

    /// Returns the number of people by kind of device, most first.
    pub fn devices(&self) -> Vec<DeviceOut> {
        let people = |device: Device| {
            let by_bits = self.counts.devices.iter();
            by_bits
                .enumerate()
                .filter(|(bits, _)| bits >> device as u8 & 1 != 0)
                .map(|(_, people)| people)
                .sum()
        };
        rows(Device::ALL.map(|device| (device, people(device))))
            .map(|(name, people)| DeviceOut { name, people })
            .collect()
    }

    /// Returns the number of people by country, most first.
    pub fn countries(&self) -> Vec<CountryOut> {
        let country = |(code, people): (Country, usize)| {
            let code = String::from_utf8_lossy(&code).into_owned();
            let name = countries::name_of(&code).unwrap_or_default().to_owned();
            CountryOut { code, name, people }
        };
        rows(self.countries.iter().copied().zip(self.counts.countries.iter().copied())).map(country).collect()
    }
}

fn ratio(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// Returns the rows that may be shown, most people first.
fn rows<Key: Ord>(people: impl IntoIterator<Item = (Key, usize)>) -> impl Iterator<Item = (Key, usize)> {
    let mut rows: Vec<(Key, usize)> =
        people.into_iter().filter(|(_, people)| *people >= PEOPLE_MIN).collect();
    rows.sort_by(|(key, people), (other, fewer)| fewer.cmp(people).then_with(|| key.cmp(other)));
    rows.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

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
