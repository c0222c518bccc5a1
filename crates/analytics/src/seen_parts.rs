//! The parts of an item that were seen. Most views have no gaps, so that the ends say everything.

use crate::definitions::view::PARTS;

/// What takes the place of the first end if there are gaps.
const GAPS: u8 = u8::MAX;

/// The first part, and the one after the last. Both are 0 without parts, and `GAPS` and 0 with gaps between the parts.
pub type Ends = [u8; 2];

/// Parts of an item that were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenParts {
    /// All parts from the first to the one before the last, which is at most the number of all parts.
    Run(u8, u8),
    /// Bits of parts with gaps between them.
    Gaps(u128),
}

impl SeenParts {
    pub const NONE: Self = Self::Run(0, 0);

    /// Returns the parts with these bits.
    pub fn of(bits: u128) -> Self {
        let (from, to) = (bits.trailing_zeros() % u128::BITS, u128::BITS - bits.leading_zeros());
        if bits.count_ones() == to.saturating_sub(from) {
            // There are a hundred parts.
            Self::Run(from as u8, to as u8)
        } else {
            Self::Gaps(bits)
        }
    }

    /// Returns the parts between two ends. `gaps` has those with gaps. Returns `None` if there are none such.
    pub fn between([from, to]: Ends, gaps: impl FnOnce() -> Option<u128>) -> Option<Self> {
        match (from, to) {
            (GAPS, _) => gaps().filter(|bits| bits >> PARTS == 0).map(Self::Gaps),
            (_, 0) => Some(Self::NONE),
            _ if from < to && usize::from(to) <= PARTS => Some(Self::Run(from, to)),
            _ => None,
        }
    }

    /// Returns the ends.
    pub fn ends(self) -> Ends {
        match self {
            Self::Run(from, to) => [from, to],
            Self::Gaps(_) => [GAPS, 0],
        }
    }

    /// Returns the bits.
    pub fn bits(self) -> u128 {
        match self {
            Self::Run(from, to) if from < to => u128::MAX >> (u128::BITS - u32::from(to - from)) << from,
            Self::Run(..) => 0,
            Self::Gaps(bits) => bits,
        }
    }

    /// Appends the ends to a record, and the bits to `gaps` if there are any.
    pub fn push(self, record: &mut Vec<u8>, gaps: &mut Vec<u8>) {
        record.extend_from_slice(&self.ends());
        if let Self::Gaps(bits) = self {
            gaps.extend_from_slice(&bits.to_le_bytes());
        }
    }

    /// Reads what [`Self::push`] appended.
    pub fn read<'a>(
        ends: Ends,
        gaps: &mut impl Iterator<Item = &'a [u8; size_of::<u128>()]>,
    ) -> Option<Self> {
        Self::between(ends, || Some(u128::from_le_bytes(*gaps.next()?)))
    }
}

/// How often each part occurs. The number of a part is the sum of the changes up to it, so that a run is two changes.
#[derive(Clone, Debug)]
pub struct PartCounts([i64; PARTS + 1]);

impl Default for PartCounts {
    fn default() -> Self {
        Self([0; PARTS + 1])
    }
}

impl PartCounts {
    pub fn add(&mut self, parts: SeenParts) {
        self.change(parts, 1);
    }

    /// Takes back what was added.
    pub fn remove(&mut self, parts: SeenParts) {
        self.change(parts, -1);
    }

    fn change(&mut self, parts: SeenParts, by: i64) {
        match parts {
            SeenParts::Run(from, to) => self.change_run((from.into(), to.into()), by),
            SeenParts::Gaps(bits) => {
                let (mut rest, mut at) = (bits, 0);
                while rest != 0 {
                    let gap = rest.trailing_zeros();
                    rest >>= gap;
                    let length = rest.trailing_ones();
                    rest = rest.checked_shr(length).unwrap_or(0);
                    let from = at + gap as usize;
                    at = from + length as usize;
                    self.change_run((from, at), by);
                }
            }
        }
    }

    fn change_run(&mut self, (from, to): (usize, usize), by: i64) {
        self.0[from] += by;
        self.0[to] -= by;
    }

    /// Adds the counts of all parts.
    pub fn add_counts(&mut self, counts: impl IntoIterator<Item = i64>) {
        let mut before = 0;
        for (change, count) in self.0.iter_mut().zip(counts) {
            *change += count - before;
            before = count;
        }
        self.0[PARTS] -= before;
    }

    pub fn counts(&self) -> impl Iterator<Item = usize> {
        let sums = self.0.iter().scan(0_i64, |sum, change| {
            *sum += change;
            Some(*sum)
        });
        // A count is never negative.
        sums.take(PARTS).map(|count| usize::try_from(count).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_their_ends_and_those_with_gaps_their_bits() {
        let all = u128::MAX >> (128 - PARTS);
        for (bits, ends) in [
            (0, [0, 0]),
            (1, [0, 1]),
            (all, [0, 100]),
            (0b1110, [1, 4]),
            (1 << 99, [99, 100]),
            (0b101, [GAPS, 0]),
            (all ^ 2, [GAPS, 0]),
        ] {
            let parts = SeenParts::of(bits);
            assert_eq!((parts.bits(), parts.ends()), (bits, ends));
            assert_eq!(SeenParts::between(ends, || Some(bits)), Some(parts));
            let mut counts = PartCounts::default();
            counts.add(parts);
            let counted = counts.counts().enumerate().map(|(part, count)| (count as u128) << part);
            assert_eq!(counted.sum::<u128>(), bits);
        }
    }

    #[test]
    fn ends_of_no_parts_are_refused() {
        for ends in [[1, 1], [2, 1], [0, 101], [GAPS, 0], [100, 200]] {
            assert_eq!(SeenParts::between(ends, || None), None, "{ends:?}");
        }
        assert_eq!(SeenParts::between([GAPS, 0], || Some(0b101 << PARTS)), None);
    }
}
