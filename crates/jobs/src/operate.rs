//! What an operator can do with the queue.

use std::collections::HashSet;

use db::{Stored, WriteTx};
use kernel::{Finding, JobId, MINUTE, Millis, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Job, JobState, Jobs, store};

/// A job as the operator sees it: neither done nor a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSummary {
    /// Identifies the job's row.
    pub uid: JobId,
    /// The [`Job::KIND`].
    pub kind: String,
    /// Never [`JobState::Done`].
    pub state: Stored<JobState>,
    /// Number of attempts so far.
    pub attempts: i32,
    /// When it was enqueued.
    pub created_at: Timestamp,
    /// When it is due, if it is waiting.
    pub due_at: Timestamp,
    /// When the lease of its worker ends, if it is running.
    pub lease_until: Option<Timestamp>,
    /// The error of the last attempt.
    pub last_error: Option<String>,
    /// What it works on: ids, in the form of its kind.
    pub payload: serde_json::Value,
}

/// Makes all running jobs due. For a restored copy, which no worker of the original works for.
///
/// # Errors
/// If the statement fails.
pub async fn give_back_running(tx: &WriteTx, now: Timestamp) -> Result<(), DbErr> {
    store::give_back_all(tx, now, "its worker belongs to the original of this copy").await
}

/// Jobs read per query.
const PAGE: u64 = 500;
/// How long after the end of a lease another worker must have claimed the job.
const CLAIM_GRACE: Millis = 10 * MINUTE;

/// How far the clocks of servers may differ.
const CLOCK_TOLERANCE: Millis = MINUTE;

/// The jobs that an operator selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobSelector {
    /// Every job that was given up.
    Dead,
    /// Every job of this kind that was given up.
    DeadOfKind(String),
    /// This job, given up or waiting for another attempt.
    One(JobId),
}

impl Jobs {
    /// Returns a page of the jobs that are not done, oldest first, starting after the id `after`. With
    /// `dead`, returns only those that were given up.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list(&self, dead: bool, after: Option<JobId>, limit: u64) -> Result<Vec<JobSummary>, DbErr> {
        store::list(self.db.read(), dead, after, limit).await
    }

    /// Makes jobs due now that were given up or are waiting for another attempt, with the full retry time of
    /// a new job, in the caller's transaction. Returns how many.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn retry(&self, tx: &WriteTx, selector: JobSelector) -> Result<u64, DbErr> {
        let count = store::retry(tx, selector, self.ambient.now()).await?;
        // As for a new job: a worker that wakes too early finds them in its next poll.
        self.wake.notify_waiters();
        Ok(count)
    }

    /// Returns a job that is neither done nor a schedule.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find(&self, uid: JobId) -> Result<Option<JobSummary>, DbErr> {
        store::find(self.db.read(), uid).await
    }

    /// Removes jobs that were given up or are waiting, so that they are never run, in the caller's transaction. Schedules
    /// stay. Returns how many.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn remove(&self, tx: &WriteTx, selector: JobSelector) -> Result<u64, DbErr> {
        store::remove(tx, selector).await
    }

    /// Checks the queue for leases that ended long ago, for jobs of a kind that is not in `known` and for times in the
    /// future.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn verify(&self, known: &HashSet<&'static str>) -> Result<Vec<Finding>, DbErr> {
        let now = self.ambient.now();
        let before = now - CLAIM_GRACE;
        let mut after = None;
        let mut found = Vec::new();
        loop {
            let page = self.list(false, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(last.uid);
            for job in page {
                if job.state == Stored::Known(JobState::Running)
                    && job.lease_until.is_some_and(|until| until < before)
                {
                    let what = format!(
                        "the worker of a running {} job is gone, and no other worker has claimed it",
                        job.kind
                    );
                    found.push(Finding::new("job_lease", "job", job.uid, what));
                }
                if job.created_at > now + CLOCK_TOLERANCE {
                    found.push(Finding::new("time_future", "job", job.uid, "was enqueued in the future"));
                }
                if job.state != Stored::Known(JobState::Dead) && !known.contains(job.kind.as_str()) {
                    let what = format!("this program cannot run {} jobs", job.kind);
                    found.push(Finding::new("job_kind", "job", job.uid, what));
                }
            }
        }
    }

    /// Returns the waiting and running jobs of one type.
    ///
    /// # Errors
    /// If the query fails or a payload is invalid.
    pub async fn active<J: Job>(&self, conn: &impl ConnectionTrait) -> Result<Vec<J>, DbErr> {
        let payloads = store::active_payloads(conn, J::KIND).await?;
        let parsed = payloads.into_iter().map(serde_json::from_value);
        parsed.collect::<Result<_, _>>().map_err(|error| DbErr::Json(error.to_string()))
    }

    /// Returns the given jobs that are waiting or running.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn active_among(
        &self,
        conn: &impl ConnectionTrait,
        uids: &[JobId],
    ) -> Result<HashSet<JobId>, DbErr> {
        store::active_among(conn, uids).await
    }
}
