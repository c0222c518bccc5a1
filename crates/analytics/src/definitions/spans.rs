//! Sets of intervals: media time, wall time or sequence numbers.

use std::fmt::Write as _;

/// Intervals `[from, to)` in ascending order that neither touch nor overlap; stored as `0-10,15-20`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans(Vec<(i64, i64)>);

impl Spans {
    /// Parses the stored text; returns `None` if it is invalid.
    pub fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let spans = text.split(',').map(|part| {
            let (from, to) = part.split_once('-')?;
            Some((from.parse().ok()?, to.parse().ok()?))
        });
        spans.collect::<Option<_>>().map(Self)
    }

    /// Returns the stored form.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.0.len() * 28);
        for (at, (from, to)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(text, "{comma}{from}-{to}");
        }
        text
    }

    /// Returns the intervals.
    pub fn as_slice(&self) -> &[(i64, i64)] {
        &self.0
    }

    /// Appends an interval, which must be after all others.
    pub fn push(&mut self, from: i64, to: i64) {
        self.0.push((from, to));
    }

    /// Adds `[from, to)` and merges it with every span at most `reach` away. Returns by how much the total
    /// grew.
    pub fn add(&mut self, from: i64, to: i64, reach: i64) -> i64 {
        let begin = self.0.partition_point(|span| span.1 < from - reach);
        let end = begin + self.0[begin..].partition_point(|span| span.0 <= to + reach);
        let joined = &self.0[begin..end];
        let before: i64 = joined.iter().map(|span| span.1 - span.0).sum();
        let merged = (
            joined.first().map_or(from, |first| first.0.min(from)),
            joined.last().map_or(to, |last| last.1.max(to)),
        );
        self.0.splice(begin..end, [merged]);
        merged.1 - merged.0 - before
    }

    /// Merges the nearest neighbours until at most `max` spans are left.
    pub fn reduce_to(&mut self, max: usize) {
        while self.0.len() > max.max(1) {
            let nearest = (1..self.0.len()).min_by_key(|at| self.0[*at].0 - self.0[at - 1].1).unwrap_or(1);
            self.0[nearest - 1].1 = self.0[nearest].1;
            self.0.remove(nearest);
        }
    }

    /// Returns whether a span contains the point.
    pub fn contains(&self, point: i64) -> bool {
        let next = self.0.partition_point(|span| span.1 <= point);
        self.0.get(next).is_some_and(|span| span.0 <= point)
    }

    /// Returns the end of the last span, or 0.
    pub fn end(&self) -> i64 {
        self.0.last().map_or(0, |span| span.1)
    }

    /// Returns the total length of all spans.
    pub fn total(&self) -> i64 {
        self.0.iter().map(|span| span.1 - span.0).sum()
    }

    /// Returns the number of spans.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Spans {
        Spans::read(text).unwrap()
    }

    #[test]
    fn a_stored_text_is_read_whole_or_not_at_all() {
        assert_eq!(Spans::read(""), Some(Spans::default()));
        for text in ["0-10,", "0-10,x-20", "10", "-", "0-10;20-30"] {
            assert_eq!(Spans::read(text), None, "{text}");
        }
    }

    #[test]
    fn touching_or_overlapping_spans_are_merged() {
        let mut set = spans("0-10,20-30,40-50");
        assert_eq!(set.add(10, 20, 0), 10);
        assert_eq!(set.text(), "0-30,40-50");
        assert_eq!(set.add(5, 45, 0), 10);
        assert_eq!(set.text(), "0-50");
        assert_eq!(set.add(10, 20, 0), 0, "seen before");
        assert_eq!(set.add(60, 70, 0), 10);
        assert_eq!((set.text().as_str(), set.total(), set.len()), ("0-50,60-70", 60, 2));
    }

    #[test]
    fn points_within_reach_are_merged_and_others_stay_separate() {
        let mut watch_budget = Spans::default();
        assert_eq!(watch_budget.add(100, 100, 30), 0);
        assert_eq!(watch_budget.add(110, 110, 30), 10);
        assert_eq!(watch_budget.add(141, 141, 30), 0, "a gap longer than the reach adds nothing");
        assert_eq!(watch_budget.add(150, 150, 30), 9);
        assert_eq!(watch_budget.add(125, 125, 30), 31, "a late point in between closes the gap");
        assert_eq!(watch_budget.text(), "100-150");
    }

    #[test]
    fn at_most_a_hundred_spans_are_kept_and_the_nearest_are_merged() {
        let mut set = Spans::default();
        for n in 0..101 {
            set.add(n * 10, n * 10 + 1, 0);
        }
        set.add(505, 508, 0);
        set.reduce_to(100);
        assert_eq!(set.len(), 100);
        assert!(set.contains(503) && set.contains(509) && !set.contains(3));
    }

    #[test]
    fn spans_round_trip_through_text() {
        for text in ["", "0-1", "0-5,7-8,1795161600000-1795161665000"] {
            assert_eq!(spans(text).text(), text);
        }
    }

    #[test]
    fn a_point_at_the_end_lies_outside() {
        let set = spans("2-4,6-7");
        assert_eq!(
            [1, 2, 3, 4, 5, 6, 7].map(|at| set.contains(at)),
            [false, true, true, false, false, true, false]
        );
    }
}
