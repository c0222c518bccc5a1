//! What a backup is written to.

use std::path::Path;

use futures::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use storage::{Key, Object, StorageError};

use crate::file_target::FileTarget;
use crate::files::FileEntry;
use crate::known::KnownFiles;
use crate::manifest::Manifest;
use crate::part::SpooledPart;
use crate::source::{MANIFEST, object_entry};
use crate::{Error, Repository, RepositoryLock};

/// An incomplete backup.
pub(crate) enum Target<'a> {
    /// A tar file or a folder. Dropping it removes it.
    File(FileTarget),
    Repository(RepositoryTarget<'a>),
}

/// A new backup in a repository. Dropping it leaves what it has written, which is no backup without a manifest.
pub(crate) struct RepositoryTarget<'a> {
    pub repository: &'a Repository,
    pub lock: &'a RepositoryLock,
    pub name: String,
    /// The files of the backup before.
    pub known: KnownFiles,
    /// Number and length of the files that were copied.
    pub copied: (u64, u64),
}

impl Target<'_> {
    /// Returns the folder for temporary files.
    pub(crate) fn spool(&self) -> &Path {
        match self {
            Self::File(file) => file.spool(),
            Self::Repository(target) => target.repository.spool(),
        }
    }

    /// Returns the entry of a file that need not be copied.
    pub(crate) fn known(&self, key: &Key, expected: Option<u64>) -> Option<FileEntry> {
        match self {
            Self::File(_) => None,
            Self::Repository(target) => target.known.get(key.as_str(), expected),
        }
    }

    /// Copies a file, and returns its hash.
    pub(crate) async fn copy(&mut self, key: &Key, object: Object) -> Result<[u8; 32], Error> {
        match self {
            Self::File(file) => copy_to_file(file, key, object).await,
            Self::Repository(target) => {
                let len = object.len;
                let sha256 = target.repository.copy(key, object).await?;
                target.copied.0 += 1;
                target.copied.1 += len;
                Ok(sha256)
            }
        }
    }

    /// Removes a file that is not part of the backup after all. In a tar file it stays, and a restore skips it; in a
    /// repository it stays until old backups are removed.
    pub(crate) fn forget(&self, key: &str) -> Result<(), Error> {
        match self {
            Self::File(file) => file.forget(&object_entry(key)),
            Self::Repository(_) => Ok(()),
        }
    }

    /// Writes a whole part.
    pub(crate) async fn part(&mut self, name: &str, mut part: SpooledPart) -> Result<(), Error> {
        match self {
            Self::File(file) => file.part(name, &mut part),
            Self::Repository(target) => target.repository.write_part(&target.name, name, part).await,
        }
    }

    /// Writes the manifest and makes the backup durable and visible. Returns its name in a repository, and the number and
    /// length of the files that were copied.
    pub(crate) async fn finish(self, manifest: &Manifest) -> Result<(String, (u64, u64)), Error> {
        let text = manifest.bytes();
        match self {
            Self::File(mut file) => {
                file.begin(MANIFEST, text.len() as u64)?;
                file.write(&text)?;
                file.end(text.len() as u64)?;
                file.finish()?;
                Ok((String::new(), (manifest.files.rows, manifest.file_bytes)))
            }
            Self::Repository(target) => {
                target.lock.check().await?;
                target.repository.write_manifest(&target.name, text).await?;
                Ok((target.name, target.copied))
            }
        }
    }
}

async fn copy_to_file(file: &mut FileTarget, key: &Key, object: Object) -> Result<[u8; 32], Error> {
    let (len, mut stream, mut hash) = (object.len, object.stream, Sha256::new());
    file.begin(&object_entry(key.as_str()), len)?;
    let mut copied = 0;
    while let Some(chunk) = stream.try_next().await? {
        copied += chunk.len() as u64;
        hash.update(&chunk);
        file.write(&chunk)?;
    }
    if copied != len {
        return Err(StorageError::Stopped.into());
    }
    file.end(len)?;
    Ok(hash.finalize().into())
}
