//! The `Upload-Checksum` header: verifies one chunk.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use sha2::digest::DynDigest;

use super::{UPLOAD_CHECKSUM, Wrong};

/// Supported algorithms, as listed in Tus-Checksum-Algorithm.
pub const ALGORITHMS: &str = "md5,sha1,sha256";

/// The expected checksum of a chunk, and the hash of what was received of it.
pub struct Sum {
    hash: Box<dyn DynDigest + Send>,
    expected: Vec<u8>,
}

impl Sum {
    /// Parses the header; returns `None` if it is absent.
    pub fn read(headers: &HeaderMap) -> Result<Option<Self>, Wrong> {
        let Some(value) = headers.get(UPLOAD_CHECKSUM) else { return Ok(None) };
        let wrong = || Wrong::Header(UPLOAD_CHECKSUM);
        let (name, sum) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(wrong)?;
        let hash: Box<dyn DynDigest + Send> = match name {
            "md5" => Box::new(md5::Md5::default()),
            "sha1" => Box::new(sha1::Sha1::default()),
            "sha256" => Box::new(sha2::Sha256::default()),
            _ => return Err(Wrong::Algorithm),
        };
        let expected = STANDARD.decode(sum).map_err(|_| wrong())?;
        if expected.len() == hash.output_size() { Ok(Some(Self { hash, expected })) } else { Err(wrong()) }
    }

    /// Adds the next bytes of the chunk.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
    }

    /// Returns whether the complete chunk has the expected checksum.
    pub fn matches(self) -> bool {
        self.hash.finalize()[..] == self.expected
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(text: &str) -> Result<Option<Sum>, Wrong> {
        Sum::read(&HeaderMap::from_iter([(UPLOAD_CHECKSUM, HeaderValue::from_str(text).unwrap())]))
    }

    #[test]
    fn a_piece_is_held_against_each_kind_of_sum() {
        // Checksums of "hello world"; the second is the example in the protocol.
        for sum in [
            "md5 XrY7u+Ae7tCTyyK7j1rNww==",
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
            "sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        ] {
            for (text, same) in [(&b"hello world"[..], true), (b"hello worlds", false)] {
                let mut found = read(sum).unwrap().unwrap();
                text.chunks(4).for_each(|bytes| found.update(bytes));
                assert_eq!(found.matches(), same, "{sum}");
            }
        }
        assert!(Sum::read(&HeaderMap::new()).unwrap().is_none());
    }

    #[test]
    fn other_kinds_and_half_sums_are_refused() {
        assert_eq!(read("crc32 AAAAAA==").err(), Some(Wrong::Algorithm));
        for bad in ["", "sha1", "sha1 ", "sha1 XrY7u+Ae7tCTyyK7j1rNww==", "md5 ***"] {
            assert_eq!(read(bad).err(), Some(Wrong::Header(UPLOAD_CHECKSUM)), "{bad}");
        }
    }
}
