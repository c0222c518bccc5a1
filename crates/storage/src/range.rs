//! Byte ranges as in RFC 9110, section 14. One range per request; anything else means the whole object.
//!
//! `headers::Range` is not used: it does not distinguish a malformed range (the whole object) from one that cannot be
//! satisfied (416).

use std::ops::Range;

/// A requested byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// From the first to the last byte, both inclusive.
    Between(u64, u64),
    /// From this byte to the end.
    From(u64),
    /// This many bytes at the end.
    Last(u64),
}

impl ByteRange {
    /// Parses a Range header. Returns `None` for another unit, several ranges or a malformed header: RFC 9110
    /// allows answering those with the whole object.
    pub fn parse(header: &str) -> Option<Self> {
        let spec = header.trim().strip_prefix("bytes=")?.trim();
        let (first, last) = spec.split_once('-')?;
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse::<u64>().unwrap_or(u64::MAX))
        };
        match (first, last) {
            ("", last) => Some(Self::Last(number(last)?)),
            (first, "") => Some(Self::From(number(first)?)),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Self::Between(first, last))
            }
        }
    }

    /// Returns the range within an object of `len` bytes, cut at its end, or `None` if it is empty (416).
    pub fn within(self, len: u64) -> Option<Range<u64>> {
        let range = match self {
            Self::Between(first, last) => first..last.saturating_add(1).min(len),
            Self::From(first) => first..len,
            Self::Last(count) => len.saturating_sub(count)..len,
        };
        (range.start < range.end).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_parsed_as_in_the_standard() {
        assert_eq!(ByteRange::parse("bytes=0-499"), Some(ByteRange::Between(0, 499)));
        assert_eq!(ByteRange::parse("bytes=500-"), Some(ByteRange::From(500)));
        assert_eq!(ByteRange::parse("bytes=-500"), Some(ByteRange::Last(500)));
        for odd in
            ["bytes=", "bytes=-", "bytes=5-1", "bytes=0-1,3-4", "items=0-1", "bytes=+1-2", "bytes=a-b", "0-1"]
        {
            assert_eq!(ByteRange::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn ranges_are_cut_at_the_end_and_refused_beyond_it() {
        assert_eq!(ByteRange::Between(0, u64::MAX).within(10), Some(0..10));
        assert_eq!(ByteRange::Between(9, 9).within(10), Some(9..10));
        assert_eq!(ByteRange::Last(99).within(10), Some(0..10));
        assert_eq!(ByteRange::Last(0).within(10), None);
        assert_eq!(ByteRange::From(10).within(10), None);
        assert_eq!(ByteRange::From(0).within(0), None);
    }
}
