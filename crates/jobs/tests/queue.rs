//! The queue on a real database: retries, fences, schedules, and workers that die.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[path = "queue/clock.rs"]
mod clock;
#[path = "queue/idle.rs"]
mod idle;
#[path = "queue/lease.rs"]
mod lease;
#[path = "queue/old.rs"]
mod old;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use db::Db;
use jobs::{Handlers, Job, JobError, JobSelector, JobState, Jobs, Queue};
use kernel::{Ambient, Clock, DAY, HOUR, Millis, SystemRandom, Timestamp};
use serde::{Deserialize, Serialize};

use testkit::Database;
use tokio::sync::Notify;

#[derive(Serialize, Deserialize)]
struct Count {
    by: usize,
}
impl Job for Count {
    const KIND: &'static str = "count";
    const RETRY_FOR: Option<Millis> = Some(DAY);
    const MAX_CRASHES: i32 = 3;
}

#[derive(Default)]
struct TestClock(AtomicI64);
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

struct TestApp {
    db: Db,
    jobs: Jobs,
    clock: Arc<TestClock>,
    database: Database,
    _folder: tempfile::TempDir,
}

async fn test_app() -> TestApp {
    let clock = Arc::new(TestClock(AtomicI64::new(1_800_000_000_000)));
    test_app_with(Ambient::new(clock.clone(), Arc::new(SystemRandom)), clock).await
}

async fn test_app_with(ambient: Ambient, clock: Arc<TestClock>) -> TestApp {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::migrated(folder.path(), &jobs::migrations()).await;
    let db = Db::connect(database.url()).await.unwrap();
    TestApp { jobs: Jobs::new(db.clone(), ambient), db, clock, database, _folder: folder }
}

/// Of a schedule that has work at every question.
async fn always() -> Result<bool, sea_orm::DbErr> {
    Ok(true)
}

impl TestApp {
    async fn enqueue(&self, by: usize) {
        let tx = self.db.write_tx().await.unwrap();
        self.jobs.enqueue(&tx, &Count { by }).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A worker that dies while it runs a job: dropping the future acts like a kill.
    async fn die_at_work(&self) {
        let begun = Arc::new(Notify::new());
        let begins = Arc::clone(&begun);
        let mut never_ending = Handlers::default();
        never_ending.on(Queue::Quick, move |_: Count| {
            begins.notify_one();
            std::future::pending()
        });
        tokio::select! {
            ended = self.jobs.run_due(&never_ending) => panic!("no job runs: {ended:?}"),
            () = begun.notified() => {}
        }
    }

    async fn retry(&self, selector: JobSelector) -> u64 {
        let tx = self.db.write_tx().await.unwrap();
        let jobs = self.jobs.retry(&tx, selector).await.unwrap();
        tx.commit().await.unwrap();
        jobs
    }

    fn advance(&self, ms: Millis) {
        self.clock.0.fetch_add(ms, Ordering::SeqCst);
    }

    /// Returns how long the only job waits for its next attempt, or `None` once it is given up.
    async fn wait(&self) -> Option<Millis> {
        let job = self.jobs.list(false, None, 1).await.unwrap().remove(0);
        (job.state == JobState::Ready.into()).then(|| job.due_at - self.clock.now())
    }

    /// Removes the database.
    async fn end(self) {
        drop(self.jobs);
        self.db.close().await;
        self.database.remove().await;
    }
}

fn counting(total: &Arc<AtomicUsize>, fail_first: usize) -> Handlers {
    let (total, tries) = (Arc::clone(total), Arc::new(AtomicUsize::new(0)));
    let mut handlers = Handlers::default();
    handlers.on(Queue::Quick, move |job: Count| {
        let (total, tries) = (Arc::clone(&total), Arc::clone(&tries));
        async move {
            if tries.fetch_add(1, Ordering::SeqCst) < fail_first {
                return Err(JobError::Retry("not yet".into()));
            }
            total.fetch_add(job.by, Ordering::SeqCst);
            Ok(())
        }
    });
    handlers
}

#[tokio::test]
async fn a_job_of_a_rolled_back_transaction_never_runs() {
    let app = test_app().await;
    let tx = app.db.write_tx().await.unwrap();
    app.jobs.enqueue(&tx, &Count { by: 1 }).await.unwrap();
    drop(tx);
    assert_eq!(app.jobs.run_due(&counting(&Arc::default(), 0)).await.unwrap(), 0);
    app.end().await;
}

#[tokio::test]
async fn a_failed_job_waits_longer_each_time_and_is_finally_given_up() {
    let app = test_app().await;
    let total = Arc::default();
    let handlers = counting(&total, 99);
    app.enqueue(1).await;
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 0, "the retry is due after one second");
    let (mut waited, mut waits) = (0, Vec::new());
    while let Some(wait) = app.wait().await {
        app.advance(wait);
        waited += wait;
        waits.push(wait);
        assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    }
    assert!((DAY..DAY + HOUR).contains(&waited), "{waited}");
    assert_eq!((waits[..3].to_vec(), *waits.last().unwrap()), (vec![1_000, 2_000, 4_000], HOUR));
    let left = app.jobs.leftovers().await.unwrap();
    assert_eq!((left[0].state, left[0].last_error.as_deref()), (JobState::Dead.into(), Some("not yet")));
    app.end().await;
}

#[tokio::test]
async fn a_job_that_no_worker_could_run_for_days_is_still_tried_more_than_once() {
    let app = test_app().await;
    let total = Arc::default();
    app.enqueue(1).await;
    assert_eq!(app.jobs.run_due(&counting(&total, 99)).await.unwrap(), 1);
    app.advance(5 * DAY);
    let handlers = counting(&total, 1);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    app.advance(2_000);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    app.end().await;
}

#[derive(Serialize, Deserialize)]
struct Forever {}
impl Job for Forever {
    const KIND: &'static str = "forever";
    const RETRY_FOR: Option<Millis> = None;
}

#[tokio::test]
async fn a_job_without_a_retry_limit_is_tried_until_it_succeeds() {
    let app = test_app().await;
    let tx = app.db.write_tx().await.unwrap();
    app.jobs.enqueue(&tx, &Forever {}).await.unwrap();
    tx.commit().await.unwrap();
    let lasts = Arc::new(AtomicUsize::new(0));
    let mut handlers = Handlers::default();
    let counter = Arc::clone(&lasts);
    handlers.on_attempt(Queue::Quick, move |_: Forever, attempt| {
        counter.fetch_add(usize::from(attempt.is_last), Ordering::SeqCst);
        async { Err(JobError::Retry("away".into())) }
    });
    for _ in 0..100 {
        assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
        let wait = app.wait().await.unwrap();
        assert!(wait <= HOUR);
        app.advance(wait);
    }
    assert_eq!(lasts.load(Ordering::SeqCst), 0);
    app.end().await;
}

#[tokio::test]
async fn a_job_that_was_given_up_runs_again_if_the_operator_retries_it() {
    let app = test_app().await;
    for by in [1, 10] {
        app.enqueue(by).await;
    }
    let mut refusing = Handlers::default();
    refusing.on(Queue::Quick, |_: Count| async { Err(JobError::Final("never".into())) });
    assert_eq!(app.jobs.run_due(&refusing).await.unwrap(), 2);
    let dead = app.jobs.list(true, None, 10).await.unwrap();
    assert_eq!(
        dead.iter().map(|job| (job.state, job.attempts)).collect::<Vec<_>>(),
        [(JobState::Dead.into(), 1); 2]
    );
    assert_eq!(app.jobs.list(true, Some(dead[0].uid), 10).await.unwrap(), dead[1..]);
    assert_eq!(app.retry(JobSelector::One(dead[1].uid)).await, 1);
    let total = Arc::default();
    assert_eq!(app.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 10);
    assert_eq!(app.retry(JobSelector::Dead).await, 1);
    assert_eq!(app.retry(JobSelector::Dead).await, 0);
    assert_eq!(app.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 11);
    app.end().await;
}

#[tokio::test]
async fn a_loop_that_panics_is_restarted_and_readiness_reports_it() {
    let app = test_app().await;
    let total: Arc<AtomicUsize> = Arc::default();
    let mut handlers = Handlers::default();
    let (counted, panicked) = (Arc::clone(&total), AtomicUsize::new(0));
    // The panic is in the loop itself: one in the job's future would be caught.
    handlers.on(Queue::Quick, move |job: Count| {
        assert!(panicked.fetch_add(1, Ordering::SeqCst) > 0, "the first one panics");
        let counted = Arc::clone(&counted);
        async move {
            counted.fetch_add(job.by, Ordering::SeqCst);
            Ok(())
        }
    });
    app.enqueue(1).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let queue = app.jobs.clone();
    assert!(queue.loops_alive());
    let worker = tokio::spawn(jobs::run_worker(queue, handlers, 1, 0, Duration::ZERO, stop.clone()));
    let mut was_dead = false;
    let began = std::time::Instant::now();
    while total.load(Ordering::SeqCst) < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "the loop was never restarted");
        if !app.jobs.loops_alive() && !was_dead {
            was_dead = true;
            // The first job stays claimed for a minute; another one is free.
            app.enqueue(2).await;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(was_dead && app.jobs.loops_alive());
    stop.cancel();
    worker.await.unwrap();
    app.end().await;
}

#[tokio::test]
async fn a_job_whose_worker_died_is_claimed_again_after_its_lease() {
    let app = test_app().await;
    app.enqueue(1).await;
    app.die_at_work().await;
    let total = Arc::default();
    let handlers = counting(&total, 0);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 0, "the lease still holds");
    app.advance(60_001);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    assert!(app.jobs.leftovers().await.unwrap().is_empty());
    app.end().await;
}

#[tokio::test]
async fn a_job_that_kills_its_worker_is_given_up_after_the_last_attempt() {
    let app = test_app().await;
    app.enqueue(1).await;
    for _ in 0..Count::MAX_CRASHES {
        app.die_at_work().await;
        app.advance(60_001);
    }
    app.enqueue(2).await;
    let total = Arc::default();
    assert_eq!(app.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1, "the one behind it runs");
    assert_eq!(total.load(Ordering::SeqCst), 2);
    let left = app.jobs.leftovers().await.unwrap();
    let why = "the worker died in the last attempt";
    assert_eq!((left[0].state, left[0].last_error.as_deref()), (JobState::Dead.into(), Some(why)));
    app.end().await;
}

#[tokio::test]
async fn a_schedule_that_failed_finally_still_runs_again() {
    let app = test_app().await;
    let failing = || {
        let mut handlers = Handlers::default();
        handlers.every_if("sweep", 60_000, Queue::Quick, always, || async {
            Err(JobError::Final("never".into()))
        });
        handlers
    };
    // A worker without loops adds the schedule's row and returns, so the test can count the runs.
    let stop = tokio_util::sync::CancellationToken::new();
    jobs::run_worker(app.jobs.clone(), failing(), 0, 0, Duration::ZERO, stop).await;
    assert_eq!(app.jobs.run_due(&failing()).await.unwrap(), 1);
    assert_eq!(app.jobs.run_due(&failing()).await.unwrap(), 0, "the retry is due after one second");
    app.advance(1_000);
    assert_eq!(app.jobs.run_due(&failing()).await.unwrap(), 1);
    app.end().await;
}

#[tokio::test]
async fn a_slow_worker_cannot_finish_a_job_that_another_one_claimed() {
    let app = test_app().await;
    app.enqueue(1).await;
    let begun = Arc::new(Notify::new());
    let start = |gate: &Arc<Notify>| {
        let (jobs, gate, begun) = (app.jobs.clone(), Arc::clone(gate), Arc::clone(&begun));
        let mut handlers = Handlers::default();
        handlers.on(Queue::Quick, move |_: Count| {
            begun.notify_one();
            let gate = Arc::clone(&gate);
            async move {
                gate.notified().await;
                Ok(())
            }
        });
        tokio::spawn(async move { jobs.run_due(&handlers).await })
    };
    let (slow, quick) = (Arc::default(), Arc::default());
    let first = start(&slow);
    begun.notified().await;
    app.advance(60_001);
    let second = start(&quick);
    begun.notified().await;
    slow.notify_one();
    first.await.unwrap().unwrap();
    let left = app.jobs.leftovers().await.unwrap();
    assert_eq!(left[0].state, JobState::Running.into(), "the second attempt owns it now");
    quick.notify_one();
    second.await.unwrap().unwrap();
    assert!(app.jobs.leftovers().await.unwrap().is_empty());
    app.end().await;
}

#[tokio::test]
async fn four_workers_run_two_hundred_jobs_once_each() {
    let app = test_app().await;
    for _ in 0..200 {
        app.enqueue(1).await;
    }
    let total: Arc<AtomicUsize> = Arc::default();
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = tokio::spawn(jobs::run_worker(
        app.jobs.clone(),
        counting(&total, 0),
        4,
        0,
        Duration::from_secs(1),
        stop.clone(),
    ));
    while total.load(Ordering::SeqCst) < 200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    worker.await.unwrap();
    assert_eq!(total.load(Ordering::SeqCst), 200);
    assert!(app.jobs.leftovers().await.unwrap().is_empty());
    app.end().await;
}

#[tokio::test]
async fn a_stopping_worker_gives_its_lease_back_and_its_attempt_does_not_count() {
    let app = test_app().await;
    app.enqueue(1).await;
    for _ in 0..=Count::MAX_CRASHES {
        let mut never_ending = Handlers::default();
        never_ending.on(Queue::Quick, |_: Count| std::future::pending());
        let stop = tokio_util::sync::CancellationToken::new();
        let (queue, grace) = (app.jobs.clone(), Duration::from_millis(20));
        let worker = tokio::spawn(jobs::run_worker(queue, never_ending, 1, 0, grace, stop.clone()));
        while app.jobs.leftovers().await.unwrap()[0].state != JobState::Running.into() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
        worker.await.unwrap();
        assert_eq!(app.jobs.leftovers().await.unwrap()[0].state, JobState::Ready.into());
    }
    let total = Arc::default();
    assert_eq!(app.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    app.end().await;
}

#[tokio::test]
async fn a_second_process_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("one.db").display());
    let first = Db::connect(&url).await.unwrap();
    assert!(matches!(Db::connect(&url).await, Err(db::ConnectError::InUse(_))));
    first.close().await;
    assert!(Db::connect(&url).await.is_ok());
}
