//! What an earlier backup says about files, in little memory.

use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::files::FileEntry;
use crate::part::PartReader;

/// First bytes of the SHA-256 of a key: as many as no two keys share.
type KeyDigest = [u8; 16];

pub(crate) fn digest(key: &str) -> KeyDigest {
    let mut digest = [0; 16];
    digest.copy_from_slice(&Sha256::digest(key)[..16]);
    digest
}

/// A file of an earlier backup.
#[derive(Clone, Copy)]
struct KnownFile {
    key: KeyDigest,
    sha256: [u8; 32],
    bytes: u64,
    /// Whether it was seen where the backups are.
    is_there: bool,
}

/// The files of an earlier backup: 64 bytes of memory for each.
#[derive(Default)]
pub(crate) struct KnownFiles(Vec<KnownFile>);

impl KnownFiles {
    pub(crate) fn read(mut list: PartReader<'_>) -> Result<Self, Error> {
        let mut files = Vec::new();
        while let Some(FileEntry { key, bytes, sha256 }) = list.next::<FileEntry>()? {
            let hash = hex::decode(&sha256).ok().and_then(|hash| hash.try_into().ok());
            let sha256 = hash.ok_or_else(|| Error::Damaged(format!("{key} has no valid hash")))?;
            files.push(KnownFile { key: digest(&key), sha256, bytes, is_there: false });
        }
        files.sort_unstable_by_key(|file| file.key);
        Ok(Self(files))
    }

    /// Notes that a file of this length is where the backups are.
    pub(crate) fn found(&mut self, key: &str, bytes: u64) {
        if let Ok(at) = self.0.binary_search_by_key(&digest(key), |file| file.key) {
            self.0[at].is_there = self.0[at].bytes == bytes;
        }
    }

    /// Returns the length and the hash of a file that was found, if it has the expected length.
    pub(crate) fn get(&self, key: &str, expected: Option<u64>) -> Option<FileEntry> {
        let at = self.0.binary_search_by_key(&digest(key), |file| file.key).ok()?;
        let KnownFile { sha256, bytes, is_there, .. } = self.0[at];
        let fits = is_there && expected.is_none_or(|expected| expected == bytes);
        fits.then(|| FileEntry { key: key.to_owned(), bytes, sha256: hex::encode(sha256) })
    }
}

/// Keys of files that backups refer to: 16 bytes of memory for each.
#[derive(Default)]
pub(crate) struct KeptKeys(Vec<KeyDigest>);

impl KeptKeys {
    pub(crate) fn add(&mut self, mut list: PartReader<'_>) -> Result<(), Error> {
        while let Some(entry) = list.next::<FileEntry>()? {
            self.0.push(digest(&entry.key));
        }
        self.0.sort_unstable();
        self.0.dedup();
        Ok(())
    }

    pub(crate) fn contains(&self, key: &str) -> bool {
        self.0.binary_search(&digest(key)).is_ok()
    }
}
