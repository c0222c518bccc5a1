//! A folder or bucket with several backups of one installation, which share their files.

use std::collections::{BTreeMap, HashSet};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt as _;
use kernel::{Ambient, Signer, Uid};
use sha2::{Digest as _, Sha256};
use storage::{Key, Name, Object, Storage, StorageError};

use crate::Error;
use crate::manifest::{MANIFEST_MAX, Manifest, Part};
use crate::part::{PartReader, SpooledPart};
use crate::settings::{BackupLocation, BackupSettings};
use crate::source::{FILES, MANIFEST, Section, table_part};

/// Folder with the files of all backups.
const OBJECTS: &str = "objects";
/// Name of the object with the id of a storage.
const STORAGE_ID: &str = ".vitrine";
/// Files up to this length are written with one request.
const SMALL: u64 = 4 * 1024 * 1024;
/// Longer records are not ids.
const ID_MAX: u64 = 64;

/// Backups that share their files. It belongs to one installation, so that a copy of that neither writes into it nor
/// removes from it.
pub struct Repository {
    named: String,
    /// The lists and manifests of the backups.
    pub(crate) backups: Storage,
    /// The files.
    pub(crate) objects: Storage,
    spool: PathBuf,
}

/// A backup in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBackup {
    /// Its name: a number, which grows, and the time.
    pub name: String,
    /// Whether it can be restored.
    pub state: BackupState,
}

/// Whether a backup in a repository can be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupState {
    /// All parts are there. Boxed, because others have no manifest.
    Whole(Box<Manifest>),
    /// It was interrupted while it was being made or removed.
    Incomplete,
    /// It has a manifest that cannot be read, or lacks a part.
    Unreadable(String),
}

/// The names of the parts of a backup.
pub(crate) type PartNames = HashSet<String>;

impl Repository {
    /// Opens the repository with this name: the path of a folder, or the URL of a bucket.
    ///
    /// # Errors
    /// Fails if there is no such folder, or it is the storage of an installation.
    pub async fn open(named: &str, settings: &BackupSettings, ambient: &Ambient) -> Result<Self, Error> {
        let place =
            BackupLocation::parse(named).map_err(|problem| Error::Place(named.to_owned(), problem))?;
        let (named, objects, backups, spool) = match place {
            BackupLocation::Folder(path) => {
                let root = path.canonicalize().map_err(|error| Error::Read(path.clone(), error))?;
                // Before anything is created in it.
                for ids in [root.join(STORAGE_ID), root.join(OBJECTS).join(STORAGE_ID)] {
                    if ids.exists() {
                        return Err(Error::IsStorage(path.display().to_string()));
                    }
                }
                let opened = |folder: &Path| Storage::open_folder(folder, ambient.clone());
                (path.display().to_string(), opened(&root.join(OBJECTS)), opened(&root), root)
            }
            BackupLocation::Bucket(url) => {
                let opened = |url: &str| Storage::open(&settings.bucket(url), Path::new(""), ambient.clone());
                (url.clone(), opened(&format!("{url}/{OBJECTS}")), opened(&url), std::env::temp_dir())
            }
        };
        let failed = |error| Error::at(&named, error);
        let (objects, backups) = (objects.map_err(failed)?, backups.map_err(failed)?);
        for part in [&objects, &backups] {
            if part.id().await.map_err(failed)?.is_some() {
                return Err(Error::IsStorage(named));
            }
        }
        Ok(Self { named, backups, objects, spool })
    }

    /// Opens the repository to write into it for the installation with this id. Creates the folder, but not the one in
    /// which it is: that may be a disk which is not mounted. With `was_used`, a repository without its mark is refused
    /// for the same reason. A disk of which `reserve_bytes` must stay free is not filled further.
    ///
    /// # Errors
    /// Fails if it belongs to another installation or cannot be written.
    pub async fn open_as(
        named: &str,
        settings: &BackupSettings,
        (owner, was_used): (Uid, bool),
        reserve_bytes: u64,
        ambient: &Ambient,
    ) -> Result<Self, Error> {
        if let Ok(BackupLocation::Folder(path)) = BackupLocation::parse(named)
            && !path.exists()
        {
            if was_used {
                return Err(Error::Vanished(named.to_owned()));
            }
            let created = DirBuilder::new().mode(0o700).create(&path);
            created.map_err(|error| Error::Write(path, error))?;
        }
        let mut opened = Self::open(named, settings, ambient).await?;
        opened.backups = opened.backups.with_reserve(reserve_bytes);
        opened.objects = opened.objects.with_reserve(reserve_bytes);
        match opened.owner().await? {
            Some(other) if other != owner => Err(Error::OtherInstallation(opened.named, other)),
            Some(_) => Ok(opened),
            None if was_used => Err(Error::Vanished(opened.named)),
            None => {
                let id = Bytes::from(format!("{owner}\n"));
                opened
                    .backups
                    .put(&Key::backups_identity(), id)
                    .await
                    .map_err(|error| opened.failed(error))?;
                Ok(opened)
            }
        }
    }

    /// Returns the name under which it was opened.
    pub fn named(&self) -> &str {
        &self.named
    }

    /// Returns the folder for temporary files.
    pub(crate) fn spool(&self) -> &Path {
        &self.spool
    }

    pub(crate) fn failed(&self, error: StorageError) -> Error {
        Error::at(&self.named, error)
    }

    /// Returns the id of the installation that it belongs to; `None` before the first backup.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub async fn owner(&self) -> Result<Option<Uid>, Error> {
        let object = match self.backups.open_object(&Key::backups_identity(), None).await {
            Ok(object) => object,
            Err(StorageError::Missing) => return Ok(None),
            Err(error) => return Err(self.failed(error)),
        };
        let wrong = || Error::Foreign(format!("{} names no installation", Key::backups_identity()));
        if object.len > ID_MAX {
            return Err(wrong());
        }
        let bytes: Vec<Bytes> = object.stream.try_collect().await.map_err(|error| self.failed(error))?;
        let text = String::from_utf8(bytes.concat()).map_err(|_| wrong())?;
        text.trim().parse().map(Some).map_err(|_| wrong())
    }

    /// Checks that backups can be made and removed, by writing and removing an object.
    ///
    /// # Errors
    /// Fails if that fails.
    pub async fn check_writable(&self) -> Result<(), Error> {
        let probe = Key::backups_probe();
        for part in [&self.objects, &self.backups] {
            part.put(&probe, Bytes::from_static(b"x")).await.map_err(|error| self.failed(error))?;
            part.delete(&probe).await.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Returns the parts of all backups.
    pub(crate) async fn parts(&self) -> Result<BTreeMap<String, PartNames>, Error> {
        let (mut found, mut listed) = (BTreeMap::<String, PartNames>::new(), self.backups.list_backups());
        while let Some(part) = listed.try_next().await.map_err(|error| self.failed(error))? {
            found.entry(part.backup.as_str().to_owned()).or_default().insert(part.part);
        }
        Ok(found)
    }

    /// Returns all backups, oldest first.
    ///
    /// # Errors
    /// Fails if the repository cannot be read. A backup that cannot be read is no error.
    pub async fn list(&self, signer: &Signer) -> Result<Vec<StoredBackup>, Error> {
        let mut all = Vec::new();
        for (name, parts) in self.parts().await? {
            let state = self.state(&name, &parts, signer).await?;
            all.push(StoredBackup { name, state });
        }
        Ok(all)
    }

    async fn state(&self, name: &str, parts: &PartNames, signer: &Signer) -> Result<BackupState, Error> {
        if !parts.contains(MANIFEST) {
            return Ok(BackupState::Incomplete);
        }
        let manifest = match self.manifest(name, signer).await {
            Ok(manifest) => manifest,
            Err(error @ (Error::Repository(..) | Error::Spool(_))) => return Err(error),
            Err(error) => return Ok(BackupState::Unreadable(error.to_string())),
        };
        let expected = manifest.tables.keys().map(|table| table_part(table));
        Ok(match expected.chain([FILES.to_owned()]).find(|part| !parts.contains(part)) {
            Some(missing) => BackupState::Unreadable(format!("{missing} is missing")),
            None => BackupState::Whole(Box::new(manifest)),
        })
    }

    async fn manifest(&self, name: &str, signer: &Signer) -> Result<Manifest, Error> {
        let section = self.read_part(name, MANIFEST, MANIFEST_MAX).await?;
        Manifest::read(section, signer)
    }

    /// Returns a part as a file: that of the repository, or a temporary copy. Fails if it is longer than `most` bytes.
    pub(crate) async fn read_part(&self, name: &str, part: &str, most: u64) -> Result<Section, Error> {
        let key = part_key(name, part)?;
        let object = match self.backups.open_object(&key, None).await {
            Ok(object) => object,
            Err(StorageError::Missing) => return Err(Error::Damaged(format!("{part} is missing"))),
            Err(error) => return Err(self.failed(error)),
        };
        if object.len > most {
            return Err(Error::Foreign(format!("its {part} is too long")));
        }
        if let Some(file) = object.file {
            return Ok(Section { file, offset: 0, len: object.len });
        }
        let (len, mut stream) = (object.len, object.stream);
        let mut file = tempfile::tempfile_in(&self.spool)?;
        while let Some(chunk) = stream.try_next().await.map_err(|error| self.failed(error))? {
            std::io::Write::write_all(&mut file, &chunk)?;
        }
        Ok(Section { file: Arc::new(file), offset: 0, len })
    }

    /// Opens the list of files of a backup.
    pub(crate) async fn files(&self, name: &str, expected: Part) -> Result<PartReader<'static>, Error> {
        let section = self.read_part(name, FILES, u64::MAX).await?;
        PartReader::new(FILES, Box::new(section), expected)
    }

    /// Copies a file, and returns its hash.
    pub(crate) async fn copy(&self, key: &Key, object: Object) -> Result<[u8; 32], Error> {
        let (len, stream) = (object.len, object.stream);
        self.objects.check_space(len).map_err(|error| self.failed(error))?;
        if len > SMALL {
            return Ok(self.objects.receive(key, len, stream).await?.commit().await?.sha256);
        }
        let chunks: Vec<Bytes> = stream.try_collect().await?;
        let bytes = Bytes::from(chunks.concat());
        if bytes.len() as u64 != len {
            return Err(StorageError::Stopped.into());
        }
        let sha256 = Sha256::digest(&bytes).into();
        self.objects.put(key, bytes).await.map_err(|error| self.failed(error))?;
        Ok(sha256)
    }

    /// Writes a part of a backup.
    pub(crate) async fn write_part(&self, name: &str, part: &str, spooled: SpooledPart) -> Result<(), Error> {
        let (len, file) = (spooled.len, Arc::new(spooled.file));
        self.backups.check_space(len).map_err(|error| self.failed(error))?;
        let stream = Section { file, offset: 0, len }.stream();
        self.backups.receive(&part_key(name, part)?, len, stream).await?.commit().await?;
        Ok(())
    }

    /// Writes the manifest, with which the backup is complete.
    pub(crate) async fn write_manifest(&self, name: &str, text: Vec<u8>) -> Result<(), Error> {
        let written = self.backups.put(&part_key(name, MANIFEST)?, text.into()).await;
        written.map_err(|error| self.failed(error))
    }

    /// Removes a backup, its manifest first: if that is interrupted, the rest is no backup.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), Error> {
        let Some(folder) = Name::parse(name) else { return Ok(()) };
        self.backups.delete(&part_key(name, MANIFEST)?).await.map_err(|error| self.failed(error))?;
        self.backups.delete_backup(&folder).await.map_err(|error| self.failed(error))
    }

    /// Removes what killed processes left of files that they were writing. No other process may be writing.
    pub(crate) async fn sweep(&self) -> Result<(), Error> {
        for part in [&self.objects, &self.backups] {
            part.sweep(0, HashSet::new()).await.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }
}

fn part_key(name: &str, part: &str) -> Result<Key, Error> {
    Key::backup_part(name, part).ok_or_else(|| Error::Foreign(format!("it contains {name}/{part}")))
}
