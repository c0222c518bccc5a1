//! Processes a file: determines its length, makes a poster, and transcodes it for browsers. A quick
//! inspection comes first, then the long work.
//!
//! Each attempt is a processing run with its own id. Its output is stored under that id and stays invisible
//! until one transaction refers to it. A run that was overtaken by another worker or by a new file notices
//! this at its next heartbeat, stops its tools and removes its files. So running twice, or dying at any
//! moment, does no harm.

mod inspect;
mod transcode;

use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use jobs::{Attempt, Job, JobError};
use kernel::{ContentId, MINUTE, Millis, OrgId, RunId, VersionId};
use media::{MediaError, Progress};
use parking_lot::Mutex;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use storage::{Key, StorageError};
use tokio::time::{MissedTickBehavior, interval};

use super::RemoveRendition;
use crate::item::{FileVersion, Item, Rendition, Source};
use crate::model::{Processing, ProcessingFailure};
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::processing_run::{RunEnd, StartedRun};
use crate::{Content, store};

/// Minimum time between two writes of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);
/// Intervals after which a heartbeat is written even if progress is unchanged.
const HEARTBEAT_INTERVALS: u32 = 15;
/// How long the result of hours of work waits for an unavailable database, and the pause between two
/// attempts.
const DATABASE_TIMEOUT: Duration = Duration::from_mins(10);
const DATABASE_RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Delay before a file is tried again for which the disk had no space.
const RETRY_DELAY: Millis = 5 * MINUTE;
/// When the files of an interrupted run are removed: a worker that lost its lease without noticing may go on writing
/// them until its next heartbeat.
const LEFTOVER_AFTER: Millis = MINUTE;

/// Processes one version of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProcessFile {
    pub org: OrgId,
    pub content: ContentId,
    pub version: VersionId,
}

impl ProcessFile {
    fn file(&self) -> FileVersion {
        FileVersion { org: self.org, content: self.content, version: self.version }
    }
}

impl Job for ProcessFile {
    const KIND: &'static str = "content_process_file";
}

struct ProcessingRun {
    content: Content,
    item: Item,
    source: Source,
    /// Id of the run, under which its output is stored.
    id: RunId,
    /// Latest progress reported by the tools.
    progress: Mutex<Option<Progress>>,
    /// Bytes stored under its id.
    stored: AtomicU64,
}

/// Result of a processing run.
#[derive(Clone)]
struct Outcome {
    processing: Processing,
    failure: Option<ProcessingFailure>,
    rendition: Option<Rendition>,
    duration_ms: Option<Millis>,
}

impl Outcome {
    fn of(processing: Processing) -> Self {
        Self { processing, failure: None, rendition: None, duration_ms: None }
    }

    fn failed(failure: ProcessingFailure) -> Self {
        Self { failure: Some(failure), ..Self::of(Processing::Failed) }
    }
}

/// Why a run ended without an outcome.
enum Abort {
    /// It is no longer the current run; nothing is left to do.
    Overtaken,
    /// The machine failed, not the file.
    Failure(JobError),
    /// The disk has no space left; processing is postponed.
    DiskFull,
}

impl From<std::io::Error> for Abort {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Failure(error.into()),
        }
    }
}

impl From<StorageError> for Abort {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(error) => error.into(),
            other => Self::Failure(other.into()),
        }
    }
}

impl From<DbErr> for Abort {
    fn from(error: DbErr) -> Self {
        Self::Failure(error.into())
    }
}

/// Processes a file, unless a newer version is served or processing is complete.
pub async fn run(content: Content, job: ProcessFile, attempt: Attempt) -> Result<(), JobError> {
    if is_low_on_space(&content)? {
        return postpone(&content, job).await;
    }
    let id = content.ambient.uid();
    let (now, tx) = (content.ambient.now(), content.db.write_tx_on(job.org).await?);
    if !content.orgs.exists(&tx, job.org).await? {
        // Deleted: if it is restored, the file can be processed again by hand.
        return Ok(());
    }
    let started = store::processing_run::begin(&tx, job.file(), id, now).await?;
    let Some(StartedRun { item, before }) = started else { return Ok(()) };
    let Some(source) = item.source.clone() else { return Ok(()) };
    if let Some(before) = before {
        // In the same transaction: nothing else remembers it if this process is killed as well.
        let leftover = RemoveRendition { org: job.org, content: job.content, run: before };
        content.jobs.enqueue_at(&tx, &leftover, now + LEFTOVER_AFTER).await?;
    }
    tx.commit().await?;
    if before.is_some() {
        // The tools of a killed worker may still be running.
        let media = content.media.clone();
        tokio::task::spawn_blocking(move || media.sweep()).await??;
    }
    let run =
        ProcessingRun { content, item, source, id, progress: Mutex::default(), stored: AtomicU64::new(0) };
    let outcome = tokio::select! {
        outcome = run.work() => outcome,
        abort = run.send_heartbeats() => Err(abort),
    };
    match outcome {
        Ok(outcome) => run.end(outcome, None).await,
        Err(Abort::Overtaken) => run.remove_output().await,
        Err(Abort::DiskFull) => {
            tracing::warn!(content = %job.content, "the disk is full: processing is postponed");
            run.end(Outcome::of(Processing::Queued), Some(job)).await
        }
        // Only the last attempt records the failure; any other one is followed by the next.
        Err(Abort::Failure(failure)) => {
            let is_final = attempt.is_last || matches!(failure, JobError::Final(_));
            let outcome = if is_final {
                Outcome::failed(ProcessingFailure::Interrupted)
            } else {
                Outcome::of(Processing::Queued)
            };
            run.end(outcome, None).await?;
            Err(failure)
        }
    }
}

impl ProcessingRun {
    async fn work(&self) -> Result<Outcome, Abort> {
        let inspection = self.inspect().await?;
        self.publish_probe(inspection.probed).await?;
        match inspection.av_file {
            Some(av_file) if inspection.outcome.processing == Processing::Done => {
                self.transcode(av_file).await
            }
            _ => Ok(inspection.outcome),
        }
    }

    /// Writes progress as a heartbeat. Returns when this is no longer the current run.
    async fn send_heartbeats(&self) -> Abort {
        let mut ticks = interval(PROGRESS_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick is immediate, and the run has just begun.
        ticks.tick().await;
        let (mut written, mut silent) = (None, 0);
        loop {
            ticks.tick().await;
            let progress = *self.progress.lock();
            silent += 1;
            if progress == written && silent < HEARTBEAT_INTERVALS {
                continue;
            }
            (written, silent) = (progress, 0);
            match self.heartbeat(progress).await {
                Ok(true) => {}
                Ok(false) => return Abort::Overtaken,
                // A short outage of the database must not end an hour's work.
                Err(error) => {
                    tracing::warn!(content = %self.item.uid, %error, "progress could not be written");
                }
            }
        }
    }

    async fn heartbeat(&self, progress: Option<Progress>) -> Result<bool, DbErr> {
        let tx = self.content.db.write_tx_on(self.item.org).await?;
        let now = self.content.ambient.now();
        let is_current = store::processing_run::heartbeat(&tx, self.item.uid, self.id, progress, now).await?;
        // Work for an organisation that was deleted ends as well.
        let is_current = is_current && self.content.orgs.exists(&tx, self.item.org).await?;
        tx.commit().await?;
        Ok(is_current)
    }

    /// Ends the run, waiting for the database if necessary; `later` is a job to enqueue for another attempt.
    /// A run that was overtaken removes its files.
    async fn end(&self, outcome: Outcome, later: Option<ProcessFile>) -> Result<(), JobError> {
        if retry_database(|| self.try_end(&outcome, later).boxed()).await? {
            Ok(())
        } else {
            self.remove_output().await
        }
    }

    /// Ends the run in one transaction, which also enqueues the removal of the output that was served before,
    /// or of the output of a failed run. Returns false if this is no longer the current run.
    async fn try_end(&self, outcome: &Outcome, later: Option<ProcessFile>) -> Result<bool, DbErr> {
        let Outcome { processing, failure, rendition, duration_ms } = outcome.clone();
        let bytes = self.stored.load(Ordering::Relaxed);
        let (has_output, is_discarded) = (rendition.is_some(), rendition.is_none() && bytes > 0);
        let tx = self.content.db.write_tx_on(self.item.org).await?;
        let stored = store::content::by_id(&tx, self.item.org, self.item.uid).await?;
        let end = RunEnd { processing, failure, rendition, duration_ms };
        let is_current = store::processing_run::end(&tx, self.item.uid, self.id, end).await?;
        if is_current {
            if has_output {
                store::object::record_referenced(&tx, self.object(bytes)).await?;
            }
            let before = stored.and_then(|item| item.rendition).map(|rendition| rendition.run);
            for run in before.into_iter().chain(is_discarded.then_some(self.id)) {
                let job = RemoveRendition { org: self.item.org, content: self.item.uid, run };
                self.content.jobs.enqueue(&tx, &job).await?;
            }
            if let Some(job) = later {
                self.content.jobs.enqueue_at(&tx, &job, self.content.ambient.now() + RETRY_DELAY).await?;
            }
        }
        tx.commit().await?;
        Ok(is_current)
    }

    /// Describes the whole output of this run as one record.
    fn object(&self, bytes: u64) -> StoredObject {
        let (org, content, kind) = (self.item.org, self.item.uid, ObjectKind::Rendition);
        let path = Key::rendition_folder(org, content, self.id);
        StoredObject { path, org: Some(org), content: Some(content), upload: None, kind, bytes }
    }

    /// Removes the output of this run, unless it is served: the run may have ended without the database's
    /// confirmation arriving.
    async fn remove_output(&self) -> Result<(), JobError> {
        if store::processing_run::is_served(self.content.db.read(), self.item.uid, self.id).await? {
            return Ok(());
        }
        Ok(self.content.storage.delete_rendition(self.item.org, self.item.uid, self.id).await?)
    }

    fn on_progress(&self, progress: Progress) {
        *self.progress.lock() = Some(progress);
    }

    /// Classifies a failure of a tool: one caused by the file ends the run, one caused by the machine is
    /// retried.
    fn classify(&self, error: MediaError) -> Result<Outcome, Abort> {
        tracing::info!(content = %self.item.uid, %error, "the file is not processed");
        let failure = match error {
            MediaError::Machine(error) => return Err(error.into()),
            MediaError::Unavailable(_) => return Ok(Outcome::of(Processing::None)),
            MediaError::Refused(_) => ProcessingFailure::Unreadable,
            MediaError::Damaged(_) => ProcessingFailure::Damaged,
            MediaError::OverLimit(_) => ProcessingFailure::Excessive,
        };
        Ok(Outcome::failed(failure))
    }
}

/// Returns whether there is too little space to start, for the output or for the tools.
fn is_low_on_space(content: &Content) -> Result<bool, StorageError> {
    Ok(content.storage.is_short_of(0)? || content.storage.is_short_of_at(content.media.work_dir(), 0)?)
}

/// Postpones a file until there is space, unless a newer version is served.
async fn postpone(content: &Content, job: ProcessFile) -> Result<(), JobError> {
    let tx = content.db.write_tx_on(job.org).await?;
    let item = store::content::by_id(&tx, job.org, job.content).await?;
    if item.and_then(|item| item.source).is_some_and(|source| source.version == job.version) {
        tracing::warn!(content = %job.content, "the disk is nearly full: processing is postponed");
        content.jobs.enqueue_at(&tx, &job, content.ambient.now() + RETRY_DELAY).await?;
    }
    Ok(tx.commit().await?)
}

/// Retries work while the database is unavailable, for as long as [`DATABASE_TIMEOUT`].
async fn retry_database<'a, T>(work: impl Fn() -> BoxFuture<'a, Result<T, DbErr>>) -> Result<T, DbErr> {
    let began = Instant::now();
    loop {
        match work().await {
            Err(error) if began.elapsed() < DATABASE_TIMEOUT => {
                tracing::warn!(%error, "the result of processing a file could not be written; trying again");
                tokio::time::sleep(DATABASE_RETRY_PAUSE).await;
            }
            done => return done,
        }
    }
}

/// Maps a missing object to [`Abort::Overtaken`]: it belonged to a version that was replaced.
fn overtaken_if_missing(error: StorageError) -> Abort {
    match error {
        StorageError::Missing => Abort::Overtaken,
        other => other.into(),
    }
}
