//! Finds a file's length, takes a picture of it and makes what browsers play: first a look, then the long work.
//!
//! Each try is a making with an id of its own. What it makes lies under that id and is seen by nobody until one
//! transaction names it; a try that was overtaken by another worker or by a new file notices at its next beat, stops
//! the tools and takes its files away. So running twice, or dying at any moment, does no harm.

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

/// How often progress is written, at the most.
const BEAT: Duration = Duration::from_secs(2);
/// Every so many beats the worker says that it is alive, even when there is nothing new.
const ALIVE: u32 = 15;
/// How long the outcome of hours of work waits for a database that is away, and how long it does between two tries.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
const PAUSE: Duration = Duration::from_secs(1);
/// When a file is looked at again for which the disk had no room.
const LATER: Millis = 5 * MINUTE;
/// When the files of an interrupted run are removed: a worker that lost its lease without noticing may go on writing
/// them until its next heartbeat.
const LEFTOVER_AFTER: Millis = MINUTE;

/// The version to work on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProcessFile {
    pub org: Uid,
    pub content: Uid,
    pub version: Uid,
}

impl Job for ProcessFile {
    const KIND: &'static str = "content_process_file";
}

/// One try.
struct Making {
    room: Content,
    item: Item,
    source: Source,
    /// Its id, under which everything lies that it makes.
    set: Uid,
    /// How far it is.
    progress: Mutex<Option<Progress>>,
    /// Bytes that lie under its id.
    stored: AtomicU64,
}

/// What came of a try.
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

/// Why a try ended without an outcome.
enum Stop {
    /// It is no longer the one under way; nothing is left to do.
    Overtaken,
    /// The machine, not the file.
    Failure(Failure),
    /// The machine's disk is full.
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

/// Works on a file, unless another version is served by then or the work is done.
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
        // A killed worker's tools may go on without it.
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
            tracing::warn!(content = %job.content, "the disk is full: the file is processed later");
            making.end(Outcome::of(Processing::Queued), Some(job)).await
        }
        // Only the last try says that it failed: any other one is followed by the next.
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

    /// Writes how far the work is; returns when it is no longer this making's.
    async fn beats(&self) -> Stop {
        let mut ticks = interval(BEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick comes at once, and the making has just begun.
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
                // A database that is away for a moment does not end an hour's work.
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

    /// Ends the making, however long the database is away; `later` is the job to do then. One that was overtaken takes
    /// its files away.
    async fn end(&self, outcome: Outcome, later: Option<ProcessFile>) -> Result<(), Failure> {
        match patiently(|| self.try_end(&outcome, later).boxed()).await? {
            true => Ok(()),
            false => self.clear().await,
        }
    }

    /// One transaction: what was served before goes with it, and so does what a failed making made. False when it is no
    /// longer the one under way.
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

    /// Everything this making made, as one record.
    fn object(&self, bytes: u64) -> StoredObject {
        let (org, content, kind) = (self.item.org, self.item.uid, ObjectKind::Rendition);
        let path = Key::rendition_folder(org, content, self.set);
        StoredObject { path, org: Some(org), content: Some(content), upload: None, kind, bytes }
    }

    /// Takes away what this making made, unless it is served: the answer to its end may have been lost.
    async fn clear(&self) -> Result<(), Failure> {
        if store::making::is_served(self.room.db.read(), self.item.uid, self.set).await? {
            return Ok(());
        }
        Ok(self.room.storage.delete_rendition(self.item.org, self.item.uid, self.set).await?)
    }

    fn told(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    /// What a tool's failure means: the file's own ones end the try, the machine's are tried again.
    fn fault(&self, error: MediaError) -> Result<Outcome, Stop> {
        tracing::info!(content = %self.item.uid, %error, "nothing is made of the file");
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

/// Whether new work would have too little room, for its files or for its tools.
fn is_short_of_room(room: &Content) -> Result<bool, StorageError> {
    Ok(room.storage.is_short_of(0)? || room.storage.is_short_of_at(room.media.work_dir(), 0)?)
}

/// Leaves a file in the queue until there is room, unless another version is served by now.
async fn put_off(room: &Content, job: ProcessFile) -> Result<(), Failure> {
    let tx = room.db.write_tx_on(job.org).await?;
    let item = store::content::by_id(&tx, job.org, job.content).await?;
    if item.and_then(|item| item.source).is_some_and(|source| source.version == job.version) {
        tracing::warn!(content = %job.content, "the disk is nearly full: the file is processed later");
        room.jobs.enqueue_at(&tx, &job, room.ambient.now() + LATER).await?;
    }
    Ok(tx.commit().await?)
}

/// Repeats what a database refuses that is away for a while.
async fn patiently<'a, T>(work: impl Fn() -> BoxFuture<'a, Result<T, DbErr>>) -> Result<T, DbErr> {
    let began = Instant::now();
    loop {
        match work().await {
            Err(error) if began.elapsed() < PATIENCE => {
                tracing::warn!(%error, "the outcome of the work on a file could not be written; trying again");
                tokio::time::sleep(PAUSE).await;
            }
            done => return done,
        }
    }
}

/// An object that is gone belongs to a version that was replaced meanwhile.
fn gone(error: StorageError) -> Stop {
    match error {
        StorageError::Missing => Stop::Overtaken,
        other => other.into(),
    }
}
