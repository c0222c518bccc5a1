//! The `Upload-Checksum` header: verifies one chunk.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use sha2::digest::DynDigest;

use super::UPLOAD_CHECKSUM;
use crate::tus_error::TusError;

/// Supported algorithms, as listed in Tus-Checksum-Algorithm.
pub const ALGORITHMS: &str = "md5,sha1,sha256";

/// The expected checksum of a chunk, and the hash of what was received of it.
pub struct Checksum {
    hash: Box<dyn DynDigest + Send>,
    expected: Vec<u8>,
}

impl Checksum {
    /// Parses the header; returns `None` if it is absent.
    pub fn read(headers: &HeaderMap) -> Result<Option<Self>, TusError> {
        let Some(value) = headers.get(UPLOAD_CHECKSUM) else { return Ok(None) };
        let invalid = || TusError::Header(UPLOAD_CHECKSUM);
        let (name, checksum) =
            value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(invalid)?;
        let hash: Box<dyn DynDigest + Send> = match name {
            "md5" => Box::new(md5::Md5::default()),
            "sha1" => Box::new(sha1::Sha1::default()),
            "sha256" => Box::new(sha2::Sha256::default()),
            _ => return Err(TusError::Algorithm),
        };
        let expected = STANDARD.decode(checksum).map_err(|_| invalid())?;
        if expected.len() == hash.output_size() { Ok(Some(Self { hash, expected })) } else { Err(invalid()) }
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

    fn read(text: &str) -> Result<Option<Checksum>, TusError> {
        Checksum::read(&HeaderMap::from_iter([(UPLOAD_CHECKSUM, HeaderValue::from_str(text).unwrap())]))
    }

    #[test]
    fn a_chunk_is_compared_with_each_kind_of_checksum() {
        // Checksums of "hello world"; the second is the example in the protocol.
        for checksum in [
            "md5 XrY7u+Ae7tCTyyK7j1rNww==",
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
            "sha256 uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        ] {
            for (text, same) in [(&b"hello world"[..], true), (b"hello worlds", false)] {
                let mut found = read(checksum).unwrap().unwrap();
                text.chunks(4).for_each(|bytes| found.update(bytes));
                assert_eq!(found.matches(), same, "{checksum}");
            }
        }
        assert!(Checksum::read(&HeaderMap::new()).unwrap().is_none());
    }

    #[test]
    fn other_algorithms_and_truncated_checksums_are_refused() {
        assert_eq!(read("crc32 AAAAAA==").err(), Some(TusError::Algorithm));
        for bad in ["", "sha1", "sha1 ", "sha1 XrY7u+Ae7tCTyyK7j1rNww==", "md5 ***"] {
            assert_eq!(read(bad).err(), Some(TusError::Header(UPLOAD_CHECKSUM)), "{bad}");
        }
    }
}
