//! Reads a tar file that may have been made by anyone: only regular files with the names of a backup.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use crate::Error;
use crate::file_target::BLOCK;
use crate::source::{EntryName, Section};

/// Entries of a tar file, one after the other.
pub(crate) struct TarReader {
    file: Arc<File>,
    len: u64,
    next: u64,
}

impl TarReader {
    pub(crate) fn new(file: Arc<File>) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file, len, next: 0 })
    }

    /// Returns the next entry; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(EntryName, Section)>, Error> {
        loop {
            let Some(header) = self.header()? else { return Ok(None) };
            let size = header.size().map_err(|_| damaged("an entry has no length"))?;
            let (offset, len) = (self.next + BLOCK, size);
            let end = offset.checked_add(len).filter(|end| *end <= self.len);
            let end = end.ok_or_else(|| damaged("the file ends early"))?;
            self.next = end.checked_next_multiple_of(BLOCK).ok_or_else(|| damaged("the file ends early"))?;
            let path = header.path_bytes();
            let name = String::from_utf8_lossy(&path).into_owned();
            if header.entry_type().is_dir() {
                continue;
            }
            if !header.entry_type().is_file() {
                return Err(Error::Foreign(format!("{name:?} is not a regular file")));
            }
            let name = EntryName::parse(&name)?;
            return Ok(Some((name, Section { file: Arc::clone(&self.file), offset, len })));
        }
    }

    /// Reads the header at the current position; `None` at the end.
    fn header(&self) -> Result<Option<tar::Header>, Error> {
        if self.next >= self.len {
            return Ok(None);
        }
        let mut header = tar::Header::new_old();
        let block = header.as_mut_bytes();
        self.file
            .read_exact_at(block, self.next)
            .map_err(|_| damaged("the file ends early, or cannot be read"))?;
        if block.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        // The sum is that of the header with spaces in its place.
        let sum: u32 = block[..148].iter().chain(&block[156..]).map(|byte| u32::from(*byte)).sum();
        let expected = sum + 8 * u32::from(b' ');
        match header.cksum() {
            Ok(found) if found == expected => Ok(Some(header)),
            _ if self.next == 0 => Err(Error::Foreign("it is not a tar file".to_owned())),
            _ => Err(damaged("the header of an entry was changed")),
        }
    }
}

fn damaged(problem: &str) -> Error {
    Error::Damaged(problem.to_owned())
}
