//! The beats of a view that have arrived, by sequence number.

use kernel::Timestamp;

/// Maximum number of runs per view; a beat that would begin one more is ignored.
const RUNS_MAX: usize = 256;

/// Consecutive beats that have all arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: i64,
    first_at: i64,
    last: i64,
    last_at: i64,
    /// Whether the item was still being watched after the last beat.
    active: bool,
}

/// Runs of beats in ascending order; stored as `0@1000-6@61000+,9@91000-9@91000.`, where `+` is active.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beats(Vec<Run>);

/// Times between neighbouring beats, of which the later one directly follows the earlier one.
pub type Gaps = [Option<(i64, i64)>; 2];

impl Beats {
    /// Parses the stored text; returns `None` if it is invalid.
    pub fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        text.split(',').map(Run::read).collect::<Option<_>>().map(Self)
    }

    /// Returns the stored form.
    pub fn text(&self) -> String {
        let runs: Vec<String> = self.0.iter().map(Run::text).collect();
        runs.join(",")
    }

    /// Adds a beat. Returns the times to its neighbours during which the item was watched, or `None` if the beat was
    /// added before or the sequence has too many holes. Each pair of neighbours is returned once, by whichever of the two
    /// arrives later.
    pub fn add(&mut self, seq: i64, at: Timestamp, active: bool) -> Option<Gaps> {
        let at = at.ms();
        let next = self.0.partition_point(|run| run.last < seq);
        if self.0.get(next).is_some_and(|run| run.first <= seq) {
            return None;
        }
        let before = next.checked_sub(1).and_then(|index| self.0.get(index)).copied();
        let before = before.filter(|run| run.last + 1 == seq);
        let after = self.0.get(next).copied().filter(|run| run.first == seq + 1);
        let single = Run { first: seq, first_at: at, last: seq, last_at: at, active };
        match (before, after) {
            (None, None) if self.0.len() >= RUNS_MAX => return None,
            (None, None) => self.0.insert(next, single),
            (Some(run), None) => self.0[next - 1] = Run { last: seq, last_at: at, active, ..run },
            (None, Some(run)) => self.0[next] = Run { first: seq, first_at: at, ..run },
            (Some(left), Some(right)) => {
                let merged = Run { last: right.last, last_at: right.last_at, active: right.active, ..left };
                self.0.splice(next - 1..=next, [merged]);
            }
        }
        let gap_before = before.filter(|run| run.active).map(|run| (run.last_at, at));
        let gap_after = after.filter(|_| active).map(|run| (at, run.first_at));
        Some([gap_before, gap_after])
    }
}

impl Run {
    fn read(text: &str) -> Option<Self> {
        let (text, active) = match text.strip_suffix('+') {
            Some(text) => (text, true),
            None => (text.strip_suffix('.')?, false),
        };
        let (first, last) = text.split_once('-')?;
        let pair = |text: &str| -> Option<(i64, i64)> {
            let (seq, at) = text.split_once('@')?;
            Some((seq.parse().ok()?, at.parse().ok()?))
        };
        let ((first, first_at), (last, last_at)) = (pair(first)?, pair(last)?);
        Some(Self { first, first_at, last, last_at, active })
    }

    fn text(&self) -> String {
        let Self { first, first_at, last, last_at, active } = self;
        let end = if *active { '+' } else { '.' };
        format!("{first}@{first_at}-{last}@{last_at}{end}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn each_pair_of_neighbours_is_found_once_in_any_order() {
        let mut beats = Beats::default();
        assert_eq!(beats.add(0, at(0), true), Some([None, None]));
        assert_eq!(beats.add(3, at(30), true), Some([None, None]), "two beats are missing in between");
        assert_eq!(beats.add(1, at(10), false), Some([Some((0, 10)), None]));
        assert_eq!(beats.add(1, at(11), true), None, "a repeat");
        assert_eq!(
            beats.add(2, at(20), true),
            Some([None, Some((20, 30))]),
            "nothing was watched after the second one"
        );
        assert_eq!(beats.text(), "0@0-3@30+");
    }

    #[test]
    fn a_stored_text_is_read_whole_or_not_at_all() {
        for text in ["", "0@5-2@25+", "0@5-2@25+,4@45-4@45."] {
            assert_eq!(Beats::read(text).map(|beats| beats.text()).as_deref(), Some(text));
        }
        for text in ["0", "0@5-2@25", "0@5+", "0@x-1@2+", "0@5-2@25+,"] {
            assert_eq!(Beats::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_sequence_with_too_many_holes_takes_no_more() {
        let mut beats = Beats::default();
        for seq in 0..256 {
            assert!(beats.add(seq * 2, at(seq), true).is_some());
        }
        assert_eq!(beats.add(1_000, at(1_000), true), None);
        assert!(beats.add(1, at(1), true).is_some(), "a hole may be filled");
    }
}
