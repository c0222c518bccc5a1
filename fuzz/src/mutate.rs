//! Generates input by editing committed files.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Maximum length of a generated input, in bytes.
const BYTES_MAX: usize = 64 * 1024;
/// Maximum number of edits per input.
const EDITS_MAX: usize = 8;
/// Maximum number of times a section is repeated.
const TIMES_MAX: usize = 4_096;

/// A generated input, shown as an escaped byte string.
#[derive(Clone)]
pub(crate) struct Input(pub(crate) Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// One change of a file. Positions are taken modulo the length at the time of the change.
#[derive(Clone, Debug)]
enum Edit {
    /// Inverts a bit.
    Flip(Index, u32),
    /// Inserts bytes.
    Insert(Index, Vec<u8>),
    /// Replaces bytes.
    Overwrite(Index, Vec<u8>),
    /// Removes a section.
    Remove(Index, Index),
    /// Repeats a section.
    Repeat(Index, Index, usize),
    /// Drops the rest.
    Truncate(Index),
    /// Replaces the rest with the rest of another file.
    Splice(Index, Index),
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>, other: &[u8]) {
        let len = bytes.len();
        let section = |a: &Index, b: &Index| {
            let (a, b) = (a.index(len + 1), b.index(len + 1));
            a.min(b)..a.max(b)
        };
        match self {
            Self::Flip(at, bit) => {
                if len > 0 {
                    bytes[at.index(len)] ^= 1 << bit;
                }
            }
            Self::Insert(at, new) => {
                let at = at.index(len + 1);
                bytes.splice(at..at, new.iter().copied());
            }
            Self::Overwrite(at, new) => {
                let at = at.index(len + 1);
                bytes.splice(at..len.min(at + new.len()), new.iter().copied());
            }
            Self::Remove(a, b) => drop(bytes.drain(section(a, b))),
            Self::Repeat(a, b, times) => {
                let section = section(a, b);
                let times = (*times).min(BYTES_MAX / section.len().max(1));
                let repeated = bytes[section.clone()].repeat(times);
                bytes.splice(section, repeated);
            }
            Self::Truncate(at) => bytes.truncate(at.index(len + 1)),
            Self::Splice(at, from) => {
                bytes.truncate(at.index(len + 1));
                bytes.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
        bytes.truncate(BYTES_MAX);
    }
}

/// Returns a strategy for edited files.
pub(crate) fn mutated(files: Vec<Vec<u8>>, tokens: &'static [&'static [u8]]) -> impl Strategy<Value = Input> {
    let edits = vec(edit(tokens), 0..=EDITS_MAX);
    (select(files.clone()), select(files), edits).prop_map(|(mut bytes, other, edits)| {
        for edit in edits {
            edit.apply(&mut bytes, &other);
        }
        Input(bytes)
    })
}

fn edit(tokens: &'static [&'static [u8]]) -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    let new = || {
        let token = select(tokens).prop_map(<[u8]>::to_vec);
        prop_oneof![3 => token, 1 => vec(any::<u8>(), 1..8)]
    };
    // Most repetitions are short, so that long inputs do not take most of the time.
    let times = prop_oneof![8 => 2_usize..8, 2 => 8_usize..64, 1 => 64..=TIMES_MAX];
    prop_oneof![
        3 => (at(), 0_u32..8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        4 => (at(), new()).prop_map(|(at, new)| Edit::Insert(at, new)),
        4 => (at(), new()).prop_map(|(at, new)| Edit::Overwrite(at, new)),
        2 => (at(), at()).prop_map(|(a, b)| Edit::Remove(a, b)),
        2 => (at(), at(), times).prop_map(|(a, b, times)| Edit::Repeat(a, b, times)),
        1 => at().prop_map(Edit::Truncate),
        2 => (at(), at()).prop_map(|(at, from)| Edit::Splice(at, from)),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn mutations_differ_contain_the_tokens_and_stay_within_the_limit() {
        let strategy = mutated(vec![vec![b'a'; 100], vec![b'b'; 100]], &[b"TOKEN"]);
        let mut runner = TestRunner::deterministic();
        let inputs: Vec<Vec<u8>> =
            (0..500).map(|_| strategy.new_tree(&mut runner).unwrap().current().0).collect();
        let has = |wanted: &[u8]| inputs.iter().any(|input| input.windows(wanted.len()).any(|w| w == wanted));
        assert!(has(b"TOKEN") && has(b"ab"));
        assert!(inputs.iter().any(|input| input.len() > 10_000));
        assert!(inputs.iter().all(|input| input.len() <= BYTES_MAX));
    }
}
