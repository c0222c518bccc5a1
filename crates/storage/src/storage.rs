//! The storage handle: one API over a folder and a bucket.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use futures::stream::{self, BoxStream};
use kernel::{Ambient, ContentId, Millis, OrgId, ResumableId, RunId};

use crate::cache::Cache;
use crate::list::{ListedPart, as_parts};
use crate::local::Local;
use crate::measure::measured;
use crate::receive::{self, ReceiveError, Sink, Staged};
use crate::remote::Remote;
use crate::resume::{Bucket, Progress, ResumableSink, ResumableStream};
use crate::settings::StorageLocation;
use crate::{ByteRange, Key, ListedObject, Name, StorageError, StorageSettings, free_bytes};

/// Bytes after which a stream in a folder is kept: the most that a crash can lose.
const KEEP_BYTES: u64 = 32 * 1024 * 1024;

/// A stored object opened for reading.
pub struct Object {
    /// Length of the whole object.
    pub len: u64,
    /// The bytes that [`Self::stream`] yields.
    pub range: Range<u64>,
    /// The bytes in large chunks. Nothing is read before the stream is polled.
    pub stream: BoxStream<'static, Result<Bytes, StorageError>>,
    /// The file that contains the bytes, if the object is a file on this machine. It never changes.
    pub file: Option<Arc<File>>,
}

/// Objects on local disk or in S3. Cloning shares the handle.
#[derive(Clone)]
pub struct Storage {
    backend: Arc<Backend>,
    ambient: Ambient,
    reserve_bytes: u64,
    /// Copies of what a bucket holds.
    cache: Option<Arc<Cache>>,
}

enum Backend {
    Local(Local),
    Remote(Remote),
}

impl Storage {
    /// Opens the storage that the settings describe. A missing folder is created.
    ///
    /// # Errors
    /// If the settings are invalid or the folder cannot be created.
    pub fn open(settings: &StorageSettings, data_dir: &Path, ambient: Ambient) -> Result<Self, StorageError> {
        settings.check().map_err(StorageError::Settings)?;
        let backend = match settings.location(data_dir)? {
            StorageLocation::Folder(root) => Backend::Local(Local::open(&root)?),
            StorageLocation::Bucket { bucket, prefix } => {
                Backend::Remote(Remote::open(settings, &bucket, prefix)?)
            }
        };
        Ok(Self { backend: Arc::new(backend), ambient, reserve_bytes: settings.reserve_bytes, cache: None })
    }

    /// Opens a folder of objects, which is created if it does not exist.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open_folder(root: &Path, ambient: Ambient) -> Result<Self, StorageError> {
        let backend = Arc::new(Backend::Local(Local::open(root)?));
        Ok(Self { backend, ambient, reserve_bytes: 0, cache: None })
    }

    /// Opens any object store, for tests of the code that S3 uses.
    pub fn from_store(store: Arc<dyn Bucket>, ambient: Ambient) -> Self {
        let backend = Backend::Remote(Remote::new(Arc::clone(&store), store, String::new()));
        Self { backend: Arc::new(backend), ambient, reserve_bytes: 0, cache: None }
    }

    /// Returns the same storage with copies of renditions in a folder of this machine, of at most `bytes_max` bytes. Without
    /// copies if that is 0, or the storage is a folder itself. They are gone when the last handle is.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn with_cache(mut self, folder: &Path, bytes_max: u64) -> Result<Self, StorageError> {
        if bytes_max > 0 && matches!(&*self.backend, Backend::Remote(_)) {
            self.cache = Some(Arc::new(Cache::open(folder, bytes_max)?));
        }
        Ok(self)
    }

    /// Checks that the storage is available, for the readiness probe.
    ///
    /// # Errors
    /// If it is not.
    pub async fn check(&self) -> Result<(), StorageError> {
        match &*self.backend {
            Backend::Local(local) => Ok(local.check()?),
            Backend::Remote(remote) => remote.check().await,
        }
    }

    /// Returns the same storage with another reserve.
    #[must_use]
    pub fn with_reserve(&self, reserve_bytes: u64) -> Self {
        Self { reserve_bytes, ..self.clone() }
    }

    /// Returns true if `bytes` more on the disk of the objects would leave less free than the configured
    /// reserve. Always false for a bucket, whose free space is unknown.
    ///
    /// # Errors
    /// If the disk cannot be queried.
    pub fn is_short_of(&self, bytes: u64) -> Result<bool, StorageError> {
        match &*self.backend {
            Backend::Local(local) => self.is_short_of_at(local.root(), bytes),
            Backend::Remote(_) => Ok(false),
        }
    }

    /// Does the same as [`Self::is_short_of`] for the disk of another path.
    ///
    /// # Errors
    /// If the disk cannot be queried.
    pub fn is_short_of_at(&self, path: &Path, bytes: u64) -> Result<bool, StorageError> {
        Ok(free_bytes(path)? < self.reserve_bytes.saturating_add(bytes) && self.reserve_bytes > 0)
    }

    /// Fails with [`StorageError::Full`] if a file of `size` bytes would leave less free than the reserve.
    ///
    /// # Errors
    /// [`StorageError::Full`], or an error if the disk cannot be queried.
    pub fn check_space(&self, size: u64) -> Result<(), StorageError> {
        if self.is_short_of(size)? { Err(StorageError::Full) } else { Ok(()) }
    }

    /// Receives a stream of exactly `expected` bytes and hashes it on the way. The result is safely on disk
    /// and not visible before [`Staged::commit`]. Dropping it, or this future, removes everything. At most
    /// two chunks of about 1 MiB are in memory (with S3, three parts of 8 MiB).
    ///
    /// # Errors
    /// If the stream is too short, too long or broken, or cannot be written.
    pub async fn receive<S, E>(&self, key: &Key, expected: u64, stream: S) -> Result<Staged, ReceiveError>
    where
        S: Stream<Item = Result<Bytes, E>> + Send,
        E: Display,
    {
        let sink = match &*self.backend {
            Backend::Local(local) => Sink::Local(local.stage(key, self.ambient.uid()).await?),
            Backend::Remote(remote) => Sink::Remote(remote.stage(key, expected).await?),
        };
        receive::receive(sink, expected, stream).await
    }

    /// Continues a stream of `expected` bytes that arrives in several requests. `stream` is the id of the
    /// stream, the same in each request and never reused; `progress` is the last one saved, or
    /// [`Progress::new`].
    ///
    /// # Errors
    /// [`StorageError::Busy`] while another process is appending to the stream (not detected in a bucket),
    /// [`StorageError::Missing`] if what was kept is gone, and disk and network errors.
    pub async fn resume(
        &self,
        stream: ResumableId,
        expected: u64,
        progress: Progress,
    ) -> Result<ResumableStream, StorageError> {
        let ambient = self.ambient.clone();
        let (sink, step) = match &*self.backend {
            Backend::Local(local) => {
                (ResumableSink::Folder(local.resume(stream, ambient.uid(), &progress).await?), KEEP_BYTES)
            }
            Backend::Remote(remote) => {
                let sink = remote.resume(stream, ambient, expected, &progress).await?;
                (ResumableSink::Bucket(sink), Remote::part_bytes(expected))
            }
        };
        Ok(ResumableStream::new(sink, progress, expected, step))
    }

    /// Removes what a resumable stream left in the storage apart from its object. Succeeds if nothing is
    /// left.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn discard(&self, stream: ResumableId, progress: &Progress) -> Result<(), StorageError> {
        match &*self.backend {
            Backend::Local(local) => local.discard(stream).await,
            Backend::Remote(remote) => remote.discard(stream, progress).await,
        }
    }

    /// Stores a small object that is already in memory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), StorageError> {
        measured("put", self.put_unmeasured(key, bytes)).await
    }

    async fn put_unmeasured(&self, key: &Key, bytes: Bytes) -> Result<(), StorageError> {
        if let Backend::Remote(remote) = &*self.backend {
            return remote.put(key, bytes).await;
        }
        let len = bytes.len() as u64;
        let whole = stream::once(async move { Ok::<_, std::convert::Infallible>(bytes) });
        match self.receive(key, len, whole).await {
            Ok(staged) => staged.commit().await.map(|_| ()),
            Err(ReceiveError::Storage(error)) => Err(error),
            // A stream of one chunk in memory has the expected length and cannot break.
            Err(_) => Err(StorageError::Stopped),
        }
    }

    /// Opens an object or a range of it.
    ///
    /// # Errors
    /// [`StorageError::Missing`], [`StorageError::OutsideObject`] for a range beyond the end, and disk and
    /// network errors.
    pub async fn open_object(&self, key: &Key, range: Option<ByteRange>) -> Result<Object, StorageError> {
        measured("open", async {
            match &*self.backend {
                Backend::Local(local) => local.open_object(key, range).await,
                Backend::Remote(remote) => match &self.cache {
                    Some(cache) => cache.open_object(remote, key, range).await,
                    None => remote.open_object(key, range).await,
                },
            }
        })
        .await
    }

    /// Returns the length of an object without reading it.
    ///
    /// # Errors
    /// [`StorageError::Missing`], and disk and network errors.
    pub async fn stat(&self, key: &Key) -> Result<u64, StorageError> {
        measured("stat", async {
            match &*self.backend {
                Backend::Local(local) => local.stat(key).await,
                Backend::Remote(remote) => remote.stat(key).await,
            }
        })
        .await
    }

    /// Returns true if the object exists.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn exists(&self, key: &Key) -> Result<bool, StorageError> {
        match self.stat(key).await {
            Ok(_) => Ok(true),
            Err(StorageError::Missing) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes an object. Succeeds if it does not exist.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        let deleted = measured("delete", async {
            match &*self.backend {
                Backend::Local(local) => local.delete(key).await,
                Backend::Remote(remote) => remote.delete(key).await,
            }
        })
        .await;
        if let Some(cache) = &self.cache {
            cache.forget(key);
        }
        deleted
    }

    /// Removes every file of a content item.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn delete_content(&self, org: OrgId, content: ContentId) -> Result<(), StorageError> {
        self.delete_prefix(&Key::content_folder(org, content)).await
    }

    /// Removes every file of one processing run of a content item. Succeeds if there are none.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn delete_rendition(
        &self,
        org: OrgId,
        content: ContentId,
        rendition: RunId,
    ) -> Result<(), StorageError> {
        self.delete_prefix(&Key::rendition_folder(org, content, rendition)).await
    }

    /// Returns the path of an object's file if objects are files on this machine. The file must only be read.
    pub fn local_path(&self, key: &Key) -> Option<PathBuf> {
        match &*self.backend {
            Backend::Local(local) => Some(local.path(key)),
            Backend::Remote(_) => None,
        }
    }

    /// Makes an object available at a path of this machine that does not exist yet. The file must only be
    /// read: it may be a hard link to the stored file.
    ///
    /// # Errors
    /// [`StorageError::Missing`], and disk and network errors.
    pub async fn fetch_to(&self, key: &Key, path: &Path) -> Result<(), StorageError> {
        measured("fetch", async {
            match &*self.backend {
                Backend::Local(local) => local.fetch_to(key, path).await,
                Backend::Remote(remote) => remote.fetch_to(key, path).await,
            }
        })
        .await
    }

    /// Lists every object, in no particular order and without holding all of them in memory. Streams still
    /// being received are not listed. Ends after the first error.
    pub fn list(&self) -> BoxStream<'static, Result<ListedObject, StorageError>> {
        match &*self.backend {
            Backend::Local(local) => local.list(),
            Backend::Remote(remote) => remote.list(),
        }
    }

    /// Lists the objects in a folder of keys, such as [`Key::rendition_folder`], in no particular order.
    pub fn list_folder(&self, folder: &str) -> BoxStream<'static, Result<ListedObject, StorageError>> {
        match &*self.backend {
            Backend::Local(local) => local.list_folder(folder),
            Backend::Remote(remote) => remote.list_folder(folder),
        }
    }

    /// Lists the segments of the archive of events, in no particular order.
    pub fn list_events(&self) -> BoxStream<'static, Result<ListedObject, StorageError>> {
        match &*self.backend {
            Backend::Local(local) => local.list_events(),
            Backend::Remote(remote) => remote.list_events(),
        }
    }

    /// Lists the parts of all backups, in no particular order.
    pub fn list_backups(&self) -> BoxStream<'static, Result<ListedPart, StorageError>> {
        as_parts(match &*self.backend {
            Backend::Local(local) => local.list_backups(),
            Backend::Remote(remote) => remote.list_backups(),
        })
    }

    /// Removes every part of a backup. Succeeds if there are none.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn delete_backup(&self, backup: &Name) -> Result<(), StorageError> {
        self.delete_prefix(&Key::backup_folder(backup)).await
    }

    async fn delete_prefix(&self, prefix: &str) -> Result<(), StorageError> {
        let deleted = match &*self.backend {
            Backend::Local(local) => local.delete_prefix(prefix).await,
            Backend::Remote(remote) => remote.delete_prefix(prefix).await,
        };
        if let Some(cache) = &self.cache {
            cache.forget_prefix(prefix);
        }
        deleted
    }

    /// Removes what interrupted streams left behind, if they began longer than `age` ago, and returns how
    /// many. Resumable streams whose ids are in `kept` are left alone. Open multipart uploads are ended by
    /// the bucket's lifecycle rule instead.
    ///
    /// # Errors
    /// Disk and network errors.
    pub async fn sweep(&self, age: Millis, kept: HashSet<ResumableId>) -> Result<u64, StorageError> {
        let before = self.ambient.now() - age;
        match &*self.backend {
            Backend::Local(local) => local.sweep(before, kept).await,
            Backend::Remote(remote) => remote.sweep(before, kept).await,
        }
    }
}
