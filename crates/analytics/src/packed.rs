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
        // Most others end within eight bytes, which are read without a branch for each.
        if let Some((eight, _)) = self.0.split_first_chunk() {
            let eight = u64::from_le_bytes(*eight);
            let ends = !eight & 0x8080_8080_8080_8080;
            if ends != 0 {
                let until_end = ends ^ (ends - 1);
                self.0 = &self.0[until_end.count_ones() as usize / 8..];
                return Some(seven_bits_of_each(eight & until_end));
            }
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

/// Joins the lower seven bits of each byte.
fn seven_bits_of_each(eight: u64) -> i64 {
    let of_two = eight & 0x007f_007f_007f_007f | (eight & 0x7f00_7f00_7f00_7f00) >> 1;
    let of_four = of_two & 0x0000_3fff_0000_3fff | (of_two & 0x3fff_0000_3fff_0000) >> 2;
    (of_four & 0x0fff_ffff | (of_four & 0x0fff_ffff_0000_0000) >> 4) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_again_and_too_long_ones_are_not() {
        let lengths = (0..63).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) | 0x55]);
        let numbers: Vec<i64> = lengths.chain([300, 3_600, 0x0123_4567_89ab_cdef, i64::MAX, 5]).collect();
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
