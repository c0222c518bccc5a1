//! A stream that goes on in a file of the staging folder. The file's lock keeps every other process away from
//! it until the stream has been let go.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use kernel::Uid;
use tokio::task::spawn_blocking;

use crate::batch::Piece;
use crate::local::{Local, make_folders, none_is_fine, sync_folder, write_piece};
use crate::receive::Lane;
use crate::{StorageError, resume::Progress};

/// The file and where it belongs.
pub(crate) struct FolderPart {
    file: Lane<File>,
    /// Bytes that were kept.
    kept: u64,
    staged: PathBuf,
    /// A second name on the way to the target.
    second: PathBuf,
    root: PathBuf,
    target: PathBuf,
}

impl Local {
    /// Goes on with the file of `place` where it was kept; what came after that is cut off.
    pub(crate) async fn resume(
        &self,
        place: Uid,
        fresh: Uid,
        progress: &Progress,
    ) -> Result<FolderPart, StorageError> {
        let (staged, len) = (self.staged(place), progress.len);
        let path = staged.clone();
        let file = spawn_blocking(move || open(&path, len)).await??;
        Ok(FolderPart {
            file: Lane::new(file),
            kept: len,
            staged,
            second: self.staged(fresh),
            root: self.root().to_owned(),
            target: self.root().join(&progress.key),
        })
    }

    /// Removes what is left of a stream; there being nothing is no error.
    pub(crate) async fn discard(&self, place: Uid) -> Result<(), StorageError> {
        let staged = self.staged(place);
        Ok(spawn_blocking(move || none_is_fine(fs::remove_file(staged))).await??)
    }
}

fn open(path: &Path, len: u64) -> Result<File, StorageError> {
    let begins = len == 0;
    let opened = OpenOptions::new().write(true).create(begins).truncate(false).mode(0o644).open(path);
    let mut file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StorageError::Missing,
        _ => error.into(),
    })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StorageError::Busy),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    if file.metadata()?.len() < len {
        return Err(StorageError::Missing);
    }
    file.set_len(len)?;
    file.seek(SeekFrom::Start(len))?;
    if begins && let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(file)
}

impl FolderPart {
    pub(crate) async fn write(&mut self, piece: Piece) -> Result<(), StorageError> {
        self.file.run(move |file| write_piece(file, &piece)).await
    }

    /// Waits until nothing is being written, and gives the space of what was not kept back.
    pub(crate) async fn rest(&mut self) {
        let (file, kept) = (self.file.take().await, self.kept);
        if let Ok(file) = file
            && let Ok(Err(error)) = spawn_blocking(move || file.set_len(kept)).await
        {
            tracing::warn!(%error, "a staged file could not be cut to what was kept; the next request does that");
        }
    }

    /// Waits until every byte is on the disk.
    pub(crate) async fn keep(&mut self) -> Result<(), StorageError> {
        self.file.run(|file| file.sync_data()).await?;
        let mut file = self.file.take().await?;
        self.kept = file.stream_position()?;
        self.file = Lane::new(file);
        Ok(())
    }

    /// Gives the file its place and leaves it where it was besides: should the process die before a row names
    /// the place, the stream goes on as if nothing had been.
    pub(crate) async fn commit(&mut self) -> Result<(), StorageError> {
        let (staged, second) = (self.staged.clone(), self.second.clone());
        let (root, target) = (self.root.clone(), self.target.clone());
        Ok(spawn_blocking(move || place(&staged, &second, &root, &target)).await??)
    }
}

fn place(staged: &Path, second: &Path, root: &Path, target: &Path) -> io::Result<()> {
    let folder = target.parent().unwrap_or(root);
    make_folders(root, folder)?;
    match fs::hard_link(staged, second) {
        Ok(()) => fs::rename(second, target)?,
        // A file system where a file has one name only: such a crash costs the stream.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) =>
        {
            fs::rename(staged, target)?;
        }
        Err(error) => return Err(error),
    }
    // Two names of one file are not renamed onto each other: the second one stays.
    none_is_fine(fs::remove_file(second))?;
    sync_folder(folder)
}
