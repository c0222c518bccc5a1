//! Lists every object in the storage, page by page.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use futures::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use kernel::Timestamp;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::spawn_blocking;

use crate::key::{BACKUPS, EVENTS};
use crate::local::Local;
use crate::remote::Remote;
use crate::{Key, Name, StorageError};

/// First segments of our objects' keys.
const FOLDERS: [&str; 3] = ["content", "images", EVENTS];
/// Objects of a folder that are read ahead.
const AHEAD: usize = 256;

/// An object in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedObject {
    /// Key under which it can be opened or deleted.
    pub key: Key,
    /// Length in bytes.
    pub len: u64,
    /// When it was written, by the storage's clock.
    pub modified: Timestamp,
}

type Listed = BoxStream<'static, Result<ListedObject, StorageError>>;

/// Returns the key of a listed path, or `None` if it has another form.
type Parse = fn(&str) -> Option<Key>;

/// A part of a backup in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPart {
    /// Key under which it can be opened.
    pub key: Key,
    /// Name of the backup.
    pub backup: Name,
    /// Name of the part in the backup.
    pub part: String,
    /// Length in bytes.
    pub len: u64,
}

fn backup_part(path: &str) -> Option<Key> {
    Key::parse_backup_part(path).map(|(key, ..)| key)
}

/// Adds the names of backup and part.
pub(crate) fn as_parts(listed: Listed) -> BoxStream<'static, Result<ListedPart, StorageError>> {
    let part = |object: ListedObject| {
        let named = Key::parse_backup_part(object.key.as_str());
        let part = named.map(|(key, backup, part)| ListedPart { key, backup, part, len: object.len });
        futures::future::ok(part)
    };
    listed.try_filter_map(part).boxed()
}

impl Local {
    /// Lists all objects.
    pub(crate) fn list(&self) -> Listed {
        self.list_in(FOLDERS.map(str::to_owned).to_vec(), Key::parse)
    }

    /// Lists the objects below a prefix of keys.
    pub(crate) fn list_folder(&self, prefix: &str) -> Listed {
        self.list_in(vec![prefix.to_owned()], Key::parse)
    }

    /// Lists the archived events.
    pub(crate) fn list_events(&self) -> Listed {
        self.list_in(vec![EVENTS.to_owned()], Key::parse)
    }

    /// Lists the parts of all backups.
    pub(crate) fn list_backups(&self) -> Listed {
        self.list_in(vec![BACKUPS.to_owned()], backup_part)
    }

    /// Lists the objects in these folders and skips everything else in them.
    fn list_in(&self, folders: Vec<String>, parse: Parse) -> Listed {
        let root = self.root().to_owned();
        let (found, objects) = mpsc::channel(AHEAD);
        spawn_blocking(move || {
            for folder in folders {
                if let Err(error) = walk(&root, &root.join(folder), parse, &found) {
                    // The receiver may be gone.
                    let _ = found.blocking_send(Err(error.into()));
                }
            }
        });
        stream::unfold(objects, |mut objects| async { objects.recv().await.map(|one| (one, objects)) })
            .boxed()
    }
}

fn walk(
    root: &Path,
    folder: &Path,
    parse: Parse,
    found: &Sender<Result<ListedObject, StorageError>>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        // The folder was never created, or was removed since it was listed.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(root, &entry.path(), parse, found)?;
            continue;
        }
        let object = match stored(root, entry.path(), parse) {
            Ok(Some(object)) => object,
            Ok(None) => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if found.blocking_send(Ok(object)).is_err() {
            break;
        }
    }
    Ok(())
}

fn stored(root: &Path, path: PathBuf, parse: Parse) -> io::Result<Option<ListedObject>> {
    let text = path.strip_prefix(root).ok().and_then(Path::to_str);
    let Some(key) = text.and_then(parse) else { return Ok(None) };
    let meta = fs::symlink_metadata(&path)?;
    let modified = meta.modified()?.into();
    Ok(meta.is_file().then_some(ListedObject { key, len: meta.len(), modified }))
}

impl Remote {
    /// Lists all objects.
    pub(crate) fn list(&self) -> Listed {
        self.list_in(&FOLDERS, Key::parse)
    }

    /// Lists the objects below a prefix of keys.
    pub(crate) fn list_folder(&self, prefix: &str) -> Listed {
        self.list_in(&[prefix], Key::parse)
    }

    /// Lists the archived events.
    pub(crate) fn list_events(&self) -> Listed {
        self.list_in(&[EVENTS], Key::parse)
    }

    /// Lists the parts of all backups.
    pub(crate) fn list_backups(&self) -> Listed {
        self.list_in(&[BACKUPS], backup_part)
    }

    /// Lists the objects in these folders and skips everything else in them.
    fn list_in(&self, folders: &[&str], parse: Parse) -> Listed {
        let root = self.at("");
        let pages: Vec<_> = folders.iter().map(|folder| self.store().list(Some(&self.at(folder)))).collect();
        stream::iter(pages)
            .flatten()
            .map_err(StorageError::from)
            .try_filter_map(move |meta| {
                let path = meta.location.as_ref().strip_prefix(root.as_ref()).unwrap_or_default();
                let key = parse(path.trim_start_matches('/'));
                let modified = Timestamp::from_ms(meta.last_modified.timestamp_millis());
                let object = key.map(|key| ListedObject { key, len: meta.size, modified });
                futures::future::ok(object)
            })
            .boxed()
    }
}
