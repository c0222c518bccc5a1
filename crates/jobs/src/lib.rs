#![doc = include_str!("../README.md")]

mod backlog;
mod entity;
mod handlers;
mod listen;
mod loops;
mod migrations;
mod operate;
mod store;
mod traces;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use db::{Db, Migration, Stored, WriteTx};
use kernel::{Ambient, DAY, JobId, MINUTE, Millis, Timestamp};
use sea_orm::DbErr;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Notify;

use loops::Loops;
use traces::NoTraces;

pub use backlog::{Backlog, Waiting, count_dead};
pub use entity::job::JobState;
pub use handlers::{Attempt, Handlers, JobError, Queue};
pub use operate::{JobSelector, JobSummary, give_back_running};
pub use traces::Traces;
pub use worker::run as run_worker;

/// Channel on which servers that share a database tell each other of new jobs. Not stored anywhere.
const CHANNEL: &str = "vitrine_jobs";

/// The payload of a job: ids only, never content. Rows store the kind, so it must not change.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// The job's stored name, in `snake_case`.
    const KIND: &'static str;
    /// How long a failing job is retried, counted from its first attempt; `None` for no limit. The wait
    /// between two attempts doubles from one second to one hour.
    const RETRY_FOR: Option<Millis> = Some(DAY);
    /// How often a worker may die while running the job before the job is given up.
    const MAX_CRASHES: i32 = 10;
}

/// The queue of this process. Cloning shares it.
#[derive(Clone)]
pub struct Jobs {
    db: Db,
    ambient: Ambient,
    wake: Arc<Notify>,
    /// Whether this process is notified of jobs that others add.
    listens: Arc<AtomicBool>,
    lease: Millis,
    loops: Arc<Loops>,
    traces: Arc<dyn Traces>,
}

/// A job that is waiting, running or given up, for tests and the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Identifies the job's row.
    pub uid: JobId,
    /// The [`Job::KIND`].
    pub kind: String,
    /// Never [`JobState::Done`].
    pub state: Stored<JobState>,
    /// The error of the last attempt.
    pub last_error: Option<String>,
}

impl Jobs {
    /// Creates a queue in the given database, with leases of one minute.
    pub fn new(db: Db, ambient: Ambient) -> Self {
        let (wake, listens) = (Arc::new(Notify::new()), Arc::default());
        let traces = Arc::new(NoTraces);
        Self { db, ambient, wake, listens, lease: MINUTE, loops: Arc::default(), traces }
    }

    /// Returns the same queue with another lease, for tests in which a worker dies.
    #[must_use]
    pub fn with_lease(mut self, lease: Millis) -> Self {
        self.lease = lease;
        self
    }

    /// Returns true if every loop of this process's worker is alive, for the readiness probe. True in a
    /// process without a worker.
    pub fn loops_alive(&self) -> bool {
        self.loops.all_alive()
    }

    /// Adds a job to the queue as part of `tx`, due now.
    ///
    /// # Errors
    /// If the insert fails.
    pub async fn enqueue<J: Job>(&self, tx: &WriteTx, job: &J) -> Result<JobId, DbErr> {
        self.enqueue_at(tx, job, self.ambient.now()).await
    }

    /// Adds a job to the queue as part of `tx`, due at `due`.
    ///
    /// # Errors
    /// If the insert fails.
    pub async fn enqueue_at<J: Job>(&self, tx: &WriteTx, job: &J, due: Timestamp) -> Result<JobId, DbErr> {
        let payload = serde_json::to_value(job).map_err(|error| DbErr::Json(error.to_string()))?;
        let uid = self.ambient.uid();
        let (now, trace) = (self.ambient.now(), self.traces.current());
        let job = store::NewJob { uid, kind: J::KIND, payload, due, max_crashes: J::MAX_CRASHES, trace };
        store::insert(tx, job, now).await?;
        if due <= now {
            // The row is visible only after the commit. If a worker of this process wakes too early, its next poll finds the job.
            self.wake.notify_waiters();
            tx.notify(CHANNEL).await?;
        }
        Ok(uid)
    }

    /// Runs the due jobs one after the other until none is left, for tests and for `--drain`. Returns how
    /// many ran.
    ///
    /// # Errors
    /// If the database fails. A job's own failure is recorded in its row.
    pub async fn run_due(&self, handlers: &Handlers) -> Result<usize, DbErr> {
        let mut ran = 0;
        for queue in [Queue::Quick, Queue::Heavy] {
            while worker::run_one(self, handlers, queue, "inline").await? {
                ran += 1;
            }
        }
        Ok(ran)
    }

    /// Returns the jobs that are waiting, running or given up, without schedules.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn leftovers(&self) -> Result<Vec<Leftover>, DbErr> {
        store::leftovers(self.db.read()).await
    }
}

/// Returns the migrations of this crate's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
