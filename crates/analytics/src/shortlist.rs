//! Which items can be among the most viewed of a range, judged by the most viewed of each of its periods. No async, no
//! SQL, no HTTP.

use std::collections::{HashMap, HashSet};

use kernel::{Timestamp, Uid};

use crate::series::Range;
use crate::totals::{PERIOD, period_of};

/// The periods that a range of days touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periods {
    first: Timestamp,
    /// Those that belong to the range as a whole.
    pub whole: Range,
    end: Timestamp,
}

impl Periods {
    /// Returns the periods of the days that start within a range.
    pub fn of(range: Range) -> Self {
        let first = period_of(range.start);
        let start = if first == range.start { first } else { first + PERIOD };
        let end = period_of(range.end);
        // Without a whole period, all days come before the end of none.
        let whole =
            if start < end { Range { start, end } } else { Range { start: range.end, end: range.end } };
        Self { first, whole, end: range.end }
    }

    /// Returns the starts of all periods.
    pub fn starts(self) -> impl Iterator<Item = Timestamp> {
        std::iter::successors(Some(self.first), |period| Some(*period + PERIOD))
            .take_while(move |period| *period < self.end)
    }

    fn is_whole(self, period: Timestamp) -> bool {
        self.whole.start <= period && period < self.whole.end
    }
}

/// An entry of the list of the most viewed items of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    pub period: Timestamp,
    pub item: Uid,
    pub views: i64,
}

/// The items that can be among the most viewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortlist {
    pub items: Vec<Uid>,
    /// What any other item has at most; `None` if there is no other.
    pub others_max: Option<i64>,
}

/// What is known about an item.
#[derive(Clone, Copy, Default)]
struct ItemBounds {
    /// Its views in whole periods in which it is listed.
    least: i64,
    /// Its views in all periods in which it is listed, minus the views of the last of these lists.
    over_last: i64,
}

impl Shortlist {
    /// Returns the items that can be among the `count` most viewed, `max` at most, from lists of `length` items at most.
    /// `left_out` are items of these lists that are not counted.
    pub fn of(
        periods: Periods,
        (listed, left_out): (&[Listed], &HashSet<Uid>),
        (count, length, max): (usize, usize, usize),
    ) -> Self {
        let mut lists: HashMap<Timestamp, (usize, i64)> = HashMap::new();
        for one in listed {
            let (items, least) = lists.entry(one.period).or_insert((0, i64::MAX));
            (*items, *least) = (*items + 1, one.views.min(*least));
        }
        // An item that is not in a list has no more views than the last one, and none at all if the list has everything.
        let is_full = lists.values().any(|(items, _)| *items >= length);
        lists.retain(|_, (items, _)| *items >= length);
        let last = |period| lists.get(&period).map_or(0, |(_, views)| *views);
        let unlisted: i64 = lists.values().map(|(_, views)| *views).sum();
        let mut known: HashMap<Uid, ItemBounds> = HashMap::new();
        for one in listed.iter().filter(|one| !left_out.contains(&one.item)) {
            let item = known.entry(one.item).or_default();
            item.over_last += one.views - last(one.period);
            if periods.is_whole(one.period) {
                item.least += one.views;
            }
        }
        let mut least: Vec<i64> = known.values().map(|item| item.least).collect();
        least.sort_unstable_by(|one, other| other.cmp(one));
        let enough = count.checked_sub(1).and_then(|place| least.get(place)).copied().unwrap_or(0);
        let mut most: Vec<(i64, Uid)> =
            known.into_iter().map(|(item, known)| (known.over_last + unlisted, item)).collect();
        most.sort_unstable_by(|one, other| other.cmp(one));
        let chosen = most.partition_point(|(views, _)| *views >= enough).min(max);
        let rest = most.get(chosen).map(|(views, _)| *views);
        Self {
            items: most.into_iter().take(chosen).map(|(_, item)| item).collect(),
            others_max: rest.max(is_full.then_some(unlisted)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    use super::*;

    const START: Timestamp = Timestamp::from_ms(700 * PERIOD);

    fn periods(from: i64, to: i64) -> Periods {
        Periods::of(Range { start: START + from, end: START + to })
    }

    #[test]
    fn a_range_is_whole_periods_and_the_days_around_them() {
        let all =
            |periods: Periods| periods.starts().map(|start| (start - START) / PERIOD).collect::<Vec<_>>();
        let some = periods(-1, 2 * PERIOD + 1);
        assert_eq!(all(some), [-1, 0, 1, 2]);
        assert_eq!(some.whole, Range { start: START, end: START + 2 * PERIOD });
        assert_eq!(all(periods(0, PERIOD)), [0]);
        assert!(periods(0, PERIOD).is_whole(START));
        let short = periods(1, 2 * PERIOD - 1);
        assert_eq!((all(short), short.whole.start == short.whole.end), (vec![0, 1], true));
    }

    /// Whatever the views are, an item that is left out has no more views than the list says.
    #[test]
    fn what_is_left_out_is_not_among_the_most_viewed() {
        let (mut random, mut left_out) = (StdRng::seed_from_u64(1), 0);
        for _ in 0..5_000 {
            let number = random.random_range(1..6);
            let views: Vec<[i64; 12]> =
                (0..number).map(|_| std::array::from_fn(|n| random.random_range(0..20 - n as i64))).collect();
            let (from, to) = (random.random_range(0..PERIOD), random.random_range(0..PERIOD));
            let end = START + (number * PERIOD - to).max(from + 1);
            let periods = Periods::of(Range { start: START + from, end });
            let [count, length, max] = [1..5, 1..8, 4..12].map(|range| random.random_range(range));
            let mut listed = Vec::new();
            for (n, items) in (0..).zip(&views) {
                let one = |(item, views): (u128, &i64)| Listed {
                    period: START + n * PERIOD,
                    item: Uid::from_u128(item),
                    views: *views,
                };
                let mut list: Vec<Listed> = (0..).zip(items).map(one).filter(|one| one.views > 0).collect();
                list.sort_by_key(|one| std::cmp::Reverse(one.views));
                list.truncate(length);
                listed.extend(list);
            }
            let is_left_out: [bool; 12] = std::array::from_fn(|_| random.random_bool(0.2));
            let ids = (0..12).filter(|item| is_left_out[*item]).map(|item| Uid::from_u128(item as u128));
            let shortlist = Shortlist::of(periods, (&listed, &ids.collect()), (count, length, max));
            assert!(shortlist.items.len() <= max);
            for item in 0..12 {
                if is_left_out[item] {
                    assert!(!shortlist.items.contains(&Uid::from_u128(item as u128)), "{shortlist:?}");
                    continue;
                }
                let most: i64 = views.iter().map(|items| items[item]).sum();
                if most > 0 && !shortlist.items.contains(&Uid::from_u128(item as u128)) {
                    left_out += 1;
                    assert!(shortlist.others_max.is_some_and(|max| most <= max), "{views:?} {shortlist:?}");
                }
            }
        }
        assert!(left_out > 1_000, "{left_out}");
    }
}
