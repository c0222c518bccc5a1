//! A segment of the archive: compressed lines of the events of one organisation and one UTC day.

use std::io::{self, Read as _};

use bytes::Bytes;
use kernel::{OrgId, ViewerId};
use sha2::{Digest as _, Sha256};
use storage::Key;
use zstd::stream::{read, write};

use super::lines::{self, Received};
use super::{ArchiveError, EventArchive};
use crate::raw::RawEvents;
use crate::store::segments::StoredBatch;

/// Compression level: beyond 3, each step costs more time than it saves space.
const LEVEL: i32 = 3;
/// A segment ends after one of these. Memory is bounded by them and by a page of requests.
const BYTES_MAX: usize = 8 * 1024 * 1024;
const PLAIN_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Names of viewers for the archive. A named viewer gets another name on each UTC day, so that nothing in the archive
/// belongs to a person for longer than a day. The salt is in memory only, so no one can tell later whose names they were.
pub struct DayNames([u8; 32]);

impl DayNames {
    pub fn new(salt: [u8; 32]) -> Self {
        Self(salt)
    }

    /// Returns the name of the day for a viewer who has one that lasts longer.
    fn of(&self, org: OrgId, viewer: ViewerId, day: i64) -> ViewerId {
        let mut digest = Sha256::new_with_prefix(self.0);
        digest.update(org.as_bytes());
        digest.update(viewer.as_bytes());
        digest.update(day.to_be_bytes());
        let digest: [u8; 32] = digest.finalize().into();
        let (half, _) = digest.split_at(16);
        ViewerId::from_slice(half).unwrap_or(ViewerId::nil())
    }
}

/// A segment while requests are added to it.
pub struct SegmentWriter {
    out: write::Encoder<'static, Vec<u8>>,
    plain: Vec<u8>,
    plain_bytes: u64,
    requests: u64,
    lines: u64,
}

/// A complete segment.
pub struct Segment {
    pub bytes: Bytes,
    pub requests: u64,
    pub lines: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
}

impl SegmentWriter {
    pub fn new() -> io::Result<Self> {
        let out = write::Encoder::new(Vec::new(), LEVEL)?;
        Ok(Self { out, plain: Vec::new(), plain_bytes: 0, requests: 0, lines: 0 })
    }

    /// Adds a request. Returns false, and adds nothing, if its events cannot be read.
    pub fn push(&mut self, org: OrgId, day: &str, batch: &StoredBatch, names: &DayNames) -> io::Result<bool> {
        let Some(events) = RawEvents::read(&batch.events) else { return Ok(false) };
        let viewer = if batch.is_named { names.of(org, batch.viewer, batch.day) } else { batch.viewer };
        let received = Received { org, day, at: batch.received_at, request: batch.number, viewer };
        self.plain.clear();
        match lines::write(&mut self.plain, &received, &events, batch.rejected.as_deref()) {
            Ok(lines) => self.lines += lines,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(false),
            Err(error) => return Err(error),
        }
        io::Write::write_all(&mut self.out, &self.plain)?;
        self.plain_bytes += self.plain.len() as u64;
        self.requests += 1;
        Ok(true)
    }

    pub fn is_full(&self) -> bool {
        self.out.get_ref().len() >= BYTES_MAX || self.plain_bytes >= PLAIN_BYTES_MAX
    }

    pub fn requests(&self) -> u64 {
        self.requests
    }

    pub fn finish(self) -> io::Result<Segment> {
        let bytes = Bytes::from(self.out.finish()?);
        let sha256 = hex::encode(Sha256::digest(&bytes));
        Ok(Segment { bytes, requests: self.requests, lines: self.lines, sha256 })
    }
}

/// Returns the SHA-256 of a stored segment and the number of its lines.
pub async fn read_back(archive: &dyn EventArchive, key: &Key) -> Result<(String, u64), ArchiveError> {
    let chunks = archive.read(key).await?;
    let read = tokio::task::spawn_blocking(move || {
        let bytes = chunks.concat();
        let sha256 = hex::encode(Sha256::digest(&bytes));
        count_lines(&bytes).map(|lines| (sha256, lines))
    });
    Ok(read.await.map_err(io::Error::other)??)
}

fn count_lines(bytes: &[u8]) -> io::Result<u64> {
    let (mut plain, mut page, mut lines) = (read::Decoder::new(bytes)?, vec![0; 64 * 1024], 0);
    loop {
        match plain.read(&mut page)? {
            0 => return Ok(lines),
            read => lines += page[..read].split(|byte| *byte == b'\n').count() as u64 - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_viewer_has_another_name_on_each_day_in_each_organisation_and_run() {
        let (org, viewer) = (OrgId::from_u128(1), ViewerId::from_u128(2));
        let names = DayNames::new([7; 32]);
        let all = [
            names.of(org, viewer, 20_000),
            names.of(org, viewer, 20_001),
            names.of(OrgId::from_u128(3), viewer, 20_000),
            names.of(org, ViewerId::from_u128(3), 20_000),
            DayNames::new([8; 32]).of(org, viewer, 20_000),
            viewer,
        ];
        assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), all.len());
        assert_eq!(names.of(org, viewer, 20_000), all[0]);
    }
}
