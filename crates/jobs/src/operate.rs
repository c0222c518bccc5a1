//! What the operator asks of the queue.

use std::collections::HashSet;

use kernel::{Finding, MINUTE, Millis, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Job, Jobs, store};

/// A job as the operator sees it: neither done nor a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The job's id.
    pub uid: Uid,
    /// Its [`Job::KIND`].
    pub kind: String,
    /// `ready`, `running` or `dead`.
    pub state: String,
    /// How often it was tried.
    pub attempts: i32,
    /// When it was enqueued.
    pub created_at: Millis,
    /// When it is due, while it waits.
    pub due_at: Millis,
    /// When the lease of its worker ends, while it runs.
    pub lease_until: Option<Millis>,
    /// What the last attempt said.
    pub last_error: Option<String>,
}

/// Jobs read at once.
const PAGE: u64 = 500;
/// How long after the end of a lease another worker must have taken the job.
const TAKEN_WITHIN: Millis = 10 * MINUTE;

/// Which jobs the operator means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every job that was given up.
    Dead,
    /// This one, given up or waiting for another try.
    One(Uid),
}

impl Jobs {
    /// Returns a page of the jobs that are not done, oldest first, after the one with the id `after`; only those that
    /// were given up if `dead`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn list(&self, dead: bool, after: Option<Uid>, limit: u64) -> Result<Vec<Listed>, DbErr> {
        store::list(self.db.read(), dead, after, limit).await
    }

    /// Makes jobs due now that were given up or wait for another try, with all the time that a new job has. Returns
    /// how many.
    ///
    /// # Errors
    /// The database's own.
    pub async fn retry(&self, which: Which) -> Result<u64, DbErr> {
        let tx = self.db.write_tx().await?;
        let count = store::retry(&tx, which, self.ambient.now()).await?;
        tx.commit().await?;
        self.wake.notify_waiters();
        Ok(count)
    }

    /// Checks the queue: leases that ended long ago, and jobs of a kind that is not among the known ones.
    ///
    /// # Errors
    /// The database's own.
    pub async fn verify(&self, known: &HashSet<&'static str>) -> Result<Vec<Finding>, DbErr> {
        let before = self.ambient.now() - TAKEN_WITHIN;
        let mut after = None;
        let mut found = Vec::new();
        loop {
            let page = self.list(false, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(last.uid);
            for job in page {
                if job.state == "running" && job.lease_until.is_some_and(|until| until < before) {
                    let what = format!("a {} runs whose worker is gone, and none takes it", job.kind);
                    found.push(Finding::new("job_lease", "job", job.uid, what));
                }
                if job.state != "dead" && !known.contains(job.kind.as_str()) {
                    let what = format!("this program does not know {} jobs", job.kind);
                    found.push(Finding::new("job_kind", "job", job.uid, what));
                }
            }
        }
    }

    /// Returns the jobs of one type that wait or run.
    ///
    /// # Errors
    /// The database's own; a payload of an unknown form.
    pub async fn open<J: Job>(&self, conn: &impl ConnectionTrait) -> Result<Vec<J>, DbErr> {
        let payloads = store::open_payloads(conn, J::KIND).await?;
        let parsed = payloads.into_iter().map(serde_json::from_value);
        parsed.collect::<Result<_, _>>().map_err(|error| DbErr::Json(error.to_string()))
    }

    /// Returns those of the jobs that wait or run.
    ///
    /// # Errors
    /// The database's own.
    pub async fn open_among(&self, conn: &impl ConnectionTrait, uids: &[Uid]) -> Result<HashSet<Uid>, DbErr> {
        store::open_among(conn, uids).await
    }
}
