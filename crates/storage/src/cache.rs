//! Copies of what a bucket holds on the disk of this machine, so that what many people watch is fetched once.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::stream::TryStreamExt as _;
use parking_lot::Mutex;
use tokio::task::spawn_blocking;

use crate::key::Owner;
use crate::local::read_stream;
use crate::remote::Remote;
use crate::{ByteRange, Key, Object, StorageError};

/// Longer objects are not copied.
const OBJECT_MAX: u64 = 16 * 1024 * 1024;
/// Most copies: each is an open file.
const COPIES_MAX: usize = 4096;
/// How long a copy is used. Other servers do not tell when they remove an object.
const LIFETIME: Duration = Duration::from_hours(1);

/// Copies of renditions, which never change under their keys. Their files have no names, so nothing is left of them when the
/// process ends.
pub(crate) struct Cache {
    folder: PathBuf,
    bytes_max: u64,
    copies: Mutex<Copies>,
    /// Whether the last copy could not be written.
    is_failing: AtomicBool,
}

#[derive(Clone)]
struct Copy {
    file: Arc<File>,
    len: u64,
    fetched_at: Instant,
    /// Number of its last use.
    use_number: u64,
}

#[derive(Default)]
struct Copies {
    by_key: HashMap<Key, Copy>,
    /// The least recently used one first.
    by_use: BTreeMap<u64, Key>,
    bytes: u64,
    uses: u64,
    /// Number of removals, so that what was fetched before one is not added after it.
    removals: u64,
}

impl Copies {
    fn remove(&mut self, key: &Key) {
        if let Some(copy) = self.by_key.remove(key) {
            self.by_use.remove(&copy.use_number);
            self.bytes -= copy.len;
        }
    }

    fn remove_all(&mut self, is_removed: impl Fn(&Key, &Copy) -> bool) {
        let keys: Vec<Key> = self
            .by_key
            .iter()
            .filter(|(key, copy)| is_removed(key, copy))
            .map(|(key, _)| key.clone())
            .collect();
        keys.iter().for_each(|key| self.remove(key));
    }

    fn add(&mut self, key: &Key, file: Arc<File>, len: u64) {
        self.remove(key);
        self.uses += 1;
        let copy = Copy { file, len, fetched_at: Instant::now(), use_number: self.uses };
        self.by_use.insert(self.uses, key.clone());
        self.by_key.insert(key.clone(), copy);
        self.bytes += len;
    }

    /// Returns a copy, and notes its use.
    fn take(&mut self, key: &Key) -> Option<Copy> {
        let copy = self.by_key.get_mut(key)?;
        self.uses += 1;
        self.by_use.remove(&copy.use_number);
        copy.use_number = self.uses;
        self.by_use.insert(self.uses, key.clone());
        Some(copy.clone())
    }
}

impl Cache {
    /// Creates a cache of at most `bytes_max` bytes in a folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(crate) fn open(folder: &Path, bytes_max: u64) -> io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt as _;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let (folder, is_failing) = (folder.to_owned(), AtomicBool::new(false));
        Ok(Self { folder, bytes_max, copies: Mutex::default(), is_failing })
    }

    /// Opens an object from its copy, which is made if there is none.
    pub(crate) async fn open_object(
        &self,
        remote: &Remote,
        key: &Key,
        range: Option<ByteRange>,
    ) -> Result<Object, StorageError> {
        if !matches!(key.owner(), Some(Owner::Rendition { .. })) {
            return remote.open_object(key, range).await;
        }
        if let Some(copy) = self.find(key) {
            count("hit");
            return copy.open(range);
        }
        count("miss");
        let removals = self.copies.lock().removals;
        let object = remote.open_object(key, None).await?;
        if object.len > OBJECT_MAX.min(self.bytes_max) {
            return if range.is_none() { Ok(object) } else { remote.open_object(key, range).await };
        }
        let len = object.len;
        let file = match self.copy(object).await {
            Ok(file) => Arc::new(file),
            Err(error @ (StorageError::Full | StorageError::Disk(_))) => {
                // Once, and not for each of the files that people watch.
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "the cache of the storage cannot be written");
                }
                return remote.open_object(key, range).await;
            }
            Err(error) => return Err(error),
        };
        self.is_failing.store(false, Ordering::Relaxed);
        self.keep(key, &file, len, removals);
        Copy { file, len, fetched_at: Instant::now(), use_number: 0 }.open(range)
    }

    /// Forgets an object.
    pub(crate) fn forget(&self, key: &Key) {
        let mut copies = self.copies.lock();
        copies.removals += 1;
        copies.remove(key);
    }

    /// Forgets the objects whose keys begin so.
    pub(crate) fn forget_prefix(&self, prefix: &str) {
        let mut copies = self.copies.lock();
        copies.removals += 1;
        copies.remove_all(|key, _| key.as_str().starts_with(prefix));
    }

    fn find(&self, key: &Key) -> Option<Copy> {
        let mut copies = self.copies.lock();
        let copy = copies.take(key)?;
        if copy.fetched_at.elapsed() < LIFETIME {
            return Some(copy);
        }
        copies.remove(key);
        None
    }

    /// Writes an object to a file without a name.
    async fn copy(&self, object: Object) -> Result<File, StorageError> {
        let (mut stream, folder) = (object.stream, self.folder.clone());
        let mut file = spawn_blocking(move || tempfile::tempfile_in(folder)).await??;
        let mut written = 0;
        while let Some(chunk) = stream.try_next().await? {
            written += chunk.len() as u64;
            file = spawn_blocking(move || file.write_all(&chunk).map(|()| file)).await??;
        }
        if written == object.len { Ok(file) } else { Err(StorageError::Stopped) }
    }

    /// Adds a copy, and removes old ones for which there is no room.
    fn keep(&self, key: &Key, file: &Arc<File>, len: u64, removals: u64) {
        let mut copies = self.copies.lock();
        copies.remove_all(|_, copy| copy.fetched_at.elapsed() >= LIFETIME);
        if copies.removals == removals {
            copies.add(key, Arc::clone(file), len);
        }
        while copies.bytes > self.bytes_max || copies.by_key.len() > COPIES_MAX {
            let Some(oldest) = copies.by_use.values().next().cloned() else { break };
            copies.remove(&oldest);
        }
        metrics::gauge!("vitrine_storage_cache_bytes").set(copies.bytes as f64);
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("vitrine_storage_cache_total", "outcome" => outcome).increment(1);
}

impl Copy {
    fn open(self, range: Option<ByteRange>) -> Result<Object, StorageError> {
        let Self { file, len, .. } = self;
        let range = match range {
            None => 0..len,
            Some(requested) => requested.within(len).ok_or(StorageError::OutsideObject { len })?,
        };
        Ok(Object { len, stream: read_stream(Arc::clone(&file), range.clone()), range, file: Some(file) })
    }
}
