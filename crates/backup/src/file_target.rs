//! A tar file or a folder that a backup is written to. It gets its name when it is complete.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use crate::Error;
use crate::part::SpooledPart;

/// Size of a block of a tar file.
pub(crate) const BLOCK: u64 = 512;
/// Beginning of the name of an incomplete backup.
const PARTIAL: &str = ".vitrine-backup-";
const BUFFER: usize = 1024 * 1024;

/// An incomplete backup. Dropping it removes it.
pub(crate) struct FileTarget {
    path: PathBuf,
    parent: PathBuf,
    form: Form,
}

enum Form {
    Tar(BufWriter<NamedTempFile>),
    Folder(TempDir, Option<BufWriter<File>>),
}

impl FileTarget {
    /// Begins a backup: in a folder if the path ends with a slash or is an empty folder, otherwise as a tar
    /// file.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with('/');
        let path: PathBuf = path.components().collect();
        let is_empty = || fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none());
        if fs::symlink_metadata(&path).is_ok() && !(is_folder && is_empty()) {
            return Err(Error::TargetExists(path));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).to_owned();
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(PARTIAL);
        let form = if is_folder {
            builder.tempdir_in(&parent).map(|folder| Form::Folder(folder, None))
        } else {
            builder.tempfile_in(&parent).map(|file| Form::Tar(BufWriter::with_capacity(BUFFER, file)))
        };
        let form = form.map_err(|error| Error::Write(path.clone(), error))?;
        Ok(Self { path, parent, form })
    }

    /// Returns the folder for temporary files.
    pub(crate) fn spool(&self) -> &Path {
        &self.parent
    }

    fn failed(&self) -> impl Fn(io::Error) -> Error + use<> {
        let path = self.path.clone();
        move |error| Error::Write(path.clone(), error)
    }

    /// Begins an entry of `len` bytes.
    pub(crate) fn begin(&mut self, name: &str, len: u64) -> Result<(), Error> {
        let failed = self.failed();
        let begun = match &mut self.form {
            Form::Tar(out) => header(name, len).and_then(|header| out.write_all(header.as_bytes())),
            Form::Folder(folder, open) => {
                let path = folder.path().join(name);
                let parent = path.parent().unwrap_or(folder.path());
                DirBuilder::new().recursive(true).mode(0o700).create(parent).and_then(|()| {
                    *open = Some(BufWriter::with_capacity(BUFFER, File::create_new(&path)?));
                    Ok(())
                })
            }
        };
        begun.map_err(failed)
    }

    /// Writes bytes of the entry.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let failed = self.failed();
        let written = match &mut self.form {
            Form::Tar(out) => out.write_all(bytes),
            Form::Folder(_, open) => open.as_mut().map_or(Ok(()), |file| file.write_all(bytes)),
        };
        written.map_err(failed)
    }

    /// Ends the entry, whose length is that of its beginning.
    pub(crate) fn end(&mut self, len: u64) -> Result<(), Error> {
        let failed = self.failed();
        let ended = match &mut self.form {
            Form::Tar(out) => out.write_all(&vec![0; padding(len)]),
            Form::Folder(_, open) => open.take().map_or(Ok(()), |mut file| file.flush()),
        };
        ended.map_err(failed)
    }

    /// Removes an entry that is not part of the backup after all. In a tar file it stays, and a restore skips
    /// it.
    pub(crate) fn forget(&self, name: &str) -> Result<(), Error> {
        match &self.form {
            Form::Tar(_) => Ok(()),
            Form::Folder(folder, _) => fs::remove_file(folder.path().join(name)).map_err(self.failed()),
        }
    }

    /// Writes a whole part.
    pub(crate) fn part(&mut self, name: &str, part: &mut SpooledPart) -> Result<(), Error> {
        self.begin(name, part.len)?;
        part.file.seek(SeekFrom::Start(0)).map_err(self.failed())?;
        let failed = self.failed();
        let copied = match &mut self.form {
            Form::Tar(out) => io::copy(&mut part.file, out),
            Form::Folder(_, Some(file)) => io::copy(&mut part.file, file),
            Form::Folder(_, None) => Ok(0),
        };
        copied.map_err(failed)?;
        self.end(part.len)
    }

    /// Makes the backup durable and gives it its name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let (failed, path, parent) = (self.failed(), self.path, self.parent);
        let finished = match self.form {
            Form::Tar(mut out) => out.write_all(&[0; 2 * BLOCK as usize]).and_then(|()| {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist_noclobber(&path).map_err(|error| error.error)?;
                Ok(())
            }),
            Form::Folder(folder, _) => File::open(folder.path()).and_then(|open| {
                rustix::fs::syncfs(&open)?;
                // Replaces an empty folder only.
                fs::rename(folder.path(), &path)?;
                let _ = folder.keep();
                Ok(())
            }),
        };
        finished.and_then(|()| File::open(parent)?.sync_all()).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => Error::TargetExists(path),
            _ => failed(error),
        })
    }
}

/// Returns the number of bytes that fill the last block of an entry.
fn padding(len: u64) -> usize {
    (len.next_multiple_of(BLOCK) - len) as usize
}

fn header(name: &str, len: u64) -> io::Result<tar::Header> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(len);
    header.set_mode(0o600);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_key_fits_into_a_header() {
        let id = "0".repeat(32);
        let name = format!("objects/content/{id}/{id}/made-{id}/{}", "n".repeat(80));
        assert_eq!(header(&name, 9 << 40).unwrap().path().unwrap().to_str(), Some(name.as_str()));
        assert_eq!(header(&name, 9 << 40).unwrap().size().unwrap(), 9 << 40);
    }

    #[test]
    fn an_incomplete_backup_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.tar", "b/"] {
            let mut target = FileTarget::create(&folder.path().join(name)).unwrap();
            target.begin("tables/t", 3).unwrap();
            target.write(b"abc").unwrap();
            drop(target);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        File::create(folder.path().join("a.tar")).unwrap();
        assert!(matches!(FileTarget::create(&folder.path().join("a.tar")), Err(Error::TargetExists(_))));
    }
}
