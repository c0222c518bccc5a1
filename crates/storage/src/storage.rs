//! The handle of the storage: one API over a folder and a bucket.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use futures::stream::{self, BoxStream};
use kernel::{Ambient, Millis, Uid};

use crate::local::Local;
use crate::receive::{self, ReceiveError, Sink, Staged};
use crate::remote::Remote;
use crate::resume::{Appending, Bucket, Part, Progress};
use crate::settings::Place;
use crate::{ByteRange, Key, StorageError, StorageSettings, Stored, free_bytes};

/// Bytes of a stream in a folder after which they are kept: what a crash may cost at most.
const KEEP_BYTES: u64 = 32 * 1024 * 1024;

/// A stored object that is being read.
pub struct Object {
    /// Bytes of the whole object.
    pub len: u64,
    /// The bytes that [`Self::stream`] gives.
    pub range: Range<u64>,
    /// The bytes, in large chunks; nothing is read before it is asked for them.
    pub stream: BoxStream<'static, Result<Bytes, StorageError>>,
    /// The file they are a part of, when they lie in one on this machine. It never changes.
    pub file: Option<Arc<File>>,
}

/// Objects on local disk or S3. Cloning shares the handle.
#[derive(Clone)]
pub struct Storage {
    place: Arc<Backend>,
    ambient: Ambient,
    reserve_bytes: u64,
}

enum Backend {
    Local(Local),
    Remote(Remote),
}

impl Storage {
    /// Opens the storage that the settings name; a folder is made when it is not there.
    ///
    /// # Errors
    /// When the settings are wrong or the folder cannot be made.
    pub fn open(settings: &StorageSettings, data_dir: &Path, ambient: Ambient) -> Result<Self, StorageError> {
        settings.check().map_err(StorageError::Settings)?;
        let place = match settings.place(data_dir)? {
            Place::Folder(root) => Backend::Local(Local::open(&root)?),
            Place::Bucket { bucket, prefix } => Backend::Remote(Remote::open(settings, &bucket, prefix)?),
        };
        Ok(Self { place: Arc::new(place), ambient, reserve_bytes: settings.reserve_bytes })
    }

    /// Over any object store: for tests of the code that S3 uses.
    pub fn over(store: Arc<dyn Bucket>, ambient: Ambient) -> Self {
        let place = Backend::Remote(Remote::over(Arc::clone(&store), store, String::new()));
        Self { place: Arc::new(place), ambient, reserve_bytes: 0 }
    }

    /// Whether the storage answers: for readiness.
    ///
    /// # Errors
    /// When it does not.
    pub async fn check(&self) -> Result<(), StorageError> {
        match &*self.place {
            Backend::Local(local) => Ok(local.check()?),
            Backend::Remote(remote) => remote.check().await,
        }
    }

    /// The same storage with another reserve.
    #[must_use]
    pub fn with_reserve(&self, reserve_bytes: u64) -> Self {
        Self { reserve_bytes, ..self.clone() }
    }

    /// Whether `bytes` more on the disk of the objects would leave less than the settings' reserve; never for a
    /// bucket, whose room nobody knows.
    ///
    /// # Errors
    /// When the disk cannot be looked at.
    pub fn is_short_of(&self, bytes: u64) -> Result<bool, StorageError> {
        match &*self.place {
            Backend::Local(local) => self.is_short_of_at(local.root(), bytes),
            Backend::Remote(_) => Ok(false),
        }
    }

    /// The same for the disk of another path.
    ///
    /// # Errors
    /// As [`Self::is_short_of`].
    pub fn is_short_of_at(&self, path: &Path, bytes: u64) -> Result<bool, StorageError> {
        Ok(free_bytes(path)? < self.reserve_bytes.saturating_add(bytes) && self.reserve_bytes > 0)
    }

    /// Fails with [`StorageError::Full`] if a file of `size` bytes would leave less of the disk free than the reserve.
    ///
    /// # Errors
    /// [`StorageError::Full`]; when the disk cannot be looked at.
    pub fn check_space(&self, size: u64) -> Result<(), StorageError> {
        if self.is_short_of(size)? { Err(StorageError::Full) } else { Ok(()) }
    }

    /// Takes in a stream of exactly `expected` bytes, hashing on the way. The result is safe on the disk and
    /// visible to nobody before [`Staged::commit`]; dropping it, or this future, leaves nothing behind. At
    /// most two pieces of about 1 MiB are in memory (with S3, three parts of 8 MiB).
    ///
    /// # Errors
    /// When the stream is shorter or longer, breaks, or cannot be written.
    pub async fn receive<S, E>(&self, key: &Key, expected: u64, stream: S) -> Result<Staged, ReceiveError>
    where
        S: Stream<Item = Result<Bytes, E>> + Send,
        E: Display,
    {
        let sink = match &*self.place {
            Backend::Local(local) => Sink::Local(local.stage(key, self.ambient.uid()).await?),
            Backend::Remote(remote) => Sink::Remote(remote.stage(key, expected).await?),
        };
        receive::receive(sink, expected, stream).await
    }

    /// Goes on with a stream of `expected` bytes that comes in several requests. `place` is its id, always the
    /// same and never another stream's; `progress` what was written down last, or [`Progress::none`].
    ///
    /// # Errors
    /// [`StorageError::Busy`] while somebody else goes on with it (in a bucket nobody knows);
    /// [`StorageError::Missing`] when what was kept is gone; disk and network.
    pub async fn resume(
        &self,
        place: Uid,
        expected: u64,
        progress: Progress,
    ) -> Result<Appending, StorageError> {
        let ambient = self.ambient.clone();
        let (part, step) = match &*self.place {
            Backend::Local(local) => {
                (Part::Folder(local.resume(place, ambient.uid(), &progress).await?), KEEP_BYTES)
            }
            Backend::Remote(remote) => {
                let part = remote.resume(place, ambient, expected, &progress).await?;
                (Part::Bucket(part), remote.part_bytes(expected))
            }
        };
        Ok(Appending::new(part, progress, expected, step))
    }

    /// Removes what such a stream left beside its key, however it ended; there being nothing is no error.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn discard(&self, place: Uid, progress: &Progress) -> Result<(), StorageError> {
        match &*self.place {
            Backend::Local(local) => local.discard(place).await,
            Backend::Remote(remote) => remote.discard(place, progress).await,
        }
    }

    /// Stores a small object that is in memory already.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), StorageError> {
        if let Backend::Remote(remote) = &*self.place {
            return remote.put(key, bytes).await;
        }
        let len = bytes.len() as u64;
        let whole = stream::once(async move { Ok::<_, std::convert::Infallible>(bytes) });
        match self.receive(key, len, whole).await {
            Ok(staged) => staged.commit().await.map(|_| ()),
            Err(ReceiveError::Storage(error)) => Err(error),
            // A stream of one known piece has its length and cannot break.
            Err(_) => Err(StorageError::Stopped),
        }
    }

    /// The object, or a range of it.
    ///
    /// # Errors
    /// [`StorageError::Missing`]; [`StorageError::OutsideObject`] for a range behind its end; disk and network.
    pub async fn open_object(&self, key: &Key, range: Option<ByteRange>) -> Result<Object, StorageError> {
        match &*self.place {
            Backend::Local(local) => local.open_object(key, range).await,
            Backend::Remote(remote) => remote.open_object(key, range).await,
        }
    }

    /// Bytes of an object, without reading it.
    ///
    /// # Errors
    /// [`StorageError::Missing`]; disk and network.
    pub async fn stat(&self, key: &Key) -> Result<u64, StorageError> {
        match &*self.place {
            Backend::Local(local) => local.stat(key).await,
            Backend::Remote(remote) => remote.stat(key).await,
        }
    }

    /// Whether there is an object.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn exists(&self, key: &Key) -> Result<bool, StorageError> {
        match self.stat(key).await {
            Ok(_) => Ok(true),
            Err(StorageError::Missing) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes an object; there being none is no error.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        match &*self.place {
            Backend::Local(local) => local.delete(key).await,
            Backend::Remote(remote) => remote.delete(key).await,
        }
    }

    /// Removes every file of one content.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn delete_content(&self, org: Uid, content: Uid) -> Result<(), StorageError> {
        let prefix = Key::content_folder(org, content);
        match &*self.place {
            Backend::Local(local) => local.delete_below(&prefix).await,
            Backend::Remote(remote) => remote.delete_below(&prefix).await,
        }
    }

    /// Removes every file of one making of a content; there being none is no error.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn delete_rendition(&self, org: Uid, content: Uid, set: Uid) -> Result<(), StorageError> {
        let prefix = Key::rendition_folder(org, content, set);
        match &*self.place {
            Backend::Local(local) => local.delete_below(&prefix).await,
            Backend::Remote(remote) => remote.delete_below(&prefix).await,
        }
    }

    /// The object's file, when objects are files of this machine. It must only be read.
    pub fn local_path(&self, key: &Key) -> Option<PathBuf> {
        match &*self.place {
            Backend::Local(local) => Some(local.path(key)),
            Backend::Remote(_) => None,
        }
    }

    /// Puts the object at a path of this machine that does not exist yet, to be read only: it may be a second
    /// name of the stored file itself.
    ///
    /// # Errors
    /// [`StorageError::Missing`]; disk and network.
    pub async fn fetch_to(&self, key: &Key, path: &Path) -> Result<(), StorageError> {
        match &*self.place {
            Backend::Local(local) => local.fetch_to(key, path).await,
            Backend::Remote(remote) => remote.fetch_to(key, path).await,
        }
    }

    /// Lists every object, in no order and without holding all of them in memory. Streams that are coming in are no
    /// objects yet. Ends after the first error.
    pub fn list(&self) -> BoxStream<'static, Result<Stored, StorageError>> {
        match &*self.place {
            Backend::Local(local) => local.list(),
            Backend::Remote(remote) => remote.list(),
        }
    }

    /// Removes what streams left behind that broke with their process, when they began longer than `age` ago.
    /// Streams that come in several requests are left alone while their ids are in `kept`. Returns how many.
    /// Open multipart uploads of a bucket are ended by its lifecycle rule.
    ///
    /// # Errors
    /// Disk and network.
    pub async fn sweep(&self, age: Millis, kept: HashSet<Uid>) -> Result<u64, StorageError> {
        let before = self.ambient.now() - age;
        match &*self.place {
            Backend::Local(local) => local.sweep(before, kept).await,
            Backend::Remote(remote) => remote.sweep(before, kept).await,
        }
    }
}
