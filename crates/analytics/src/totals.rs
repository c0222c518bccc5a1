//! Totals as sums of decisions. Intake adds what it decides, and a recount adds the same decisions again.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use kernel::{ContentId, DAY, Millis, OrgId, PersonId, PlaylistId, Timestamp, Uid};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::definitions::view::Verdict;
use crate::definitions::zone::LocalTime;
use crate::view_pack::week_of;

/// Length of a period, four weeks. Periods are counted from the epoch in every time zone, so that each day belongs to one
/// of them, however it was cut. Statements that divide days into periods have it as a number.
pub const PERIOD: Millis = 28 * DAY;

/// A sum of watch time and views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub watch_ms: Millis,
    /// Watch time that arrived late.
    pub late_ms: Millis,
    pub views: i64,
}

/// A sum of one person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PersonSum {
    pub watch_ms: Millis,
    pub views: i64,
    pub visits: i64,
}

/// Views that were not counted for one reason, or the watch time over the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictSum {
    pub views: i64,
    pub watch_ms: Millis,
}

/// An hour of an organisation, a content item or a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HourKey {
    pub org: OrgId,
    /// Id of the organisation, content item or playlist.
    pub subject: Uid,
    /// Start of the hour.
    pub hour: Timestamp,
}

/// A list of totals by day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum DayList {
    /// The organisation itself.
    #[sea_orm(string_value = "organisation")]
    Organisation,
    /// Its content items.
    #[sea_orm(string_value = "content")]
    Content,
    /// Its playlists.
    #[sea_orm(string_value = "playlist")]
    Playlist,
}

/// A day of an entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayKey {
    pub org: OrgId,
    pub list: DayList,
    /// Start of the day.
    pub day: Timestamp,
    pub item: Uid,
}

/// A period of an entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeriodKey {
    pub org: OrgId,
    pub list: DayList,
    pub item: Uid,
    /// Start of the period.
    pub period: Timestamp,
}

/// A playlist, since the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaylistKey {
    pub org: OrgId,
    pub playlist: PlaylistId,
}

/// A day of a content item within a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaylistContentKey {
    pub org: OrgId,
    pub playlist: PlaylistId,
    pub day: Timestamp,
    pub content: ContentId,
}

/// An hour of the weeks of a period of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotKey {
    pub org: OrgId,
    /// Start of the period.
    pub period: Timestamp,
    /// Start of the hour, from the start of the week.
    pub slot: Millis,
}

/// A period of a content item within a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaylistPeriodKey {
    pub org: OrgId,
    pub playlist: PlaylistId,
    /// Start of the period.
    pub period: Timestamp,
    pub content: ContentId,
}

/// One hour of a person, with what was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonHourKey {
    pub org: OrgId,
    pub person: PersonId,
    pub since: Timestamp,
    pub hour: Timestamp,
    /// `None` for a visit.
    pub content: Option<ContentId>,
    /// `None` for a visit and outside of playlists.
    pub playlist: Option<PlaylistId>,
}

/// A day's views with one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerdictKey {
    pub org: OrgId,
    pub day: Timestamp,
    pub verdict: Verdict,
}

/// A person under a consent, to whom something is attributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub person: PersonId,
    /// Start of the consent.
    pub since: Timestamp,
}

/// What was watched, and where and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditContext {
    pub org: OrgId,
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
    pub named: Option<Named>,
}

/// Sums by key.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub hours: BTreeMap<HourKey, Sum>,
    pub days: BTreeMap<DayKey, Sum>,
    pub playlists: BTreeMap<PlaylistKey, Sum>,
    pub playlist_content: BTreeMap<PlaylistContentKey, Sum>,
    pub people: BTreeMap<PersonHourKey, PersonSum>,
    pub verdicts: BTreeMap<VerdictKey, VerdictSum>,
}

/// Returns the start of the period to which a day belongs.
pub fn period_of(day: Timestamp) -> Timestamp {
    day - day.ms().rem_euclid(PERIOD)
}

impl Totals {
    /// Returns the sums of items and playlists by period.
    pub fn periods(&self) -> BTreeMap<PeriodKey, Sum> {
        let mut periods: BTreeMap<PeriodKey, Sum> = BTreeMap::new();
        for (key, sum) in self.days.iter().filter(|(key, _)| key.list != DayList::Organisation) {
            let DayKey { org, list, day, item } = *key;
            *periods.entry(PeriodKey { org, list, item, period: period_of(day) }).or_default() += *sum;
        }
        periods
    }

    /// Returns the sums of items within playlists by period.
    pub fn playlist_periods(&self) -> BTreeMap<PlaylistPeriodKey, Sum> {
        let mut periods: BTreeMap<PlaylistPeriodKey, Sum> = BTreeMap::new();
        for (key, sum) in &self.playlist_content {
            let PlaylistContentKey { org, playlist, day, content } = *key;
            let key = PlaylistPeriodKey { org, playlist, period: period_of(day), content };
            *periods.entry(key).or_default() += *sum;
        }
        periods
    }

    /// Returns the watch time of organisations by period and hour of the week.
    pub fn slots(&self) -> BTreeMap<SlotKey, Millis> {
        let mut slots: BTreeMap<SlotKey, Millis> = BTreeMap::new();
        for (key, sum) in
            self.hours.iter().filter(|(key, sum)| key.subject == key.org.uid() && sum.watch_ms > 0)
        {
            let (period, slot) = (period_of(key.hour), key.hour - week_of(key.hour));
            *slots.entry(SlotKey { org: key.org, period, slot }).or_default() += sum.watch_ms;
        }
        slots
    }

    /// Adds watch time and counted views of an hour.
    pub fn add(&mut self, place: CreditContext, local: LocalTime, sum: Sum) {
        if sum == Sum::default() {
            return;
        }
        let CreditContext { org, content, playlist, named } = place;
        let LocalTime { hour, day } = local;
        if let Some(playlist) = playlist {
            let key = PlaylistContentKey { org, playlist, day, content };
            *self.playlist_content.entry(key).or_default() += sum;
            *self.playlists.entry(PlaylistKey { org, playlist }).or_default() += sum;
        }
        let subjects = [
            Some((DayList::Organisation, org.uid())),
            Some((DayList::Content, content.into())),
            playlist.map(|playlist| (DayList::Playlist, playlist.into())),
        ];
        for (list, item) in subjects.into_iter().flatten() {
            *self.hours.entry(HourKey { org, subject: item, hour }).or_default() += sum;
            *self.days.entry(DayKey { org, list, day, item }).or_default() += sum;
        }
        if let Some(Named { person, since }) = named {
            let key = PersonHourKey { org, person, since, hour, content: Some(content), playlist };
            let of_person = self.people.entry(key).or_default();
            of_person.watch_ms += sum.watch_ms;
            of_person.views += sum.views;
        }
    }

    /// Adds a visit that starts in this hour.
    pub fn add_visit(&mut self, org: OrgId, named: Named, hour: Timestamp) {
        let Named { person, since } = named;
        let key = PersonHourKey { org, person, since, hour, content: None, playlist: None };
        self.people.entry(key).or_default().visits += 1;
    }

    /// Adds to the views of a day with a verdict.
    pub fn add_verdict(&mut self, org: OrgId, day: Timestamp, verdict: Verdict, sum: VerdictSum) {
        let key = VerdictKey { org, day, verdict };
        let known = self.verdicts.entry(key).or_default();
        known.views += sum.views;
        known.watch_ms += sum.watch_ms;
    }
}

impl Sum {
    /// Returns the sum of watch time alone.
    pub fn watched(watch_ms: Millis, is_late: bool) -> Self {
        Self { watch_ms, late_ms: if is_late { watch_ms } else { 0 }, views: 0 }
    }

    /// Returns the sum of one counted view.
    pub fn one_view() -> Self {
        Self { views: 1, ..Self::default() }
    }

    /// Returns the sum of sums.
    pub fn of(sums: impl Iterator<Item = Self>) -> Self {
        sums.fold(Self::default(), |mut total, sum| {
            total += sum;
            total
        })
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.watch_ms += other.watch_ms;
        self.late_ms += other.late_ms;
        self.views += other.views;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_divide_days_into_the_same_periods() {
        assert_eq!(PERIOD, 2_419_200_000);
        let day = Timestamp::from_ms(2_419_200_000 * 700 + 18 * 3_600_000);
        assert_eq!(period_of(day).ms(), day.ms() / 2_419_200_000 * 2_419_200_000);
        assert_eq!(period_of(period_of(day)), period_of(day));
    }
}
