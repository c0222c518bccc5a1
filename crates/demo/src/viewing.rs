//! Who joins, watches and taps what, and when. Pure: the seed decides everything.

use kernel::{DAY, HOUR, MINUTE, Millis, SECOND};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use crate::DAYS;
use crate::library::ITEMS;
use crate::organisation::Tenant;
use crate::people::VIEWERS;

/// Viewers of the first organisation; the others belong to the second.
pub const FIRST: usize = 48;
/// Viewers of the first organisation who also join the second.
pub const BOTH: usize = 4;
/// Day on which the second organisation opens.
pub const SCHOOL_OPENS: i64 = 26;
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
    /// An app user, by position in [`VIEWERS`].
    Viewer(usize),
    /// A staff member of the first organisation, whose views are not counted.
    Staff(usize),
}

/// A person watches an item.
pub struct Play {
    /// Time since the beginning of the first day.
    pub at: Millis,
    pub watcher: Watcher,
    /// Position in [`ITEMS`].
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
        let plays = || self.plays.iter().filter(|play| ITEMS[play.item].tenant == tenant);
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

fn habit_of(viewer: usize) -> Habit {
    match viewer % 6 {
        0 => Habit::Fan,
        1 | 4 => Habit::Regular,
        _ => Habit::Casual,
    }
}

/// Derives the plan from the seed.
pub fn plan(seed: u64) -> Plan {
    let mut random = StdRng::seed_from_u64(seed);
    let mut plan = Plan { joins: Vec::new(), plays: Vec::new(), contacts: Vec::new() };
    for viewer in 0..VIEWERS.len() {
        let tenant = if viewer < FIRST { Tenant::Company } else { Tenant::School };
        let day = join_day(viewer) + random.random_range(0..3);
        follow(&mut plan, &mut random, viewer, tenant, day);
        if viewer < BOTH {
            follow(&mut plan, &mut random, viewer, Tenant::School, SCHOOL_OPENS + 4);
        }
    }
    for staff in [1, 3, 4] {
        let at = (60 + staff as i64) * DAY + 9 * HOUR;
        plan.plays.push(Play { at, watcher: Watcher::Staff(staff), item: 0, sections: vec![(0, MINUTE)] });
    }
    plan.joins.sort_by_key(|join| join.at);
    plan.plays.sort_by_key(Play::end);
    plan.contacts.sort_by_key(|contact| contact.at);
    plan
}

/// People join over time, more slowly towards the end.
fn join_day(viewer: usize) -> i64 {
    match viewer.checked_sub(FIRST) {
        None => viewer as i64 * 72 / FIRST as i64,
        Some(trainee) => SCHOOL_OPENS + 1 + trainee as i64 * 2,
    }
}

/// Plans everything one person does in one organisation.
fn follow(plan: &mut Plan, random: &mut StdRng, viewer: usize, tenant: Tenant, day: i64) {
    let joined = day * DAY + random.random_range(6 * HOUR..18 * HOUR);
    plan.joins.push(Join { at: joined, viewer, tenant, consent: viewer % 3 != 2 });
    watch(plan, random, viewer, tenant, joined + MINUTE);
    for later in day + 1..DAYS {
        let age = later - day;
        let chance: f64 = match habit_of(viewer) {
            Habit::Fan => 0.26,
            Habit::Regular => 0.05,
            Habit::Casual if age < 14 => 0.05,
            Habit::Casual => 0.006,
        };
        // Two quiet days in seven.
        let quiet = if later % 7 >= 5 { 0.3 } else { 1.0 };
        if !random.random_bool(chance * quiet) {
            continue;
        }
        let at = later * DAY + random.random_range(6 * HOUR..20 * HOUR);
        watch(plan, random, viewer, tenant, at);
        if habit_of(viewer) == Habit::Fan && tenant == Tenant::Company && random.random_bool(0.06) {
            plan.contacts.push(Contact { at: at + HOUR, viewer });
        }
    }
}

/// Plans what a person watches in one sitting.
fn watch(plan: &mut Plan, random: &mut StdRng, viewer: usize, tenant: Tenant, at: Millis) {
    let offered: Vec<usize> =
        (0..ITEMS.len()).filter(|&item| ITEMS[item].tenant == tenant && ITEMS[item].appeal > 0).collect();
    let weight: u32 = offered.iter().map(|&item| ITEMS[item].appeal).sum();
    let mut begin = at;
    let mut watched = Vec::new();
    for _ in 0..random.random_range(1..=3) {
        let mut at_weight = random.random_range(0..weight);
        let chosen = offered.iter().copied().find(|&item| {
            let found = at_weight < ITEMS[item].appeal;
            at_weight = at_weight.saturating_sub(ITEMS[item].appeal);
            found
        });
        let Some(item) = chosen.filter(|item| !watched.contains(item)) else { continue };
        watched.push(item);
        let sections = sections(random, ITEMS[item].length());
        let play = Play { at: begin, watcher: Watcher::Viewer(viewer), item, sections };
        begin = play.end() + random.random_range(20 * SECOND..2 * MINUTE);
        plan.plays.push(play);
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

    #[test]
    fn the_same_seed_plans_the_same_numbers_and_another_seed_others() {
        let totals = |seed| [Tenant::Company, Tenant::School].map(|tenant| plan(seed).totals(tenant));
        assert_eq!(totals(1), totals(1));
        assert_ne!(totals(1), totals(2));
    }

    #[test]
    fn all_sixty_join_and_forty_consent() {
        let plan = plan(1);
        let joined = |tenant| plan.totals(tenant).app_users;
        assert_eq!((joined(Tenant::Company), joined(Tenant::School)), (48, 12 + BOTH));
        assert_eq!((0..VIEWERS.len()).filter(|viewer| viewer % 3 != 2).count(), 40);
    }

    #[test]
    fn a_person_watches_an_item_at_most_once_an_hour_and_after_joining() {
        for seed in 0..20 {
            let plan = plan(seed);
            for (index, play) in plan.plays.iter().enumerate() {
                assert!(play.at >= 0 && play.end() < DAYS * DAY, "seed {seed}");
                let Watcher::Viewer(viewer) = play.watcher else { continue };
                let tenant = ITEMS[play.item].tenant;
                let join = plan.joins.iter().find(|join| join.viewer == viewer && join.tenant == tenant);
                assert!(join.is_some_and(|join| join.at < play.at), "seed {seed}");
                let same = plan.plays[..index].iter().filter(|other| {
                    other.watcher == play.watcher && other.item == play.item && play.at - other.at < HOUR
                });
                assert_eq!(same.count(), 0, "seed {seed}");
            }
        }
    }

    #[test]
    fn beats_cover_the_sections_without_gaps_in_time() {
        let play = Play {
            at: 0,
            watcher: Watcher::Viewer(0),
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
