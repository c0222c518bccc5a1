//! Numbers and bytes of stored forms that take few bytes. No async, no SQL, no HTTP.

/// Appends a number that is not negative, seven bits a byte, the lowest first.
pub fn push_number(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = number.max(0).unsigned_abs();
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// What is left to read.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Returns what is left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// Takes this many arrays.
    pub fn chunks<const N: usize>(&mut self, count: usize) -> Option<&'a [[u8; N]]> {
        let (taken, rest) = self.0.split_at_checked(count.checked_mul(N)?)?;
        self.0 = rest;
        Some(taken.as_chunks().0)
    }

    pub fn number(&mut self) -> Option<i64> {
        // Most numbers are small.
        if let [byte @ ..0x80, rest @ ..] = self.0 {
            self.0 = rest;
            return Some(i64::from(*byte));
        }
        let mut number = 0_i64;
        for shift in (0..63).step_by(7) {
            let [byte] = self.take()?;
            number |= i64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_again_and_too_long_ones_are_not() {
        let numbers = [0, 1, 127, 128, 300, 3_600, i64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| push_number(&mut bytes, *number));
        let mut left = Bytes::new(&bytes);
        for number in numbers {
            assert_eq!(left.number(), Some(number));
        }
        assert!(left.is_empty() && left.number().is_none());
        assert_eq!(Bytes::new(&[0x80; 12]).number(), None);
        assert_eq!(Bytes::new(&[0x80; 2]).number(), None, "it ends too early");
    }
}
