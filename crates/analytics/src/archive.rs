//! The archive of events in the storage: what it consists of, how events get there, and how they leave it.
//!
//! The events of an organisation and a UTC day become one or more segments. The row of a segment is inserted before its
//! object is written, and marked as stored after the object was read back; the events are removed after that. So at any
//! point events are in the database, in a stored segment, or in both; the next run finishes what was interrupted.

pub mod check;
mod event_archive;
mod lines;
mod segment;

use std::sync::Arc;

use futures::stream::{Stream, StreamExt as _, TryStreamExt as _};
use kernel::{Clock as _, HOUR, MINUTE, Millis, OrgId, SystemClock};
use sea_orm::{ConnectionTrait, DbErr};
use storage::{Key, ListedObject, Owner, StorageError};

use crate::Analytics;
use crate::definitions::day_of;
use crate::store::segments::{self, NewSegment, Oldest};

pub use event_archive::EventArchive;
use segment::{DayNames, SegmentWriter, read_back};

/// Requests read at once.
const PAGE: i64 = 200;
/// Requests of a segment at most.
const REQUESTS_MAX: u64 = 50_000;
/// How long a run lasts at most, apart from its last segment.
const RUN_MAX: Millis = 10 * MINUTE;
/// Objects looked up in one query.
const LOOKED_UP: usize = 500;
/// Minimum age of an object without a row.
const ORPHAN_MIN_AGE: Millis = HOUR;

/// When events are archived, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveSettings {
    /// Whether events are archived. Segments of before are kept and removed either way.
    pub enabled: bool,
    /// UTC days for which events stay in the database.
    pub after_days: i64,
    /// UTC days for which segments are kept; `None` for ever.
    pub kept_days: Option<i64>,
}

/// The archive, and its settings.
pub struct Archive {
    segments: Box<dyn EventArchive>,
    settings: ArchiveSettings,
}

/// Why something could not be archived.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The storage failed.
    #[error("storage: {0}")]
    Storage(#[from] StorageError),
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] DbErr),
    /// A segment could not be compressed or read.
    #[error("segment: {0}")]
    Io(#[from] std::io::Error),
    /// A segment that was read back was different.
    #[error("the segment {0} was read back with another content; its events stay in the database")]
    Different(Key),
    /// Events stay in the database, because they cannot be read.
    #[error("{0} stored requests with events cannot be read, and were not archived")]
    Unreadable(u64),
}

/// What became of the requests of a segment.
enum Moved {
    /// They are in a stored segment.
    All,
    /// They were removed together with their organisation.
    Gone,
    /// The first one cannot be read.
    Unreadable,
}

/// An object that a segment refers to, for backups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSegment {
    /// Its key.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

/// Returns whether this is the key of a segment.
pub fn is_segment(key: &str) -> bool {
    segment_number(key).is_some()
}

fn segment_number(key: &str) -> Option<i64> {
    match Key::parse(key)?.owner() {
        Some(Owner::Events { number, .. }) => Some(number),
        _ => None,
    }
}

/// Returns at most `limit` objects of segments after the one with the key `after`, or from the first one on if it is another
/// key.
///
/// # Errors
/// Fails if the database does not answer.
pub async fn named_segments(
    conn: &impl ConnectionTrait,
    after: &str,
    limit: u64,
) -> Result<Vec<NamedSegment>, DbErr> {
    let page = segments::page(conn, segment_number(after).unwrap_or(0), limit).await?;
    page.iter()
        .map(|segment| Ok(NamedSegment { path: segment.key()?.to_string(), bytes: segment.bytes }))
        .collect()
}

impl Archive {
    /// Returns whether events are archived.
    pub fn is_enabled(&self) -> bool {
        self.settings.enabled
    }

    /// Returns the first UTC day whose segments are kept.
    fn first_kept(&self, today: i64) -> Option<i64> {
        self.settings.kept_days.map(|days| today - days)
    }

    /// Returns the first UTC day whose events stay in the database.
    fn first_hot(&self, today: i64) -> i64 {
        today - self.settings.after_days
    }
}

impl Analytics {
    /// Returns the same handle with an archive of events.
    #[must_use]
    pub fn with_archive(mut self, segments: impl EventArchive, settings: ArchiveSettings) -> Self {
        self.archive = Some(Arc::new(Archive { segments: Box::new(segments), settings }));
        self
    }

    /// Returns whether [`Self::archive_events`] would do something.
    pub(crate) async fn has_events_to_archive(&self) -> Result<bool, DbErr> {
        let Some(archive) = &self.archive else { return Ok(false) };
        let (conn, today) = (self.deps.db.read(), day_of(self.deps.ambient.now()));
        if segments::any_to_remove(conn, archive.first_kept(today)).await? {
            return Ok(true);
        }
        let oldest = if archive.is_enabled() { segments::oldest(conn, 0).await? } else { None };
        Ok(oldest.is_some_and(|oldest| oldest.day < archive.first_hot(today)))
    }

    /// Removes the segments that are no longer kept, and moves the events of old days into segments. Runs as the schedule
    /// `archive_events`.
    ///
    /// # Errors
    /// If the storage or the database fails, or if a segment was read back with another content. Nothing is lost then.
    pub async fn archive_events(&self) -> Result<(), ArchiveError> {
        let Some(archive) = &self.archive else { return Ok(()) };
        let today = day_of(self.deps.ambient.now());
        if let Some(day) = archive.first_kept(today) {
            segments::expire(&self.deps.db, day).await?;
        }
        // Another worker that was taken for dead may still be writing one.
        segments::give_up(&self.deps.db).await?;
        self.remove_segments(archive, None).await?;
        if !archive.is_enabled() {
            return Ok(());
        }
        let names = DayNames::new(self.deps.ambient.bytes());
        let began = self.deps.ambient.now();
        let (mut after, mut unreadable) = (0, 0);
        while let Some(oldest) = segments::oldest(self.deps.db.read(), after).await? {
            // The next run continues: uploads are processed by the same workers.
            if oldest.day >= archive.first_hot(today) || self.deps.ambient.now() - began > RUN_MAX {
                break;
            }
            // A run was interrupted after its segment was stored.
            if let Some(last) = segments::covering(self.deps.db.read(), &oldest).await? {
                segments::remove_batches(&self.deps.db, oldest.org, &(oldest.number..=last)).await?;
                continue;
            }
            match self.move_events(archive, &oldest, &names).await? {
                Moved::All => {}
                Moved::Gone => after = oldest.number,
                Moved::Unreadable => (after, unreadable) = (oldest.number, unreadable + 1),
            }
        }
        if unreadable > 0 { Err(ArchiveError::Unreadable(unreadable)) } else { Ok(()) }
    }

    /// Moves requests of one organisation and day, from the oldest one on, into a segment.
    async fn move_events(
        &self,
        archive: &Archive,
        oldest: &Oldest,
        names: &DayNames,
    ) -> Result<Moved, ArchiveError> {
        let Some((new, content)) = self.segment(oldest, names).await? else { return Ok(Moved::Unreadable) };
        let db = &self.deps.db;
        let tx = db.write_tx().await?;
        let number = segments::insert(&tx, &new, self.new_number()).await?;
        tx.commit().await?;
        let key = segments::key(new.day, new.org, number)?;
        archive.segments.put(&key, content).await?;
        if read_back(&*archive.segments, &key).await? != (new.sha256.clone(), new.lines) {
            return Err(ArchiveError::Different(key));
        }
        if !self.mark_stored(&new, number).await? {
            // The organisation is being removed, or another worker does the same. The row, if it is there, is removed by
            // the next run.
            archive.segments.delete(&key).await?;
            return Ok(Moved::Gone);
        }
        segments::remove_batches(db, new.org, &new.events).await?;
        metrics::counter!("vitrine_archived_lines_total").increment(new.lines);
        Ok(Moved::All)
    }

    /// Returns a number that no segment ever had: the time, and 20 random bits. So neither a worker that was overtaken nor a
    /// database that was restored uses the key of another segment.
    fn new_number(&self) -> i64 {
        let random = u32::from_be_bytes(self.deps.ambient.bytes()) >> 12;
        (self.deps.ambient.now().ms() << 20) | i64::from(random)
    }

    /// Marks a segment as stored if its requests are still in the database, and in no other segment. Returns whether it did.
    async fn mark_stored(&self, new: &NewSegment, number: i64) -> Result<bool, DbErr> {
        let tx = self.deps.db.write_tx_on(new.org).await?;
        let are_there = segments::count_batches(&tx, new.org, &new.events).await? == new.requests;
        if !are_there
            || segments::any_covering(&tx, new.org, &new.events).await?
            || !segments::mark_stored(&tx, number, self.deps.ambient.now()).await?
        {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Makes a segment of the requests of one organisation and day, from the oldest one on. Returns `None` if the oldest one
    /// cannot be read.
    async fn segment(
        &self,
        oldest: &Oldest,
        names: &DayNames,
    ) -> Result<Option<(NewSegment, bytes::Bytes)>, ArchiveError> {
        let (org, day) = (oldest.org, segments::day_text(oldest.day));
        let (mut writer, mut last) = (SegmentWriter::new()?, None);
        let mut from = oldest.number;
        'pages: loop {
            let page = segments::batches(self.deps.db.read(), org, from, PAGE).await?;
            let is_last_page = (page.len() as i64) < PAGE;
            for batch in page {
                let is_full = writer.is_full() || writer.requests() >= REQUESTS_MAX;
                if batch.day != oldest.day || is_full || !writer.push(org, &day, &batch, names)? {
                    break 'pages;
                }
                last = Some(batch.number);
                from = batch.number + 1;
            }
            if is_last_page {
                break;
            }
        }
        let Some(last) = last else {
            tracing::error!(number = oldest.number, "stored events cannot be read, and are not archived");
            return Ok(None);
        };
        let segment = writer.finish()?;
        let new = NewSegment {
            org,
            day: oldest.day,
            events: oldest.number..=last,
            requests: segment.requests,
            lines: segment.lines,
            bytes: segment.bytes.len() as u64,
            sha256: segment.sha256,
        };
        Ok(Some((new, segment.bytes)))
    }

    /// Removes the segments that are leaving, of one organisation or of all.
    async fn remove_segments(&self, archive: &Archive, org: Option<OrgId>) -> Result<(), ArchiveError> {
        loop {
            let page = segments::leaving(self.deps.db.read(), org).await?;
            if page.is_empty() {
                return Ok(());
            }
            for segment in &page {
                archive.segments.delete(&segment.key()?).await?;
            }
            segments::remove(&self.deps.db, &page).await?;
        }
    }

    /// Removes everything that was archived of an organisation. Its events must be gone.
    pub(crate) async fn remove_archived(&self, org: OrgId) -> Result<(), ArchiveError> {
        let Some(archive) = &self.archive else { return Ok(()) };
        segments::leave(&self.deps.db, org).await?;
        self.remove_segments(archive, Some(org)).await
    }

    /// Returns how many bytes of an organisation are archived.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn archived_bytes(&self, org: OrgId) -> Result<u64, DbErr> {
        segments::bytes(self.deps.db.read(), org).await
    }

    /// Returns the objects of the archive that no segment refers to, if they are older than `age` by the system clock, an
    /// hour at least.
    pub fn orphaned_segments(
        &self,
        age: Millis,
    ) -> impl Stream<Item = Result<ListedObject, ArchiveError>> + Send + use<> {
        let before = SystemClock.now() - age.max(ORPHAN_MIN_AGE);
        let db = self.deps.db.clone();
        let listed = self.archive.as_ref().map(|archive| archive.segments.list());
        let old = futures::stream::iter(listed).flatten().try_filter(move |object| {
            let is_old = object.modified < before;
            async move { is_old }
        });
        old.map_err(ArchiveError::from)
            .try_chunks(LOOKED_UP)
            .map_err(|error| error.1)
            .and_then(move |page| {
                let db = db.clone();
                async move { unreferenced(db.read(), page).await }
            })
            .map_ok(|page| futures::stream::iter(page.into_iter().map(Ok)))
            .try_flatten()
    }
}

/// Returns the objects that no segment refers to.
async fn unreferenced(
    conn: &impl ConnectionTrait,
    page: Vec<ListedObject>,
) -> Result<Vec<ListedObject>, ArchiveError> {
    let owner = |object: &ListedObject| match object.key.owner() {
        Some(Owner::Events { org, number }) => Some((number, org)),
        _ => None,
    };
    let numbers: Vec<i64> = page.iter().filter_map(owner).map(|(number, _)| number).collect();
    let known = segments::known(conn, &numbers).await?;
    let is_orphan = |object: &ListedObject| owner(object).is_some_and(|owner| !known.contains(&owner));
    Ok(page.into_iter().filter(is_orphan).collect())
}
