//! The loops that claim and run jobs.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use kernel::{HOUR, JobId, Millis, SECOND, Timestamp};
use sea_orm::DbErr;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::entity::job::Model;
use crate::handlers::{Attempt, Handler, Handlers, JobError, Queue};
use crate::{Jobs, listen, store};

/// How long a loop sleeps if no job is due.
const POLL: Duration = Duration::from_millis(250);
/// The same for a loop that is woken for new jobs: only jobs that become due as time passes wait for it.
const POLL_LISTENING: Duration = Duration::from_secs(1);
/// Minimum number of attempts before a failing job is given up.
const MIN_ATTEMPTS: i32 = 10;
/// Difference by which a clock may be set back without a consequence.
const CLOCK_SLACK: Millis = HOUR;
/// Attempts that take this long are logged.
const LONG: Duration = Duration::from_secs(10);
/// Delay before a loop is restarted after a panic.
const RESTART: Duration = Duration::from_secs(1);

/// Runs jobs until `stop`, with `quick` loops for short jobs and `heavy` loops for long ones. A job still
/// running at `stop` gets `grace` to finish; then its lease is given back for the next worker.
pub async fn run(
    jobs: Jobs,
    mut handlers: Handlers,
    quick: usize,
    heavy: usize,
    grace: Duration,
    stop: CancellationToken,
) {
    jobs.register(&mut handlers);
    if let Err(error) = ensure_schedules(&jobs, &handlers).await {
        tracing::error!(%error, "schedules could not be written");
    }
    let handlers = Arc::new(handlers);
    let listening = tokio::spawn(listen::run(jobs.clone()));
    let queues = std::iter::repeat_n(Queue::Quick, quick).chain(std::iter::repeat_n(Queue::Heavy, heavy));
    let loops = queues.enumerate().map(|(number, queue)| {
        let name = format!("{}-{number}", std::process::id());
        tokio::spawn(supervise(jobs.clone(), Arc::clone(&handlers), queue, name, grace, stop.clone()))
    });
    futures::future::join_all(loops).await;
    listening.abort();
}

impl Jobs {
    /// Registers the removal of old jobs. Every worker does so by itself.
    pub fn register(&self, handlers: &mut Handlers) {
        let (asked, jobs) = (self.clone(), self.clone());
        let has_work = move || {
            let jobs = asked.clone();
            async move { store::any_old(jobs.db.read(), jobs.ambient.now()).await }
        };
        handlers.every_if("prune_jobs", HOUR, Queue::Quick, has_work, move || {
            let jobs = jobs.clone();
            async move {
                store::prune(&jobs.db, jobs.ambient.now()).await?;
                Ok(())
            }
        });
    }
}

/// Runs one loop until `stop` and restarts it if it panics outside a job's own code.
async fn supervise(
    jobs: Jobs,
    handlers: Arc<Handlers>,
    queue: Queue,
    name: String,
    grace: Duration,
    stop: CancellationToken,
) {
    while !stop.is_cancelled() {
        let working = run_loop(&jobs, &handlers, queue, &name, grace, &stop);
        if AssertUnwindSafe(working).catch_unwind().await.is_err() {
            let _down = jobs.loops.fall();
            tracing::error!(worker = name, "a job loop panicked and will be restarted");
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(RESTART) => {}
            }
        }
    }
}

/// Adds the rows of the schedules.
pub(crate) async fn ensure_schedules(jobs: &Jobs, handlers: &Handlers) -> Result<(), DbErr> {
    let tx = jobs.db.write_tx().await?;
    let now = jobs.ambient.now();
    for (name, period) in handlers.schedules() {
        // A schedule waits for its period, or for less than an hour if it failed.
        let latest = now + period + CLOCK_SLACK;
        store::ensure_schedule(&tx, jobs.ambient.uid(), name, now, latest).await?;
    }
    tx.commit().await
}

/// Makes schedules due again whose rows were written before the clock was set back. Returns the time, or `latest` if that has
/// to be repeated.
async fn notice_clock(jobs: &Jobs, handlers: &Handlers, latest: Timestamp) -> Timestamp {
    let now = jobs.ambient.now();
    if now + CLOCK_SLACK < latest {
        if let Err(error) = ensure_schedules(jobs, handlers).await {
            tracing::warn!(%error, "the clock was set back, and the schedules could not be changed");
            return latest;
        }
        tracing::warn!("the clock was set back; schedules that were due later than they can be are due now");
    }
    now
}

async fn run_loop(
    jobs: &Jobs,
    handlers: &Handlers,
    queue: Queue,
    name: &str,
    grace: Duration,
    stop: &CancellationToken,
) {
    let mut latest = jobs.ambient.now();
    while !stop.is_cancelled() {
        let woken = jobs.wake.notified();
        latest = notice_clock(jobs, handlers, latest).await;
        let claimed = match claim(jobs, handlers, queue, name).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(%error, "no job could be claimed");
                None
            }
        };
        let Some(job) = claimed else {
            let poll = if jobs.listens.load(Ordering::Relaxed) { POLL_LISTENING } else { POLL };
            tokio::select! {
                () = stop.cancelled() => break,
                () = woken => {}
                () = tokio::time::sleep(poll) => {}
            }
            continue;
        };
        let (uid, attempt) = (job.uid, job.attempt);
        let running = run_claimed(jobs, handlers, job);
        tokio::pin!(running);
        let shutdown = async {
            stop.cancelled().await;
            tokio::time::sleep(grace).await;
        };
        let outcome = tokio::select! {
            outcome = &mut running => outcome,
            () = shutdown => give_back(jobs, uid, attempt).await,
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, %uid, "the outcome of a job could not be recorded; the job stays claimed until its lease ends");
        }
    }
}

async fn claim(jobs: &Jobs, handlers: &Handlers, queue: Queue, name: &str) -> Result<Option<Model>, DbErr> {
    let now = jobs.ambient.now();
    let kinds = handlers.kinds(queue, now).await?;
    loop {
        // A transaction would take SQLite's only writer from a request, at every poll of every idle loop.
        if !store::any_due(jobs.db.read(), &kinds, now).await? {
            return Ok(None);
        }
        let tx = jobs.db.write_tx().await?;
        let job = store::claim(&tx, &kinds, name, now, now + jobs.lease).await?;
        let Some(spent) = job.as_ref().filter(|job| job.crashes >= job.max_crashes) else {
            tx.commit().await?;
            return Ok(job);
        };
        // Every worker that tried the job died, and so would this one.
        store::give_up(&tx, spent.uid, spent.attempt, now, "the worker died in the last attempt").await?;
        tx.commit().await?;
        tracing::error!(kind = spent.kind, uid = %spent.uid, "job given up: its worker died in the last attempt");
        metrics::counter!("vitrine_jobs_total", "kind" => spent.kind.clone(), "outcome" => "dead")
            .increment(1);
    }
}

/// Claims and runs one job. Returns false if none was due.
pub(crate) async fn run_one(
    jobs: &Jobs,
    handlers: &Handlers,
    queue: Queue,
    name: &str,
) -> Result<bool, DbErr> {
    let Some(job) = claim(jobs, handlers, queue, name).await? else { return Ok(false) };
    run_claimed(jobs, handlers, job).await?;
    Ok(true)
}

async fn run_claimed(jobs: &Jobs, handlers: &Handlers, job: Model) -> Result<(), DbErr> {
    let Some(handler) = handlers.get(&job.kind) else { return Ok(()) };
    let attempt = Attempt { is_last: is_last(&job, handler, jobs.ambient.now()) };
    let span = tracing::info_span!("job", kind = job.kind, uid = %job.uid, attempt = job.attempt);
    if let Some(trace) = &job.trace {
        jobs.traces.link(&span, trace);
    }
    let work = AssertUnwindSafe((handler.run)(job.payload.clone(), attempt)).catch_unwind().instrument(span);
    let began = Instant::now();
    let outcome = tokio::select! {
        outcome = work => outcome,
        () = hold_lease(jobs, &job) => {
            tracing::warn!(uid = %job.uid, kind = job.kind, "lease lost; the attempt was cancelled");
            return Ok(());
        }
    };
    note_time(&job, began.elapsed());
    let outcome = outcome.unwrap_or_else(|_| Err(JobError::Retry("the job panicked".to_owned())));
    record(jobs, handler, &job, attempt, outcome).await
}

/// Measures an attempt, and logs a long one.
fn note_time(job: &Model, took: Duration) {
    metrics::histogram!("vitrine_job_seconds", "kind" => job.kind.clone()).record(took.as_secs_f64());
    if took >= LONG {
        tracing::info!(kind = job.kind, uid = %job.uid, seconds = took.as_secs(), "a long job ended");
    }
}

/// Extends the lease of a running job until it is lost. A failing database does no harm while the lease
/// lasts, because no other worker can claim the job before it ends.
async fn hold_lease(jobs: &Jobs, job: &Model) {
    let heartbeat_every = Duration::from_millis(u64::try_from(jobs.lease / 3).unwrap_or(1_000).max(1));
    let (mut lease_until, mut pause) = (job.lease_until.unwrap_or_default(), heartbeat_every);
    loop {
        tokio::time::sleep(pause).await;
        let extended = jobs.ambient.now() + jobs.lease;
        match heartbeat(jobs, job, extended).await {
            Ok(true) => (lease_until, pause) = (extended, heartbeat_every),
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(%error, uid = %job.uid, kind = job.kind, "a lease could not be extended");
                if jobs.ambient.now() >= lease_until {
                    return;
                }
                pause = heartbeat_every / 4;
            }
        }
    }
}

async fn heartbeat(jobs: &Jobs, job: &Model, lease_until: Timestamp) -> Result<bool, DbErr> {
    let tx = jobs.db.write_tx().await?;
    let ours = store::heartbeat(&tx, job.uid, job.attempt, lease_until).await?;
    tx.commit().await?;
    Ok(ours)
}

/// Records the outcome of an attempt, unless another attempt owns the job.
async fn record(
    jobs: &Jobs,
    handler: &Handler,
    job: &Model,
    attempt: Attempt,
    outcome: Result<(), JobError>,
) -> Result<(), DbErr> {
    let now = jobs.ambient.now();
    let tx = jobs.db.write_tx().await?;
    let (outcome, ours) = match (outcome, handler.period()) {
        (Ok(()), Some(period)) => {
            ("done", store::reschedule(&tx, job.uid, job.attempt, now + period, None, true).await?)
        }
        (Ok(()), None) => ("done", store::finish(&tx, job.uid, job.attempt, now).await?),
        // A schedule has no last attempt: what failed today may succeed tomorrow.
        (Err(JobError::Retry(error) | JobError::Final(error)), Some(_)) => {
            ("retry", retry(&tx, job, now, &error).await?)
        }
        (Err(JobError::Retry(error)), None) if !attempt.is_last => {
            ("retry", retry(&tx, job, now, &error).await?)
        }
        (Err(JobError::Retry(error) | JobError::Final(error)), None) => {
            tracing::error!(kind = job.kind, uid = %job.uid, attempt = job.attempt, %error, "job given up");
            ("dead", store::give_up(&tx, job.uid, job.attempt, now, &error).await?)
        }
    };
    tx.commit().await?;
    if !ours {
        tracing::warn!(uid = %job.uid, kind = job.kind, "attempt finished after its lease was lost");
    }
    metrics::counter!("vitrine_jobs_total", "kind" => job.kind.clone(), "outcome" => outcome).increment(1);
    Ok(())
}

async fn retry(tx: &db::WriteTx, job: &Model, now: Timestamp, error: &str) -> Result<bool, DbErr> {
    tracing::warn!(kind = job.kind, uid = %job.uid, attempt = job.attempt, %error, "job failed, will retry");
    store::reschedule(tx, job.uid, job.attempt, now + backoff(job.attempt), Some(error), false).await
}

/// Gives the lease back. A shutdown is not the job's fault, so the attempt does not count.
async fn give_back(jobs: &Jobs, uid: JobId, attempt: i32) -> Result<(), DbErr> {
    let tx = jobs.db.write_tx().await?;
    store::give_back(&tx, uid, attempt, jobs.ambient.now(), "the worker stopped").await?;
    tx.commit().await
}

/// Returns true if the job is given up when the attempt that begins now fails: it has been tried for as long
/// as its kind allows and at least [`MIN_ATTEMPTS`] times, because time in which no worker ran must not end a
/// job.
fn is_last(job: &Model, handler: &Handler, now: Timestamp) -> bool {
    let since = job.first_attempt_at.unwrap_or(now);
    handler.retry_for.is_some_and(|time| now - since >= time && job.attempt >= MIN_ATTEMPTS)
}

/// Returns the wait after an attempt: one second, doubling with each attempt, at most an hour.
fn backoff(attempt: i32) -> Millis {
    let doublings = u32::try_from(attempt - 1).unwrap_or(0).min(12);
    (SECOND << doublings).min(HOUR)
}

#[cfg(test)]
mod tests {
    use super::backoff;

    #[test]
    fn the_wait_doubles_from_a_second_to_an_hour() {
        assert_eq!(
            [1, 2, 3, 12, 13, 100].map(backoff),
            [1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000]
        );
    }
}
