//! Who joins, watches and taps what, and when. Pure: the seed decides everything.

use kernel::{DAY, HOUR, MINUTE, Millis, SECOND};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use crate::catalog::Item;
use crate::organisation::Tenant;
use crate::size::Scale;

/// Day of the last 90 on which the second organisation opens.
pub const SCHOOL_OPENS: i64 = 26;
/// Time between joining and watching.
const SETTLING: Millis = 2 * MINUTE;
/// Days before the end in which people act in all hours.
const ALL_HOURS: i64 = 28;
/// Time watched at which a view counts.
const VIEW: Millis = 10 * SECOND;
/// Time between two beats.
const BEAT: Millis = 10 * SECOND;

/// A person joins an organisation and answers the consent notice.
pub struct Join {
    /// Time since the beginning of the first day.
    pub at: Millis,
    pub viewer: usize,
    pub tenant: Tenant,
    pub consent: bool,
}

/// Who watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watcher {
    /// An app user, by position among all people.
    Viewer(usize),
    /// A staff member of the first organisation, whose views are not counted.
    Staff(usize),
}

/// A person watches an item.
pub struct Play {
    /// Time since the beginning of the first day.
    pub at: Millis,
    pub watcher: Watcher,
    pub tenant: Tenant,
    /// Position in the catalog.
    pub item: usize,
    /// Sections that are played one after the other, in ms.
    pub sections: Vec<(Millis, Millis)>,
}

impl Play {
    /// Returns how long it takes.
    pub fn length(&self) -> Millis {
        self.sections.iter().map(|(from, to)| to - from).sum()
    }

    /// Returns when it ends.
    pub fn end(&self) -> Millis {
        self.at + self.length()
    }

    fn counts(&self) -> bool {
        self.length() >= VIEW && self.is_counted()
    }

    fn is_counted(&self) -> bool {
        matches!(self.watcher, Watcher::Viewer(_))
    }

    /// Returns what the player reports: time since the start, and the section played since the last report.
    pub fn beats(&self) -> Vec<(Millis, Millis, Millis)> {
        let mut elapsed = 0;
        let mut beats = vec![(0, self.sections[0].0, self.sections[0].0)];
        for &(from, to) in &self.sections {
            let mut position = from;
            while position < to {
                let next = to.min(position + BEAT);
                elapsed += next - position;
                beats.push((elapsed, position, next));
                position = next;
            }
        }
        beats
    }
}

/// A person taps the contact of the first playlist.
pub struct Contact {
    /// Time since the beginning of the first day.
    pub at: Millis,
    pub viewer: usize,
}

/// Everything that app users do.
pub struct Plan {
    pub scale: Scale,
    pub joins: Vec<Join>,
    pub plays: Vec<Play>,
    pub contacts: Vec<Contact>,
}

/// Numbers that the plan adds up to for one organisation.
#[derive(Debug, PartialEq, Eq)]
pub struct Totals {
    pub views: usize,
    pub watch_ms: Millis,
    pub app_users: usize,
    pub consenting: usize,
}

impl Plan {
    /// Returns the totals of an organisation.
    pub fn totals(&self, tenant: Tenant) -> Totals {
        let plays = || self.plays.iter().filter(|play| play.tenant == tenant);
        let joins = || self.joins.iter().filter(|join| join.tenant == tenant);
        Totals {
            views: plays().filter(|play| play.counts()).count(),
            watch_ms: plays().filter(|play| play.is_counted()).map(Play::length).sum(),
            app_users: joins().count(),
            consenting: joins().filter(|join| join.consent).count(),
        }
    }
}

/// How often a person comes back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Fan,
    Regular,
    Casual,
}

fn habit_of(viewer: usize, scale: &Scale) -> Habit {
    match viewer % scale.habits {
        0 => Habit::Fan,
        1 | 4 => Habit::Regular,
        _ => Habit::Casual,
    }
}

/// Derives the plan from the seed.
pub fn plan(seed: u64, scale: Scale, items: &[Item]) -> Plan {
    let plan = Plan { scale, joins: Vec::new(), plays: Vec::new(), contacts: Vec::new() };
    let mut planner = Planner { plan, random: StdRng::seed_from_u64(seed), items };
    for viewer in 0..scale.people() {
        let tenant = if viewer < scale.company { Tenant::Company } else { Tenant::School };
        let day = join_day(viewer, &scale) + planner.random.random_range(0..3);
        planner.follow(viewer, tenant, day);
        if viewer < scale.both {
            planner.follow(viewer, Tenant::School, scale.late_day(SCHOOL_OPENS + 4));
        }
    }
    let Planner { mut plan, .. } = planner;
    for staff in [1, 3, 4] {
        let at = scale.late_day(60 + staff as i64) * DAY + 9 * HOUR;
        let (watcher, tenant) = (Watcher::Staff(staff), Tenant::Company);
        plan.plays.push(Play { at, watcher, tenant, item: 0, sections: vec![(0, MINUTE)] });
    }
    plan.joins.sort_by_key(|join| join.at);
    plan.plays.sort_by_key(Play::end);
    plan.contacts.sort_by_key(|contact| contact.at);
    plan
}

/// People join over time.
fn join_day(viewer: usize, scale: &Scale) -> i64 {
    match viewer.checked_sub(scale.company) {
        None => viewer as i64 * scale.joining / scale.company as i64,
        Some(trainee) => scale.late_day(SCHOOL_OPENS + 1) + trainee as i64 * 24 / scale.school as i64,
    }
}

/// A plan under way.
struct Planner<'a> {
    plan: Plan,
    random: StdRng,
    items: &'a [Item],
}

impl Planner<'_> {
    /// Plans everything one person does in one organisation.
    fn follow(&mut self, viewer: usize, tenant: Tenant, day: i64) {
        let joined = day * DAY + self.time_of_joining(day);
        self.plan.joins.push(Join { at: joined, viewer, tenant, consent: viewer % 3 != 2 });
        self.watch(viewer, tenant, joined + SETTLING);
        let habit = habit_of(viewer, &self.plan.scale);
        for later in day + 1..self.plan.scale.days {
            let age = later - day;
            let chance: f64 = match habit {
                Habit::Fan => 0.26,
                Habit::Regular => 0.05,
                Habit::Casual if age < 14 => 0.05,
                Habit::Casual => 0.006,
            };
            // Two quiet days in seven.
            let quiet = if later % 7 >= 5 { 0.3 } else { 1.0 };
            if !self.random.random_bool(chance * quiet) {
                continue;
            }
            let at = later * DAY + self.time_of_watching(later);
            self.watch(viewer, tenant, at);
            if habit == Habit::Fan && tenant == Tenant::Company && self.random.random_bool(0.06) {
                self.plan.contacts.push(Contact { at: at + HOUR, viewer });
            }
        }
    }

    /// Where events are sent together, people join at the beginning of the period, so that no one watches before
    /// everyone who joins in it has joined.
    fn time_of_joining(&mut self, day: i64) -> Millis {
        match self.plan.scale.period {
            None => self.random.random_range(6 * HOUR..18 * HOUR),
            Some(_) => self.hour(day) + self.random.random_range(0..MINUTE),
        }
    }

    fn time_of_watching(&mut self, day: i64) -> Millis {
        match self.plan.scale.period {
            None => self.random.random_range(6 * HOUR..20 * HOUR),
            Some(_) => self.hour(day) + SETTLING + self.random.random_range(0..5 * MINUTE),
        }
    }

    /// Returns an hour between 4 and 20; most are in the middle. Before the last weeks it is one of every third hour, and
    /// other ones on the next day, so that more people act together.
    fn hour(&mut self, day: i64) -> Millis {
        let hour = 6 + self.random.random_range(0..8) + self.random.random_range(0..8);
        let is_late = day >= self.plan.scale.days - ALL_HOURS;
        (if is_late { hour } else { hour - (hour + day) % 3 }) * HOUR
    }

    /// Plans what a person watches in one sitting.
    fn watch(&mut self, viewer: usize, tenant: Tenant, at: Millis) {
        let items = self.items;
        let offered =
            || items.iter().enumerate().filter(|(_, item)| item.tenant == tenant && item.appeal > 0);
        let weight: u32 = offered().map(|(_, item)| item.appeal).sum();
        let mut begin = at;
        let mut watched = Vec::new();
        for _ in 0..self.random.random_range(1..=3) {
            let mut at_weight = self.random.random_range(0..weight);
            let chosen = offered().find(|(_, item)| {
                let found = at_weight < item.appeal;
                at_weight = at_weight.saturating_sub(item.appeal);
                found
            });
            let Some((item, what)) = chosen.filter(|(item, _)| !watched.contains(item)) else { continue };
            watched.push(item);
            let sections = sections(&mut self.random, what.length());
            let play = Play { at: begin, watcher: Watcher::Viewer(viewer), tenant, item, sections };
            begin = play.end() + self.random.random_range(20 * SECOND..2 * MINUTE);
            self.plan.plays.push(play);
        }
    }
}

/// Returns the sections that a person plays of an item of this length: many leave early, some skip ahead.
fn sections(random: &mut StdRng, length: Millis) -> Vec<(Millis, Millis)> {
    let stays: f64 = random.random_range(0.0..1.6);
    let whole_seconds = |share: f64| (length as f64 * share / 1000.0) as i64 * SECOND;
    let end = whole_seconds(stays.min(1.0)).max(4 * SECOND);
    if end > 40 * SECOND && random.random_bool(0.15) {
        let third = end / (3 * SECOND) * SECOND;
        return vec![(0, third), (2 * third, end)];
    }
    vec![(0, end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use crate::catalog::Catalog;

    fn plan_of(seed: u64, size: Size) -> Plan {
        let scale = size.scale();
        plan(seed, scale, &Catalog::new(&scale).items)
    }

    #[test]
    fn the_same_seed_plans_the_same_numbers_and_another_seed_others() {
        for size in [Size::Small, Size::Large] {
            let totals = |seed| {
                let plan = plan_of(seed, size);
                [Tenant::Company, Tenant::School].map(|tenant| plan.totals(tenant))
            };
            assert_eq!(totals(1), totals(1));
            assert_ne!(totals(1), totals(2));
        }
    }

    #[test]
    fn all_sixty_join_and_forty_consent() {
        let plan = plan_of(1, Size::Small);
        let joined = |tenant| plan.totals(tenant).app_users;
        assert_eq!((joined(Tenant::Company), joined(Tenant::School)), (48, 12 + plan.scale.both));
        assert_eq!((0..plan.scale.people()).filter(|viewer| viewer % 3 != 2).count(), 40);
    }

    /// Fails unless everyone watches after joining, within the days, and the same item at most once an hour.
    fn assert_plausible(plan: &Plan) {
        let joined: std::collections::HashMap<_, _> =
            plan.joins.iter().map(|join| ((join.viewer, join.tenant), join.at)).collect();
        let mut latest = std::collections::HashMap::new();
        for play in &plan.plays {
            assert!(play.at >= 0 && play.end() < plan.scale.days * DAY);
            let Watcher::Viewer(viewer) = play.watcher else { continue };
            assert!(joined[&(viewer, play.tenant)] < play.at);
            if let Some(before) = latest.insert((viewer, play.item), play.at) {
                assert!(play.at - before >= HOUR);
            }
        }
    }

    #[test]
    fn a_person_watches_an_item_at_most_once_an_hour_and_after_joining() {
        for seed in 0..20 {
            assert_plausible(&plan_of(seed, Size::Small));
        }
        assert_plausible(&plan_of(1, Size::Large));
    }

    #[test]
    fn no_one_watches_before_everyone_who_joins_in_the_same_hour_has_joined() {
        let plan = plan_of(1, Size::Large);
        let begins = plan.plays.iter().filter(|play| matches!(play.watcher, Watcher::Viewer(_)));
        let mut earliest = std::collections::HashMap::new();
        for play in begins {
            earliest
                .entry(play.at / HOUR)
                .and_modify(|at: &mut Millis| *at = play.at.min(*at))
                .or_insert(play.at);
        }
        for join in &plan.joins {
            assert!(earliest.get(&(join.at / HOUR)).is_none_or(|&play| play - join.at >= MINUTE));
        }
    }

    #[test]
    fn beats_cover_the_sections_without_gaps_in_time() {
        let play = Play {
            at: 0,
            watcher: Watcher::Viewer(0),
            tenant: Tenant::Company,
            item: 0,
            sections: vec![(0, 25_000), (60_000, 65_000)],
        };
        assert_eq!(
            play.beats(),
            [
                (0, 0, 0),
                (10_000, 0, 10_000),
                (20_000, 10_000, 20_000),
                (25_000, 20_000, 25_000),
                (30_000, 60_000, 65_000),
            ]
        );
    }
}
