//! Objects as files in a folder: `staging/` holds incoming streams, the folders of the keys hold the rest.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, IoSlice, Write as _};
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt as _};
use kernel::{ResumableId, Timestamp, Uid};
use parking_lot::Mutex;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::batch::Chunk;
use crate::blocking::BlockingWorker;
use crate::{ByteRange, Key, Object, Owner, StorageError};

/// Bytes read and sent at once.
const CHUNK: u64 = 512 * 1024;
/// Bytes after which a file is flushed while more of it arrives, so that little is left to flush at the end.
const FLUSH_BYTES: usize = 64 * 1024 * 1024;
const STAGING: &str = "staging";

/// A folder of objects.
pub(crate) struct Local {
    root: PathBuf,
    /// Staged files that this process is writing. The sweep skips them, whatever their age.
    active: Arc<Mutex<HashSet<Uid>>>,
}

impl Local {
    /// Opens the folder and creates it if it does not exist.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        // Other users cannot enter the folder. The files in it are world-readable, so that the media tools,
        // which run as another user, can read the one that is linked into their own folder.
        DirBuilder::new().recursive(true).mode(0o700).create(root)?;
        let root = root.canonicalize()?;
        DirBuilder::new().recursive(true).mode(0o700).create(root.join(STAGING))?;
        sync_folder(&root)?;
        Ok(Self { root, active: Arc::default() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a stream while it is being received.
    pub(crate) fn staged(&self, id: impl Display) -> PathBuf {
        self.root.join(STAGING).join(id.to_string())
    }

    pub(crate) fn path(&self, key: &Key) -> PathBuf {
        self.root.join(key.as_str())
    }

    /// Fails if the folder cannot be used.
    pub(crate) fn check(&self) -> io::Result<()> {
        fs::metadata(self.root.join(STAGING)).map(|_| ())
    }

    /// Creates the staged file of a stream that will be stored under `key`.
    pub(crate) async fn stage(&self, key: &Key, uid: Uid) -> Result<LocalSink, StorageError> {
        let staged = StagedFile::new(self.staged(uid), uid, Arc::clone(&self.active));
        let path = staged.path.clone();
        let (file, flush_file) = spawn_blocking(move || {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?;
            let flush_file = file.try_clone()?;
            Ok::<_, io::Error>((file, flush_file))
        })
        .await??;
        Ok(LocalSink {
            file: BlockingWorker::new(file),
            flush_file: Arc::new(flush_file),
            flush: None,
            unflushed: 0,
            staged,
            root: self.root.clone(),
            target: self.path(key),
        })
    }

    /// Opens an object or a range of it.
    pub(crate) async fn open_object(
        &self,
        key: &Key,
        range: Option<ByteRange>,
    ) -> Result<Object, StorageError> {
        let path = self.path(key);
        let file = match open_cached(&path) {
            Some(file) => file,
            None => spawn_blocking(move || File::open(path)).await?.map_err(missing)?,
        };
        let len = file.metadata()?.len();
        let range = match range {
            None => 0..len,
            Some(requested) => requested.within(len).ok_or(StorageError::OutsideObject { len })?,
        };
        let file = Arc::new(file);
        Ok(Object { len, stream: read_stream(Arc::clone(&file), range.clone()), range, file: Some(file) })
    }

    /// Returns the length of an object.
    pub(crate) async fn stat(&self, key: &Key) -> Result<u64, StorageError> {
        let path = self.path(key);
        let meta = spawn_blocking(move || fs::metadata(path)).await?.map_err(missing)?;
        Ok(meta.len())
    }

    /// Removes an object. Succeeds if it does not exist.
    pub(crate) async fn delete(&self, key: &Key) -> Result<(), StorageError> {
        let path = self.path(key);
        // Days of archived events end. A folder that is not empty stays.
        let day =
            matches!(key.owner(), Some(Owner::Events { .. })).then(|| path.parent().map(Path::to_owned));
        spawn_blocking(move || {
            ignore_not_found(fs::remove_file(path))?;
            if let Some(folder) = day.flatten() {
                let _ = fs::remove_dir(folder);
            }
            Ok(())
        })
        .await?
    }

    /// Removes every object below a prefix of keys.
    pub(crate) async fn delete_prefix(&self, prefix: &str) -> Result<(), StorageError> {
        let path = self.root.join(prefix);
        Ok(spawn_blocking(move || ignore_not_found(fs::remove_dir_all(path))).await??)
    }

    /// Makes an object available at `path` on this machine, as a hard link if possible and as a copy
    /// otherwise.
    pub(crate) async fn fetch_to(&self, key: &Key, path: &Path) -> Result<(), StorageError> {
        let (from, to) = (self.path(key), path.to_owned());
        spawn_blocking(move || match fs::hard_link(&from, &to) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing(error)),
            Err(_) => fs::copy(&from, &to).map(|_| ()).map_err(missing),
        })
        .await?
    }

    /// Removes staged files created before `before`, except those this process is writing and those in
    /// `kept`.
    pub(crate) async fn sweep(
        &self,
        before: Timestamp,
        kept: HashSet<ResumableId>,
    ) -> Result<u64, StorageError> {
        let (folder, active) = (self.root.join(STAGING), Arc::clone(&self.active));
        spawn_blocking(move || {
            let mut swept = 0;
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let uid = entry.file_name().to_str().and_then(|name| name.parse::<Uid>().ok());
                let Some(uid) = uid else { continue };
                let busy = active.lock().contains(&uid);
                if !busy && !kept.contains(&uid.into()) && created_at(uid) < before {
                    ignore_not_found(fs::remove_file(entry.path()))?;
                    swept += 1;
                }
            }
            Ok(swept)
        })
        .await?
    }
}

/// Returns the time at which a UUIDv7 was created.
pub(crate) fn created_at(uid: Uid) -> Timestamp {
    i64::try_from(uid.as_u128() >> 80).map_or(Timestamp::MAX, Timestamp::from_ms)
}

fn missing(error: io::Error) -> StorageError {
    match error.kind() {
        io::ErrorKind::NotFound => StorageError::Missing,
        _ => error.into(),
    }
}

pub(crate) fn ignore_not_found(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Opens a file if the kernel has its folders cached, without waiting for the disk. If it returns `None`, the
/// file must be opened on a blocking thread.
fn open_cached(path: &Path) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED).ok().map(File::from)
}

/// Reads the next bytes of a file. Fails if the file ends early, because its length has already been
/// announced.
fn read_chunk(file: &File, range: &Range<u64>) -> io::Result<Bytes> {
    let size = usize::try_from((range.end - range.start).min(CHUNK)).map_err(io::Error::other)?;
    let mut chunk = vec![0; size];
    file.read_exact_at(&mut chunk, range.start)?;
    Ok(chunk.into())
}

pub(crate) fn read_stream(
    file: Arc<File>,
    range: Range<u64>,
) -> BoxStream<'static, Result<Bytes, StorageError>> {
    stream::try_unfold((file, range), |(file, range)| async move {
        if range.is_empty() {
            return Ok(None);
        }
        let (from, part) = (Arc::clone(&file), range.clone());
        let chunk = spawn_blocking(move || read_chunk(&from, &part)).await??;
        let left = range.start + chunk.len() as u64..range.end;
        Ok(Some((chunk, (file, left))))
    })
    .boxed()
}

/// A file in the staging folder. Dropping it before it reaches its target removes it.
struct StagedFile {
    path: PathBuf,
    uid: Uid,
    active: Arc<Mutex<HashSet<Uid>>>,
    moved: bool,
}

impl StagedFile {
    fn new(path: PathBuf, uid: Uid, active: Arc<Mutex<HashSet<Uid>>>) -> Self {
        active.lock().insert(uid);
        Self { path, uid, active, moved: false }
    }

    /// Moves the file to `target` durably.
    fn move_to(mut self, root: &Path, target: &Path) -> io::Result<()> {
        let folder = target.parent().unwrap_or(root);
        make_folders(root, folder)?;
        fs::rename(&self.path, target)?;
        self.moved = true;
        sync_folder(folder)
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        self.active.lock().remove(&self.uid);
        if !self.moved && ignore_not_found(fs::remove_file(&self.path)).is_err() {
            tracing::warn!(staged = %self.uid, "a staged file could not be removed; the sweep will retry");
        }
    }
}

/// Creates the folders from `root` down to `folder` so that they survive a power failure.
pub(crate) fn make_folders(root: &Path, folder: &Path) -> io::Result<()> {
    if folder.is_dir() || folder == root {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(root);
    make_folders(root, parent)?;
    match DirBuilder::new().mode(0o755).create(folder) {
        Ok(()) => sync_folder(parent),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// A stream being written to a file.
pub(crate) struct LocalSink {
    file: BlockingWorker<File>,
    /// The same open file, for flushing it while it is written.
    flush_file: Arc<File>,
    flush: Option<JoinHandle<io::Result<()>>>,
    unflushed: usize,
    staged: StagedFile,
    root: PathBuf,
    target: PathBuf,
}

impl LocalSink {
    pub(crate) async fn write(&mut self, chunk: Chunk) -> Result<(), StorageError> {
        self.unflushed += chunk.iter().map(Bytes::len).sum::<usize>();
        self.file.run(move |file| write_chunk(file, &chunk)).await?;
        if self.unflushed >= FLUSH_BYTES && self.flush.as_ref().is_none_or(JoinHandle::is_finished) {
            self.wait_for_flush().await?;
            let file = Arc::clone(&self.flush_file);
            self.flush = Some(spawn_blocking(move || file.sync_data()));
            self.unflushed = 0;
        }
        Ok(())
    }

    /// Waits for the flush in progress. Its error matters: the kernel reports a lost write only once.
    async fn wait_for_flush(&mut self) -> Result<(), StorageError> {
        match self.flush.take() {
            Some(flush) => Ok(flush.await??),
            None => Ok(()),
        }
    }

    /// Waits until every byte is on disk.
    pub(crate) async fn finish(&mut self) -> Result<(), StorageError> {
        self.file.run(|file| file.sync_all()).await?;
        self.file = BlockingWorker::new(self.file.take().await?);
        self.wait_for_flush().await
    }

    pub(crate) async fn commit(self) -> Result<(), StorageError> {
        // Runs to completion even if the caller stops waiting.
        Ok(spawn_blocking(move || self.staged.move_to(&self.root, &self.target)).await??)
    }
}

pub(crate) fn write_chunk(file: &mut File, chunk: &[Bytes]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = chunk.iter().map(|frame| IoSlice::new(frame)).collect();
    let mut rest = &mut slices[..];
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match file.write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut rest, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
