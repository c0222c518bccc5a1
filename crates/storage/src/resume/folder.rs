//! A resumable stream in a file of the staging folder. A file lock keeps other processes from appending to it
//! until the stream is released.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, SeekFrom};
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use kernel::{ResumableId, Uid};
use tokio::task::spawn_blocking;

use crate::batch::Chunk;
use crate::blocking::BlockingWorker;
use crate::local::{Local, ignore_not_found, make_folders, sync_folder, write_chunk};
use crate::{StorageError, resume::Progress};

/// The staged file and its target.
pub(crate) struct FolderSink {
    file: BlockingWorker<LockedFile>,
    /// Bytes that are safely on disk.
    kept: u64,
    staged: PathBuf,
    /// A second hard link to the file, which is then renamed to the target.
    second: PathBuf,
    root: PathBuf,
    target: PathBuf,
}

impl Local {
    /// Continues the staged file at the saved length. Anything beyond it is cut off.
    pub(crate) async fn resume(
        &self,
        stream: ResumableId,
        second: Uid,
        progress: &Progress,
    ) -> Result<FolderSink, StorageError> {
        let (staged, len) = (self.staged(stream), progress.len);
        let path = staged.clone();
        let file = spawn_blocking(move || open(&path, len)).await??;
        Ok(FolderSink {
            file: BlockingWorker::new(file),
            kept: len,
            staged,
            second: self.staged(second),
            root: self.root().to_owned(),
            target: self.root().join(&progress.key),
        })
    }

    /// Removes what is left of a stream. Succeeds if nothing is left.
    pub(crate) async fn discard(&self, stream: ResumableId) -> Result<(), StorageError> {
        let staged = self.staged(stream);
        Ok(spawn_blocking(move || ignore_not_found(fs::remove_file(staged))).await??)
    }
}

/// A file whose lock ends with it. Closing the file would not end the lock at once: a process that is being started has a
/// copy of each open file for a moment.
struct LockedFile(File);

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "a staged file could not be unlocked; it will be once no process has it open");
        }
    }
}

fn open(path: &Path, len: u64) -> Result<LockedFile, StorageError> {
    let is_new = len == 0;
    let opened = OpenOptions::new().write(true).create(is_new).truncate(false).mode(0o644).open(path);
    let file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StorageError::Missing,
        _ => error.into(),
    })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StorageError::Busy),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    let mut file = LockedFile(file);
    if file.metadata()?.len() < len {
        return Err(StorageError::Missing);
    }
    file.set_len(len)?;
    file.seek(SeekFrom::Start(len))?;
    if is_new && let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(file)
}

impl FolderSink {
    pub(crate) async fn write(&mut self, chunk: Chunk) -> Result<(), StorageError> {
        self.file.run(move |file| write_chunk(file, &chunk)).await
    }

    /// Waits for pending writes and truncates the file to what was kept, which frees the space of the rest.
    pub(crate) async fn truncate(&mut self) {
        let (file, kept) = (self.file.take().await, self.kept);
        if let Ok(file) = file
            && let Ok(Err(error)) = spawn_blocking(move || file.set_len(kept)).await
        {
            tracing::warn!(%error, "a staged file could not be truncated to what was kept; the next request will do it");
        }
    }

    /// Waits until every byte is on disk.
    pub(crate) async fn keep(&mut self) -> Result<(), StorageError> {
        self.file.run(|file| file.sync_data()).await?;
        let mut file = self.file.take().await?;
        self.kept = file.stream_position()?;
        self.file = BlockingWorker::new(file);
        Ok(())
    }

    /// Links the file to its target and leaves the staged name in place: if the process dies before a
    /// database row refers to the target, the stream can still be resumed.
    pub(crate) async fn commit(&mut self) -> Result<(), StorageError> {
        let (staged, second) = (self.staged.clone(), self.second.clone());
        let (root, target) = (self.root.clone(), self.target.clone());
        Ok(spawn_blocking(move || link_to_target(&staged, &second, &root, &target)).await??)
    }
}

fn link_to_target(staged: &Path, second: &Path, root: &Path, target: &Path) -> io::Result<()> {
    let folder = target.parent().unwrap_or(root);
    make_folders(root, folder)?;
    match fs::hard_link(staged, second) {
        Ok(()) => fs::rename(second, target)?,
        // This file system has no hard links, so a crash at this point loses the stream.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) =>
        {
            fs::rename(staged, target)?;
        }
        Err(error) => return Err(error),
    }
    // Renaming one hard link onto another of the same file does nothing, so the second link may still exist.
    ignore_not_found(fs::remove_file(second))?;
    sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_ends_with_its_file_even_if_a_process_that_is_being_started_has_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("staged");
        let file = open(&path, 0).unwrap();
        let copy = file.try_clone().unwrap();
        assert!(matches!(open(&path, 0), Err(StorageError::Busy)));
        drop(file);
        assert!(open(&path, 0).is_ok());
        drop(copy);
    }
}
