//! Limits what a parser may spend on an input.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// Memory that any parser may hold at once, whatever the input.
const HELD_BASE: u64 = 64 * 1024;
/// Memory that a parser may hold at once for each byte of input.
const HELD_PER_BYTE: u64 = 64;
/// Memory that a parser may allocate in total for each byte of input, including what it has released.
const ALLOCATED_PER_BYTE: u64 = 256;
/// Time for one input of at most 64 KiB. A linear parser needs a hundredth of it in a debug build; one that
/// is quadratic in the length needs more, even on a machine that is not busy.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Runs a parser on an input of `len` bytes and returns its result.
///
/// # Panics
/// If the parser panics, or uses more memory or time than an input of that length justifies.
pub fn bounded<T>(len: usize, parse: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let mut outcome = None;
    // The counter must not be left by a panic.
    let used = allocation_counter::measure(|| outcome = Some(catch_unwind(AssertUnwindSafe(parse))));
    let time = begin.elapsed();
    let result = outcome.unwrap().unwrap_or_else(|panic| resume_unwind(panic));
    let len = len as u64;
    let (held, allocated) = (used.bytes_max, used.bytes_total);
    assert!(held <= HELD_BASE + HELD_PER_BYTE * len, "{held} bytes held for {len} bytes of input");
    assert!(
        allocated <= HELD_BASE + ALLOCATED_PER_BYTE * len,
        "{allocated} bytes allocated for {len} bytes of input"
    );
    assert!(time <= TIME_MAX, "{time:?} for {len} bytes of input");
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_allocates_beyond_its_input_fails() {
        assert_eq!(bounded(10, || vec![7_u8; 1_000].len()), 1_000);
        assert!(catch_unwind(|| bounded(10, || vec![7_u8; 100_000].len())).is_err());
        // A panic in the parser reaches the caller, and the next measurement starts from zero.
        assert!(catch_unwind(|| bounded(10, || assert_eq!(1, 2))).is_err());
        assert_eq!(bounded(10, || 7), 7);
    }
}
