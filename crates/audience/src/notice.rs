//! The consent notice with its version and digest.
//!
//! A change of wording requires a new file and a new version; answers to the old notice keep its version and
//! digest.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// Version of the current notice.
pub const VERSION: &str = "2026-11-20";
/// Text of the current notice.
pub const TEXT: &str = include_str!("notice/2026-11-20.txt");

/// Returns the SHA-256 of the text, which is stored with each answer.
pub fn digest() -> [u8; 32] {
    static DIGEST: LazyLock<[u8; 32]> = LazyLock::new(|| Sha256::digest(TEXT.as_bytes()).into());
    *DIGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_version_never_changes() {
        let known = "fd2db2bee09676d750136ee2f1b5a91c5f059e10aaff2c5159f1451fcc6ee007";
        assert_eq!((VERSION, hex::encode(digest()).as_str()), ("2026-11-20", known));
    }
}
