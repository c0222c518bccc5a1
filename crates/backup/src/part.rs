//! Compressed lists of lines, with their number and hash.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek as _, Write as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use zstd::stream::{read, write};

use crate::Error;
use crate::manifest::Part;

/// Compression level: beyond 3, each step costs more time than it saves space.
const LEVEL: i32 = 3;
/// Longest line: the longest text that a row holds is far shorter.
const LINE_MAX: u64 = 64 * 1024 * 1024;
/// Lines are compressed when this many bytes are together.
const BATCH: usize = 64 * 1024;

/// Writes a part into a temporary file.
pub(crate) struct PartWriter {
    out: write::Encoder<'static, BufWriter<File>>,
    hash: Sha256,
    rows: u64,
    batch: Vec<u8>,
}

impl PartWriter {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let out = write::Encoder::new(BufWriter::new(file), LEVEL)?;
        Ok(Self { out, hash: Sha256::new(), rows: 0, batch: Vec::with_capacity(2 * BATCH) })
    }

    pub(crate) fn push(&mut self, row: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.batch, row)?;
        self.batch.push(b'\n');
        self.rows += 1;
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hash.update(&self.batch);
        self.out.write_all(&self.batch)?;
        self.batch.clear();
        Ok(())
    }

    /// Returns the file, at its beginning, with its length and what the manifest says about it.
    pub(crate) fn finish(mut self) -> io::Result<SpooledPart> {
        self.flush()?;
        let mut file = self.out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        let len = file.stream_position()?;
        file.rewind()?;
        Ok(SpooledPart {
            file,
            len,
            part: Part { rows: self.rows, sha256: hex::encode(self.hash.finalize()) },
        })
    }
}

/// A complete part in a temporary file.
pub(crate) struct SpooledPart {
    pub file: File,
    pub len: u64,
    pub part: Part,
}

/// Reads a part, and checks its hash and number of lines at its end.
pub(crate) struct PartReader<'a> {
    name: String,
    lines: BufReader<read::Decoder<'static, BufReader<Box<dyn Read + Send + 'a>>>>,
    hash: Sha256,
    rows: u64,
    expected: Part,
}

impl<'a> PartReader<'a> {
    pub(crate) fn new(name: &str, from: Box<dyn Read + Send + 'a>, expected: Part) -> Result<Self, Error> {
        let name = name.to_owned();
        let lines = BufReader::new(read::Decoder::new(from).map_err(|error| damaged(&name, &error))?);
        Ok(Self { name, lines, hash: Sha256::new(), rows: 0, expected })
    }

    /// Returns the next row; `None` at the end, if everything before was as written.
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        let mut line = Vec::new();
        let mut limited = (&mut self.lines).take(LINE_MAX);
        limited.read_until(b'\n', &mut line).map_err(|error| damaged(&self.name, &error))?;
        if line.is_empty() {
            return self.check().map(|()| None);
        }
        if line.last() != Some(&b'\n') {
            return Err(damaged(&self.name, &"its last line ends early"));
        }
        self.hash.update(&line);
        self.rows += 1;
        serde_json::from_slice(&line).map(Some).map_err(|error| damaged(&self.name, &error))
    }

    fn check(&self) -> Result<(), Error> {
        if self.rows != self.expected.rows {
            let problem = format!("it has {} lines, not {}", self.rows, self.expected.rows);
            return Err(damaged(&self.name, &problem));
        }
        if hex::encode(self.hash.clone().finalize()) != self.expected.sha256 {
            return Err(damaged(&self.name, &"its SHA-256 differs"));
        }
        Ok(())
    }
}

fn damaged(name: &str, problem: &impl std::fmt::Display) -> Error {
    Error::Damaged(format!("{name}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_as_written_and_shows_changes() {
        let mut writer = PartWriter::new(tempfile::tempfile().unwrap()).unwrap();
        for n in 0..30_000 {
            writer.push(&n).unwrap();
        }
        let SpooledPart { mut file, part, .. } = writer.finish().unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let read = |bytes: &[u8], part: Part| {
            let mut reader = PartReader::new("p", Box::new(io::Cursor::new(bytes.to_vec())), part)?;
            let mut rows = Vec::new();
            while let Some(row) = reader.next::<u64>()? {
                rows.push(row);
            }
            Ok::<_, Error>(rows)
        };
        assert!(read(&bytes, part.clone()).unwrap().into_iter().eq(0..30_000));
        assert!(read(&bytes[..bytes.len() / 2], part.clone()).is_err());
        assert!(read(&bytes, Part { rows: 29_999, ..part.clone() }).is_err());
        assert!(read(&bytes, Part { sha256: "00".repeat(32), ..part }).is_err());
    }
}
