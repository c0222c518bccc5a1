//! Copies the files that a snapshot of the database refers to.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use futures::TryStreamExt as _;
use sea_orm::DatabaseTransaction;
use serde::{Deserialize, Serialize};
use storage::{Key, Storage, StorageError};

use crate::part::{PartWriter, SpooledPart};
use crate::target::Target;
use crate::{Error, NamedObject, NamedObjects};

/// Objects read in one query.
const PAGE: u64 = 500;

/// A file of the backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub key: String,
    pub bytes: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// A list of lines in a temporary file, which may be long.
struct Lines(BufWriter<File>);

impl Lines {
    fn new(folder: &Path) -> Result<Self, Error> {
        Ok(Self(BufWriter::new(tempfile::tempfile_in(folder)?)))
    }

    fn push(&mut self, line: &impl Serialize) -> Result<(), Error> {
        let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
        text.push(b'\n');
        Ok(self.0.write_all(&text)?)
    }

    /// Returns the lines from the first one.
    fn read<T: serde::de::DeserializeOwned>(
        &mut self,
    ) -> Result<impl Iterator<Item = Result<T, Error>>, Error> {
        use std::io::Seek as _;
        self.0.flush()?;
        let mut file = self.0.get_ref().try_clone()?;
        file.rewind()?;
        let lines = BufReader::new(file).lines();
        Ok(lines.map(|line| serde_json::from_str(&line?).map_err(|error| std::io::Error::from(error).into())))
    }
}

/// What one snapshot refers to.
pub(crate) struct NamedFiles(Lines);

impl NamedFiles {
    pub(crate) async fn read(
        objects: &dyn NamedObjects,
        conn: &DatabaseTransaction,
        folder: &Path,
    ) -> Result<Self, Error> {
        let (mut lines, mut after) = (Lines::new(folder)?, String::new());
        loop {
            let page = objects.page(conn, &after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Self(lines)) };
            after.clone_from(&last.path);
            for object in page {
                lines.push(&object)?;
            }
        }
    }
}

/// The files that were copied so far.
pub(crate) struct CopiedFiles {
    entries: Lines,
    /// Keys of the files, once a second snapshot needs them.
    keys: Option<HashSet<String>>,
}

impl CopiedFiles {
    pub(crate) fn new(folder: &Path) -> Result<Self, Error> {
        Ok(Self { entries: Lines::new(folder)?, keys: None })
    }

    /// Copies the files that were not copied for an earlier snapshot. Returns what is wrong with those that
    /// could not be copied.
    pub(crate) async fn copy(
        &mut self,
        named: &mut NamedFiles,
        storage: &Storage,
        target: &mut Target<'_>,
    ) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        for one in named.0.read::<NamedObject>()? {
            let one = one?;
            if one.is_folder {
                let mut found = storage.list_folder(&one.path);
                let mut count = 0;
                while let Some(object) = found.try_next().await? {
                    count += 1;
                    problems.extend(self.copy_one(&object.key, None, storage, target).await?);
                }
                if count == 0 && !one.is_leaving {
                    problems.push(format!("{}/ is empty", one.path));
                }
                continue;
            }
            let Some(key) = Key::parse(&one.path) else {
                problems.push(format!("{} is not the key of a file", one.path));
                continue;
            };
            let problem = self.copy_one(&key, one.bytes, storage, target).await?;
            problems.extend(problem.filter(|_| !one.is_leaving));
        }
        Ok(problems)
    }

    async fn copy_one(
        &mut self,
        key: &Key,
        expected: Option<u64>,
        storage: &Storage,
        target: &mut Target<'_>,
    ) -> Result<Option<String>, Error> {
        if self.keys.as_ref().is_some_and(|keys| keys.contains(key.as_str())) {
            return Ok(None);
        }
        if let Some(entry) = target.known(key, expected) {
            return self.add(entry).map(|()| None);
        }
        let object = match storage.open_object(key, None).await {
            Ok(object) => object,
            Err(StorageError::Missing) => return Ok(Some(format!("{key} is missing"))),
            Err(error) => return Err(error.into()),
        };
        if let Some(expected) = expected.filter(|expected| *expected != object.len) {
            return Ok(Some(format!("{key} has {} bytes, not {expected}", object.len)));
        }
        let bytes = object.len;
        let sha256 = hex::encode(target.copy(key, object).await?);
        self.add(FileEntry { key: key.to_string(), bytes, sha256 })?;
        Ok(None)
    }

    fn add(&mut self, entry: FileEntry) -> Result<(), Error> {
        if let Some(keys) = &mut self.keys {
            keys.insert(entry.key.clone());
        }
        self.entries.push(&entry)
    }

    /// Prepares for another snapshot, which refers to nearly the same files.
    pub(crate) fn remember(&mut self) -> Result<(), Error> {
        if self.keys.is_none() {
            let keys = self.entries.read::<FileEntry>()?.map(|entry| Ok(entry?.key));
            self.keys = Some(keys.collect::<Result<_, Error>>()?);
        }
        Ok(())
    }

    /// Returns the list of the files that the last snapshot refers to, and their length in bytes. Removes the
    /// others.
    pub(crate) fn finish(
        mut self,
        named: &mut NamedFiles,
        target: &Target<'_>,
    ) -> Result<(SpooledPart, u64), Error> {
        let mut kept: Option<HashSet<String>> = None;
        if self.keys.is_some() {
            kept =
                Some(named.0.read::<NamedObject>()?.map(|one| Ok(one?.path)).collect::<Result<_, Error>>()?);
        }
        let (mut part, mut bytes) = (PartWriter::new(tempfile::tempfile_in(target.spool())?)?, 0);
        for entry in self.entries.read::<FileEntry>()? {
            let entry = entry?;
            let folder = entry.key.rsplit_once('/').map_or("", |(folder, _)| folder);
            if kept.as_ref().is_none_or(|kept| kept.contains(&entry.key) || kept.contains(folder)) {
                bytes += entry.bytes;
                part.push(&entry)?;
            } else {
                target.forget(&entry.key)?;
            }
        }
        Ok((part.finish()?, bytes))
    }
}
