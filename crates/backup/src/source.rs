//! What a backup is read from: a tar file or a folder. Neither is trusted.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, BoxStream, Stream, StreamExt as _, TryStreamExt as _};
use kernel::Signer;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use serde::de::DeserializeOwned;
use storage::{Key, StorageError};

use crate::manifest::{Manifest, Part};
use crate::part::PartReader;
use crate::tar_reader::TarReader;
use crate::{BackupState, Error, Repository};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const FILES: &str = "files.jsonl.zst";
/// Bytes of a file read at once.
const CHUNK: u64 = 512 * 1024;

/// Returns the name of the part with the rows of a table.
pub(crate) fn table_part(table: &str) -> String {
    format!("tables/{table}.jsonl.zst")
}

/// Returns the name of a file in the backup.
pub(crate) fn object_entry(key: &str) -> String {
    format!("objects/{key}")
}

/// The name of an entry. Others are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryName {
    /// The manifest, the list of files, or the rows of a table.
    Part(String),
    Object(Key),
}

impl EntryName {
    pub(crate) fn parse(name: &str) -> Result<Self, Error> {
        // A tar file that was made from a folder.
        let name = name.strip_prefix("./").unwrap_or(name);
        let table = name.strip_prefix("tables/").and_then(|rest| rest.strip_suffix(".jsonl.zst"));
        let is_table = |table: &str| {
            !table.is_empty()
                && table.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        };
        if name == MANIFEST || name == FILES || table.is_some_and(is_table) {
            return Ok(Self::Part(name.to_owned()));
        }
        let key = name.strip_prefix("objects/").and_then(Key::parse);
        key.map(Self::Object).ok_or_else(|| Error::Foreign(format!("it contains {name:?}")))
    }
}

/// Bytes of an open file.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub file: Arc<File>,
    pub offset: u64,
    pub len: u64,
}

impl Section {
    fn whole(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), offset: 0, len })
    }

    /// Returns the bytes in chunks.
    pub(crate) fn stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self, |mut section| async move {
            if section.len == 0 {
                return Ok(None);
            }
            let mut chunk = vec![0; section.len.min(CHUNK) as usize];
            section.file.read_exact_at(&mut chunk, section.offset)?;
            section.offset += chunk.len() as u64;
            section.len -= chunk.len() as u64;
            Ok(Some((Bytes::from(chunk), section)))
        })
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.len).unwrap_or(usize::MAX));
        let read = self.file.read_at(&mut buffer[..most], self.offset)?;
        self.offset += read as u64;
        self.len -= read as u64;
        Ok(read)
    }
}

/// A backup that is being read.
pub struct Source {
    path: PathBuf,
    form: Form,
}

enum Form {
    /// The file, and everything in it but the files of the storage.
    Tar(Arc<File>, HashMap<String, Section>),
    Folder,
    /// The repository, and all parts of the backup.
    Stored(Box<Repository>, HashMap<String, Section>),
}

impl Source {
    /// Opens a tar file or a folder, and checks the name of every entry.
    ///
    /// # Errors
    /// Fails if it cannot be read, ends early, or has an entry that no backup has.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::Read(path.to_owned(), error);
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Ok(Self { path: path.to_owned(), form: Form::Folder });
        }
        let file = Arc::new(file);
        let (mut parts, mut entries) = (HashMap::new(), TarReader::new(Arc::clone(&file)).map_err(failed)?);
        while let Some((name, section)) = entries.next()? {
            if let EntryName::Part(name) = name
                && parts.insert(name.clone(), section).is_some()
            {
                return Err(Error::Foreign(format!("it contains {name} twice")));
            }
        }
        Ok(Self { path: path.to_owned(), form: Form::Tar(file, parts) })
    }

    /// Opens a backup in a repository; the newest one that can be restored, if none is named.
    pub(crate) async fn open_stored(
        repository: Repository,
        name: Option<String>,
        signer: &Signer,
    ) -> Result<Self, Error> {
        let name = match name {
            Some(name) => name,
            None => newest(&repository, signer).await?,
        };
        let path = Path::new(repository.named()).join("backups").join(&name);
        let listed = repository.parts().await?.remove(&name).unwrap_or_default();
        let mut parts = HashMap::new();
        for part in listed {
            let section = repository.read_part(&name, &part, u64::MAX).await?;
            parts.insert(part, section);
        }
        Ok(Self { path, form: Form::Stored(Box::new(repository), parts) })
    }

    /// Opens an entry of a folder. Symbolic links are refused.
    fn open_in_folder(&self, name: &str) -> Result<Section, Error> {
        let path = self.path.join(name);
        let folder = openat2(
            CWD,
            &self.path,
            OFlags::RDONLY | OFlags::DIRECTORY,
            Mode::empty(),
            ResolveFlags::empty(),
        )
        .map_err(|error| Error::Read(self.path.clone(), error.into()))?;
        let flags = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
        let opened = openat2(&folder, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty(), flags);
        let file = opened.map_err(|error| match error {
            rustix::io::Errno::NOENT => Error::Damaged(format!("{name} is missing")),
            rustix::io::Errno::LOOP => Error::Foreign(format!("{name:?} is a symbolic link")),
            other => Error::Read(path.clone(), other.into()),
        })?;
        let section = Section::whole(File::from(file)).map_err(|error| Error::Read(path, error))?;
        let is_file = section.file.metadata().is_ok_and(|meta| meta.is_file());
        if is_file { Ok(section) } else { Err(Error::Foreign(format!("{name:?} is not a regular file"))) }
    }

    fn entry(&self, name: &str) -> Result<Section, Error> {
        match &self.form {
            Form::Tar(_, parts) | Form::Stored(_, parts) => parts
                .get(name)
                .cloned()
                .ok_or_else(|| Error::Damaged(format!("{name} is missing, so the backup is incomplete"))),
            Form::Folder => self.open_in_folder(name),
        }
    }

    /// Returns the list of removals beside the backup, if it is in a repository that has one.
    ///
    /// # Errors
    /// Fails if it was changed or cannot be read.
    pub async fn removals<T: DeserializeOwned>(&self, signer: &Signer) -> Result<Option<Vec<T>>, Error> {
        match &self.form {
            Form::Stored(repository, _) => repository.removals(signer).await,
            Form::Tar(..) | Form::Folder => Ok(None),
        }
    }

    pub(crate) fn manifest(&self, signer: &Signer) -> Result<Manifest, Error> {
        Manifest::read(self.entry(MANIFEST)?, signer)
    }

    pub(crate) fn part(&self, name: &str, expected: Part) -> Result<PartReader<'static>, Error> {
        PartReader::new(name, Box::new(self.entry(name)?), expected)
    }

    /// Returns the files in the order of the list of files.
    pub(crate) fn objects(&self) -> Result<Objects<'_>, Error> {
        match &self.form {
            Form::Tar(file, _) => TarReader::new(Arc::clone(file))
                .map(Objects::Tar)
                .map_err(|error| Error::Read(self.path.clone(), error)),
            Form::Folder => Ok(Objects::Folder(self)),
            Form::Stored(repository, _) => Ok(Objects::Stored(repository)),
        }
    }
}

/// Returns the name of the newest backup that can be restored.
async fn newest(repository: &Repository, signer: &Signer) -> Result<String, Error> {
    let mut problem = None;
    for one in repository.list(signer).await?.into_iter().rev() {
        match one.state {
            BackupState::Whole(_) => return Ok(one.name),
            BackupState::Incomplete => {}
            BackupState::Unreadable(reason) => problem = problem.or(Some(reason)),
        }
    }
    let named = repository.named().to_owned();
    Err(problem
        .map_or_else(|| Error::NoBackup(named.clone()), |reason| Error::Repository(named.clone(), reason)))
}

/// The files of a backup.
pub(crate) enum Objects<'a> {
    Tar(TarReader),
    Folder(&'a Source),
    Stored(&'a Repository),
}

/// A file of a backup.
pub(crate) struct FoundObject {
    pub len: u64,
    pub stream: BoxStream<'static, io::Result<Bytes>>,
}

impl From<Section> for FoundObject {
    fn from(section: Section) -> Self {
        Self { len: section.len, stream: section.stream().boxed() }
    }
}

impl Objects<'_> {
    /// Returns the file with this key, which follows those that were asked for before.
    pub(crate) async fn find(&mut self, key: &Key) -> Result<FoundObject, Error> {
        let entry = object_entry(key.as_str());
        match self {
            Self::Folder(source) => source.open_in_folder(&entry).map(Into::into),
            Self::Tar(entries) => {
                // Others were removed from the storage while the backup was being made.
                while let Some((name, section)) = entries.next()? {
                    if matches!(&name, EntryName::Object(found) if found == key) {
                        return Ok(section.into());
                    }
                }
                Err(Error::Damaged(format!("{entry} is missing")))
            }
            Self::Stored(repository) => match repository.objects.open_object(key, None).await {
                Ok(object) => {
                    let stream = object.stream.map_err(io::Error::other).boxed();
                    Ok(FoundObject { len: object.len, stream })
                }
                Err(StorageError::Missing) => Err(Error::Damaged(format!("{entry} is missing"))),
                Err(error) => Err(repository.failed(error)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_a_backup_are_accepted() {
        let image = format!("objects/images/ab/{}", "ab".repeat(16));
        for name in [MANIFEST, FILES, "tables/job.jsonl.zst", "./tables/job.jsonl.zst", &image] {
            assert!(EntryName::parse(name).is_ok(), "{name}");
        }
        for name in [
            "",
            "/etc/passwd",
            "../manifest.json",
            "tables/../../x.jsonl.zst",
            "tables/.jsonl.zst",
            "tables/a/b.jsonl.zst",
            "objects/../secret",
            "objects/images/ab/../../../x",
            "vitrine.db",
        ] {
            assert!(matches!(EntryName::parse(name), Err(Error::Foreign(_))), "{name}");
        }
    }
}
