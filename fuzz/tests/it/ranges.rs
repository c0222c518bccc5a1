//! Range headers.

use std::ops::Range;

use fuzz::{bounded, check, check_bytes};
use storage::ByteRange;

use crate::line;

const TOKENS: &[&[u8]] = &[
    b"bytes=",
    b"bytes",
    b"items=",
    b"-",
    b",",
    b" ",
    b"\t",
    b"0",
    b"+1",
    b"999",
    b"1000",
    b"18446744073709551615",
    b"18446744073709551616",
];

const LENGTHS: [u64; 6] = [0, 1, 2, 1_000, 1 << 40, u64::MAX];

#[test]
fn any_header_gives_a_range_within_the_object_or_none() {
    check_bytes("ranges", TOKENS, |bytes| {
        let Ok(header) = std::str::from_utf8(line(bytes)) else { return };
        let parsed = bounded(header.len(), || ByteRange::parse(header));
        assert_eq!(parsed.is_some(), reference(header).is_some());
        let (Some(parsed), Some(expected)) = (parsed, reference(header)) else { return };
        for len in LENGTHS {
            let range = parsed.within(len);
            assert_eq!(range, expected(len), "of {len} bytes");
            assert!(range.is_none_or(|range| range.start < range.end && range.end <= len));
        }
    });
}

/// Returns the range of a header by the length of the object, as RFC 9110 defines it. Numbers beyond 64 bits
/// count as the largest one.
fn reference(header: &str) -> Option<impl Fn(u64) -> Option<Range<u64>>> {
    let (first, last) = header.trim().strip_prefix("bytes=")?.trim().split_once('-')?;
    let number = |text: &str| -> Option<Option<u128>> {
        if text.is_empty() {
            return Some(None);
        }
        let value = text.chars().try_fold(0_u128, |value, c| {
            Some((value * 10 + u128::from(c.to_digit(10)?)).min(u64::MAX.into()))
        })?;
        Some(Some(value))
    };
    let (first, last) = (number(first)?, number(last)?);
    if first.is_none() && last.is_none() || last.is_some() && first > last {
        return None;
    }
    Some(move |len: u64| {
        let len = u128::from(len);
        let (start, end) = match (first, last) {
            (Some(first), Some(last)) => (first, len.min(last + 1)),
            (Some(first), None) => (first, len),
            (None, last) => (len.saturating_sub(last.unwrap_or(0)), len),
        };
        (start < end).then(|| u64::try_from(start).unwrap()..u64::try_from(end).unwrap())
    })
}

#[test]
fn the_bytes_of_a_range_are_those_that_the_header_names() {
    let numbers = (0_u64..40, 0_u64..40, 0_u64..40);
    check("ranges: small objects", numbers, |(len, a, b)| {
        let served = |header: String| -> Vec<u64> {
            ByteRange::parse(&header).unwrap().within(*len).unwrap_or(0..0).collect()
        };
        let wanted = |keep: &dyn Fn(u64) -> bool| -> Vec<u64> { (0..*len).filter(|at| keep(*at)).collect() };
        let (first, last) = (a.min(b), a.max(b));
        assert_eq!(served(format!("bytes={first}-{last}")), wanted(&|at| first <= &at && &at <= last));
        assert_eq!(served(format!("bytes={a}-")), wanted(&|at| at >= *a));
        assert_eq!(served(format!("bytes=-{a}")), wanted(&|at| at + a >= *len));
        if a != b {
            assert_eq!(ByteRange::parse(&format!("bytes={last}-{first}")), None);
        }
    });
}

#[test]
fn several_ranges_are_never_taken_for_one() {
    let ranges = proptest::collection::vec((0_u64..100, 0_u64..100), 2..5);
    check("ranges: lists", ranges, |list| {
        let specs: Vec<String> = list.iter().map(|(a, b)| format!("{}-{}", a.min(b), a.max(b))).collect();
        for separator in [",", ", ", " , "] {
            assert_eq!(ByteRange::parse(&format!("bytes={}", specs.join(separator))), None);
        }
    });
}
