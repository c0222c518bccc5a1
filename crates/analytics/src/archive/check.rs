//! Checks that every segment is in the storage, and that nothing else is in the archive.

use futures::TryStreamExt as _;
use kernel::{DAY, Finding};
use storage::StorageError;

use super::{ArchiveError, segment};
use crate::Analytics;
use crate::store::segments::{self, SegmentRow};

/// Segments read in one query.
const PAGE: u64 = 200;

impl Analytics {
    /// Checks the segments of the archive against the storage; `deep` reads them. Changes nothing.
    ///
    /// # Errors
    /// Fails if the storage or the database does not answer.
    pub async fn verify_archive(&self, deep: bool) -> Result<Vec<Finding>, ArchiveError> {
        let (mut found, mut after) = (Vec::new(), 0);
        loop {
            let page = segments::page(self.deps.db.read(), after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.number;
            for segment in &page {
                if let Some(what) = self.problem(segment, deep).await? {
                    found.push(Finding::new("segment", "event_segment", segment.key()?, what));
                }
            }
        }
        let (mut objects, mut bytes, mut first) = (0_u64, 0, None);
        let mut orphans = Box::pin(self.orphaned_segments(DAY));
        while let Some(orphan) = orphans.try_next().await? {
            objects += 1;
            bytes += orphan.len;
            first.get_or_insert(orphan.key);
        }
        if let Some(first) = first {
            let what =
                format!("{objects} objects with {bytes} bytes belong to no segment; this is one of them");
            found.push(Finding::new("segment_orphans", "storage", first, what));
        }
        Ok(found)
    }

    /// Returns what is wrong with a segment.
    async fn problem(&self, segment: &SegmentRow, deep: bool) -> Result<Option<String>, ArchiveError> {
        let Some(archive) = &self.archive else { return Ok(None) };
        let key = segment.key()?;
        let len = match archive.segments.length(&key).await {
            Ok(len) => len,
            // It may have been removed since the rows were read.
            Err(StorageError::Missing) => {
                let known = segments::page(self.deps.db.read(), segment.number - 1, 1).await?;
                let is_known = known.first().is_some_and(|first| first.number == segment.number);
                return Ok(is_known.then(|| "is missing in the storage".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        if len != segment.bytes {
            return Ok(Some(format!("has {len} bytes in the storage, not {}", segment.bytes)));
        }
        if !deep {
            return Ok(None);
        }
        let is_same = match segment::read_back(&*archive.segments, &key).await {
            Ok((sha256, _)) => sha256 == segment.sha256,
            Err(ArchiveError::Io(_)) => false,
            Err(error) => return Err(error),
        };
        Ok((!is_same).then(|| "has another SHA-256 than when it was stored".to_owned()))
    }
}
