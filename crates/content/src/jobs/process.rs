//! Processes a file: determines its length, makes a poster, and transcodes it for browsers. A quick
//! inspection comes first, then the long work.
//!
//! Each attempt is a processing run with its own id. Its output is stored under that id and stays invisible
//! until one transaction refers to it. A run that was overtaken by another worker or by a new file notices
//! this at its next heartbeat, stops its tools and removes its files. So running twice, or dying at any
//! moment, does no harm.

mod look;
mod make;

use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use jobs::{Attempt, Failure, Job};
use kernel::{MINUTE, Millis, Uid};
use media::{MediaError, Progress};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use storage::{Key, StorageError};
use tokio::time::{MissedTickBehavior, interval};

use super::RemoveRendition;
use crate::item::{Item, Rendition, Source};
use crate::model::{Fault, Processing};
use crate::store::making::{Begun, End};
use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, store};

/// Minimum time between two writes of progress.
const BEAT: Duration = Duration::from_secs(2);
/// Intervals after which a heartbeat is written even if progress is unchanged.
const ALIVE: u32 = 15;
/// How long the result of hours of work waits for an unavailable database, and the pause between two
/// attempts.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
const PAUSE: Duration = Duration::from_secs(1);
/// Delay before a file is tried again for which the disk had no space.
const LATER: Millis = 5 * MINUTE;
/// When the files of an interrupted run are removed: a worker that lost its lease without noticing may go on writing
/// them until its next heartbeat.
const LEFTOVER_AFTER: Millis = MINUTE;

/// Processes one version of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProcessFile {
    pub org: Uid,
    pub content: Uid,
    pub version: Uid,
}

impl Job for ProcessFile {
    const KIND: &'static str = "content_process_file";
}

/// One processing run.
struct Making {
    room: Content,
    item: Item,
    source: Source,
    /// Id of the run, under which its output is stored.
    set: Uid,
    /// Latest progress reported by the tools.
    progress: Mutex<Option<Progress>>,
    /// Bytes stored under its id.
    stored: AtomicU64,
}

/// Result of a processing run.
#[derive(Clone)]
struct Outcome {
    processing: Processing,
    failure: Option<Fault>,
    rendition: Option<Rendition>,
    duration_ms: Option<i64>,
}

impl Outcome {
    fn of(processing: Processing) -> Self {
        Self { processing, failure: None, rendition: None, duration_ms: None }
    }

    fn failed(fault: Fault) -> Self {
        Self { failure: Some(fault), ..Self::of(Processing::Failed) }
    }
}

/// Why a run ended without an outcome.
enum Stop {
    /// It is no longer the current run; nothing is left to do.
    Overtaken,
    /// The machine failed, not the file.
    Failure(Failure),
    /// The disk is full.
    NoRoom,
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::NoRoom,
            _ => Self::Failure(error.into()),
        }
    }
}

impl From<StorageError> for Stop {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(error) => error.into(),
            other => Self::Failure(other.into()),
        }
    }
}

impl From<DbErr> for Stop {
    fn from(error: DbErr) -> Self {
        Self::Failure(error.into())
    }
}

/// Processes a file, unless another version is served by now or processing is complete.
pub async fn run(room: Content, job: ProcessFile, attempt: Attempt) -> Result<(), Failure> {
    if is_short_of_room(&room)? {
        return put_off(&room, job).await;
    }
    let set = room.ambient.uid();
    let (now, tx) = (room.ambient.now(), room.db.write_tx_on(job.org).await?);
    let begun = store::making::begin(&tx, (job.org, job.content, job.version), set, now).await?;
    let Some(Begun { item, before }) = begun else { return Ok(()) };
    let Some(source) = item.source.clone() else { return Ok(()) };
    if let Some(before) = before {
        // In the same transaction: nothing else remembers it if this process is killed as well.
        let leftover = RemoveRendition { org: job.org, content: job.content, set: before };
        room.jobs.enqueue_at(&tx, &leftover, now + LEFTOVER_AFTER).await?;
    }
    tx.commit().await?;
    if before.is_some() {
        // The tools of a killed worker may still be running.
        let media = room.media.clone();
        tokio::task::spawn_blocking(move || media.sweep()).await??;
    }
    let making = Making { room, item, source, set, progress: Mutex::default(), stored: AtomicU64::new(0) };
    let outcome = tokio::select! {
        outcome = making.work() => outcome,
        stop = making.beats() => Err(stop),
    };
    match outcome {
        Ok(outcome) => making.end(outcome, None).await,
        Err(Stop::Overtaken) => making.clear().await,
        Err(Stop::NoRoom) => {
            tracing::warn!(content = %job.content, "the disk is full: processing is postponed");
            making.end(Outcome::of(Processing::Queued), Some(job)).await
        }
        // Only the last attempt records the failure; any other one is followed by the next.
        Err(Stop::Failure(failure)) => {
            let given_up = attempt.is_last || matches!(failure, Failure::Final(_));
            let outcome = match given_up {
                true => Outcome::failed(Fault::Interrupted),
                false => Outcome::of(Processing::Queued),
            };
            making.end(outcome, None).await?;
            Err(failure)
        }
    }
}

impl Making {
    async fn work(&self) -> Result<Outcome, Stop> {
        let looked = self.look().await?;
        self.write(looked.seen).await?;
        match looked.film {
            Some(film) if looked.outcome.processing == Processing::Done => self.make(film).await,
            _ => Ok(looked.outcome),
        }
    }

    /// Writes progress as a heartbeat. Returns when this is no longer the current run.
    async fn beats(&self) -> Stop {
        let mut ticks = interval(BEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick is immediate, and the run has just begun.
        ticks.tick().await;
        let (mut written, mut silent) = (None, 0);
        loop {
            ticks.tick().await;
            let progress = *self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            silent += 1;
            if progress == written && silent < ALIVE {
                continue;
            }
            (written, silent) = (progress, 0);
            match self.beat(progress).await {
                Ok(true) => {}
                Ok(false) => return Stop::Overtaken,
                // A short outage of the database must not end an hour's work.
                Err(error) => {
                    tracing::warn!(content = %self.item.uid, %error, "progress could not be written")
                }
            }
        }
    }

    async fn beat(&self, progress: Option<Progress>) -> Result<bool, DbErr> {
        let tx = self.room.db.write_tx_on(self.item.org).await?;
        let now = self.room.ambient.now();
        let ours = store::making::beat(&tx, self.item.uid, self.set, progress, now).await?;
        tx.commit().await?;
        Ok(ours)
    }

    /// Ends the run, waiting for the database if necessary; `later` is a job to enqueue for another attempt.
    /// A run that was overtaken removes its files.
    async fn end(&self, outcome: Outcome, later: Option<ProcessFile>) -> Result<(), Failure> {
        match patiently(|| self.try_end(&outcome, later).boxed()).await? {
            true => Ok(()),
            false => self.clear().await,
        }
    }

    /// Ends the run in one transaction, which also enqueues the removal of the output that was served before,
    /// or of the output of a failed run. Returns false if this is no longer the current run.
    async fn try_end(&self, outcome: &Outcome, later: Option<ProcessFile>) -> Result<bool, DbErr> {
        let Outcome { processing, failure, rendition, duration_ms } = outcome.clone();
        let bytes = self.stored.load(Ordering::Relaxed);
        let (made, in_vain) = (rendition.is_some(), rendition.is_none() && bytes > 0);
        let tx = self.room.db.write_tx_on(self.item.org).await?;
        let stored = store::content::by_id(&tx, self.item.org, self.item.uid).await?;
        let end = End { processing, failure, rendition, duration_ms };
        let ours = store::making::end(&tx, self.item.uid, self.set, end).await?;
        if ours {
            if made {
                store::object::record_named(&tx, self.object(bytes)).await?;
            }
            let before = stored.and_then(|item| item.rendition).map(|rendition| rendition.set);
            for set in before.into_iter().chain(in_vain.then_some(self.set)) {
                let job = RemoveRendition { org: self.item.org, content: self.item.uid, set };
                self.room.jobs.enqueue(&tx, &job).await?;
            }
            if let Some(job) = later {
                self.room.jobs.enqueue_at(&tx, &job, self.room.ambient.now() + LATER).await?;
            }
        }
        tx.commit().await?;
        Ok(ours)
    }

    /// Describes the whole output of this run as one record.
    fn object(&self, bytes: u64) -> StoredObject {
        let (org, content, kind) = (self.item.org, self.item.uid, ObjectKind::Rendition);
        let path = Key::rendition_folder(org, content, self.set);
        StoredObject { path, org: Some(org), content: Some(content), upload: None, kind, bytes }
    }

    /// Removes the output of this run, unless it is served: the run may have ended without the database's
    /// confirmation arriving.
    async fn clear(&self) -> Result<(), Failure> {
        if store::making::is_served(self.room.db.read(), self.item.uid, self.set).await? {
            return Ok(());
        }
        Ok(self.room.storage.delete_rendition(self.item.org, self.item.uid, self.set).await?)
    }

    fn told(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    /// Classifies a failure of a tool: one caused by the file ends the run, one caused by the machine is
    /// retried.
    fn fault(&self, error: MediaError) -> Result<Outcome, Stop> {
        tracing::info!(content = %self.item.uid, %error, "the file is not processed");
        let fault = match error {
            MediaError::Machine(error) => return Err(error.into()),
            MediaError::Unavailable(_) => return Ok(Outcome::of(Processing::None)),
            MediaError::Refused(_) => Fault::Unreadable,
            MediaError::Damaged(_) => Fault::Damaged,
            MediaError::OverLimit(_) => Fault::Excessive,
        };
        Ok(Outcome::failed(fault))
    }
}

/// Returns whether there is too little space to start, for the output or for the tools.
fn is_short_of_room(room: &Content) -> Result<bool, StorageError> {
    Ok(room.storage.is_short_of(0)? || room.storage.is_short_of_at(room.media.work_dir(), 0)?)
}

/// Postpones a file until there is space, unless another version is served by now.
async fn put_off(room: &Content, job: ProcessFile) -> Result<(), Failure> {
    let tx = room.db.write_tx_on(job.org).await?;
    let item = store::content::by_id(&tx, job.org, job.content).await?;
    if item.and_then(|item| item.source).is_some_and(|source| source.version == job.version) {
        tracing::warn!(content = %job.content, "the disk is nearly full: processing is postponed");
        room.jobs.enqueue_at(&tx, &job, room.ambient.now() + LATER).await?;
    }
    Ok(tx.commit().await?)
}

/// Retries work while the database is unavailable, for as long as [`PATIENCE`].
async fn patiently<'a, T>(work: impl Fn() -> BoxFuture<'a, Result<T, DbErr>>) -> Result<T, DbErr> {
    let began = Instant::now();
    loop {
        match work().await {
            Err(error) if began.elapsed() < PATIENCE => {
                tracing::warn!(%error, "the result of processing a file could not be written; trying again");
                tokio::time::sleep(PAUSE).await;
            }
            done => return done,
        }
    }
}

/// Maps a missing object to [`Stop::Overtaken`]: it belonged to a version that was replaced.
fn gone(error: StorageError) -> Stop {
    match error {
        StorageError::Missing => Stop::Overtaken,
        other => other.into(),
    }
}
