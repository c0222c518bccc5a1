//! The durable queue.
//!
//! A job is a row, put there by [`Jobs::enqueue`] in the transaction of the change that wants it, so that it
//! exists exactly when the change does. A worker takes it under a lease, prolongs the lease while it runs,
//! and may finish it only as long as the attempt is still its own (the fence). A job whose worker dies is
//! taken again when the lease ends; jobs are therefore written so that running twice does no harm.

mod entity;
mod handlers;
mod loops;
mod migrations;
mod operate;
mod store;
mod worker;

use std::sync::Arc;

use db::{Db, Migration, WriteTx};
use kernel::{Ambient, DAY, MINUTE, Millis, Uid};
use sea_orm::DbErr;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Notify;

use loops::Loops;

pub use handlers::{Attempt, Failure, Handlers, Lane};
pub use operate::{Listed, Which};
pub use worker::run as run_worker;

/// What a job carries: ids only, never content. The name is stored, so it must not change.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// The job's stored name, in snake_case.
    const KIND: &'static str;
    /// How long a job that fails is tried again, counted from its first attempt; `None` for as long as it takes. The
    /// wait between two attempts doubles from one second to one hour.
    const RETRY_FOR: Option<Millis> = Some(DAY);
    /// How often the worker may die in the middle of the job before it is given up.
    const MAX_CRASHES: i32 = 10;
}

/// The queue of this process. Cloning shares it.
#[derive(Clone)]
pub struct Jobs {
    db: Db,
    ambient: Ambient,
    wake: Arc<Notify>,
    lease: Millis,
    loops: Arc<Loops>,
}

/// A job somebody still has to do, or gave up: for tests and for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// The job's id.
    pub uid: Uid,
    /// Its [`Job::KIND`].
    pub kind: String,
    /// `ready`, `running` or `dead`.
    pub state: String,
    /// What the last attempt said.
    pub last_error: Option<String>,
}

impl Jobs {
    /// A queue in the given database, with leases of one minute.
    pub fn new(db: Db, ambient: Ambient) -> Self {
        Self { db, ambient, wake: Arc::new(Notify::new()), lease: MINUTE, loops: Arc::default() }
    }

    /// The same queue with another lease: for tests that let a worker die.
    #[must_use]
    pub fn with_lease(mut self, lease: Millis) -> Self {
        self.lease = lease;
        self
    }

    /// Returns true if every loop of this process's worker is alive: for readiness. True in a process without a
    /// worker.
    pub fn loops_alive(&self) -> bool {
        self.loops.all_alive()
    }

    /// Puts a job into the queue as part of `tx`, due now.
    ///
    /// # Errors
    /// The database's own.
    pub async fn enqueue<J: Job>(&self, tx: &WriteTx, job: &J) -> Result<Uid, DbErr> {
        self.enqueue_at(tx, job, self.ambient.now()).await
    }

    /// Puts a job into the queue as part of `tx`, due at `due`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn enqueue_at<J: Job>(&self, tx: &WriteTx, job: &J, due: Millis) -> Result<Uid, DbErr> {
        let payload = serde_json::to_value(job).map_err(|error| DbErr::Json(error.to_string()))?;
        let uid = self.ambient.uid();
        store::insert(tx, uid, J::KIND, payload, due, J::MAX_CRASHES, self.ambient.now()).await?;
        // The row shows only after the commit; the worker's own poll catches what this wakes too early.
        self.wake.notify_waiters();
        Ok(uid)
    }

    /// Runs every due job once, one after the other, until none is due: for tests and for `--drain`.
    /// Returns how many ran.
    ///
    /// # Errors
    /// The database's own; a job's own failure is recorded in its row.
    pub async fn run_due(&self, handlers: &Handlers) -> Result<usize, DbErr> {
        let mut ran = 0;
        for lane in [Lane::Quick, Lane::Heavy] {
            while worker::run_one(self, handlers, lane, "inline").await? {
                ran += 1;
            }
        }
        Ok(ran)
    }

    /// Jobs not done: ready, running or given up; schedules are not counted.
    ///
    /// # Errors
    /// The database's own.
    pub async fn leftovers(&self) -> Result<Vec<Leftover>, DbErr> {
        store::leftovers(self.db.read()).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
