//! The queue on a real database: retries, fences, schedules, and workers that die.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

/// The databases that the crates above use. `testkit` depends on this crate, so only this file of it is
/// included.
#[path = "../../testkit/src/database.rs"]
mod database;
#[path = "queue/lease.rs"]
mod lease;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use db::Db;
use jobs::{Failure, Handlers, Job, Jobs, Lane, Which};
use kernel::{Ambient, Clock, DAY, HOUR, Millis, SystemRandom};
use serde::{Deserialize, Serialize};

use database::Database;

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
struct Hand(AtomicI64);
impl Clock for Hand {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

struct Bench {
    db: Db,
    jobs: Jobs,
    clock: Arc<Hand>,
    database: Database,
    _folder: tempfile::TempDir,
}

async fn bench() -> Bench {
    let clock = Arc::new(Hand(AtomicI64::new(1_800_000_000_000)));
    bench_with(Ambient::new(clock.clone(), Arc::new(SystemRandom)), clock).await
}

async fn bench_with(ambient: Ambient, clock: Arc<Hand>) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    db::migrate(&db, &ambient, &jobs::migrations()).await.unwrap();
    Bench { jobs: Jobs::new(db.clone(), ambient), db, clock, database, _folder: folder }
}

impl Bench {
    async fn enqueue(&self, by: usize) {
        let tx = self.db.write_tx().await.unwrap();
        self.jobs.enqueue(&tx, &Count { by }).await.unwrap();
        tx.commit().await.unwrap();
    }

    fn pass(&self, ms: Millis) {
        self.clock.0.fetch_add(ms, Ordering::SeqCst);
    }

    /// Returns how long the only job waits for its next attempt, or `None` once it is given up.
    async fn wait(&self) -> Option<Millis> {
        let job = self.jobs.list(false, None, 1).await.unwrap().remove(0);
        (job.state == "ready").then(|| job.due_at - self.clock.now())
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
    handlers.on(Lane::Quick, move |job: Count| {
        let (total, tries) = (Arc::clone(&total), Arc::clone(&tries));
        async move {
            if tries.fetch_add(1, Ordering::SeqCst) < fail_first {
                return Err(Failure::Retry("not yet".into()));
            }
            total.fetch_add(job.by, Ordering::SeqCst);
            Ok(())
        }
    });
    handlers
}

#[tokio::test]
async fn a_job_of_a_transaction_that_was_undone_never_runs() {
    let bench = bench().await;
    let tx = bench.db.write_tx().await.unwrap();
    bench.jobs.enqueue(&tx, &Count { by: 1 }).await.unwrap();
    drop(tx);
    assert_eq!(bench.jobs.run_due(&counting(&Arc::default(), 0)).await.unwrap(), 0);
    bench.end().await;
}

#[tokio::test]
async fn a_failed_job_waits_longer_each_time_and_is_given_up_at_last() {
    let bench = bench().await;
    let total = Arc::default();
    let handlers = counting(&total, 99);
    bench.enqueue(1).await;
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 0, "the retry is due after one second");
    let (mut waited, mut waits) = (0, Vec::new());
    while let Some(wait) = bench.wait().await {
        bench.pass(wait);
        waited += wait;
        waits.push(wait);
        assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
    }
    assert!((DAY..DAY + HOUR).contains(&waited), "{waited}");
    assert_eq!((waits[..3].to_vec(), *waits.last().unwrap()), (vec![1_000, 2_000, 4_000], HOUR));
    let left = bench.jobs.leftovers().await.unwrap();
    assert_eq!((left[0].state.as_str(), left[0].last_error.as_deref()), ("dead", Some("not yet")));
    bench.end().await;
}

#[tokio::test]
async fn a_job_that_nobody_could_run_for_days_is_still_tried_more_than_once() {
    let bench = bench().await;
    let total = Arc::default();
    bench.enqueue(1).await;
    assert_eq!(bench.jobs.run_due(&counting(&total, 99)).await.unwrap(), 1);
    bench.pass(5 * DAY);
    let handlers = counting(&total, 1);
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
    bench.pass(2_000);
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    bench.end().await;
}

#[derive(Serialize, Deserialize)]
struct Forever {}
impl Job for Forever {
    const KIND: &'static str = "forever";
    const RETRY_FOR: Option<Millis> = None;
}

#[tokio::test]
async fn a_job_without_an_end_is_tried_for_as_long_as_it_takes() {
    let bench = bench().await;
    let tx = bench.db.write_tx().await.unwrap();
    bench.jobs.enqueue(&tx, &Forever {}).await.unwrap();
    tx.commit().await.unwrap();
    let lasts = Arc::new(AtomicUsize::new(0));
    let mut handlers = Handlers::default();
    let seen = Arc::clone(&lasts);
    handlers.on_attempt(Lane::Quick, move |_: Forever, attempt| {
        seen.fetch_add(usize::from(attempt.is_last), Ordering::SeqCst);
        async { Err(Failure::Retry("away".into())) }
    });
    for _ in 0..100 {
        assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
        let wait = bench.wait().await.unwrap();
        assert!(wait <= HOUR);
        bench.pass(wait);
    }
    assert_eq!(lasts.load(Ordering::SeqCst), 0);
    bench.end().await;
}

#[tokio::test]
async fn a_job_that_was_given_up_runs_again_when_the_operator_says_so() {
    let bench = bench().await;
    for by in [1, 10] {
        bench.enqueue(by).await;
    }
    let mut refusing = Handlers::default();
    refusing.on(Lane::Quick, |_: Count| async { Err(Failure::Final("never".into())) });
    assert_eq!(bench.jobs.run_due(&refusing).await.unwrap(), 2);
    let dead = bench.jobs.list(true, None, 10).await.unwrap();
    assert_eq!(
        dead.iter().map(|job| (job.state.as_str(), job.attempts)).collect::<Vec<_>>(),
        [("dead", 1); 2]
    );
    assert_eq!(bench.jobs.list(true, Some(dead[0].uid), 10).await.unwrap(), dead[1..]);
    assert_eq!(bench.jobs.retry(Which::One(dead[1].uid)).await.unwrap(), 1);
    let total = Arc::default();
    assert_eq!(bench.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 10);
    assert_eq!(bench.jobs.retry(Which::Dead).await.unwrap(), 1);
    assert_eq!(bench.jobs.retry(Which::Dead).await.unwrap(), 0);
    assert_eq!(bench.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 11);
    bench.end().await;
}

#[tokio::test]
async fn a_loop_that_panics_is_restarted_and_readiness_knows() {
    let bench = bench().await;
    let total: Arc<AtomicUsize> = Arc::default();
    let mut handlers = Handlers::default();
    let (counted, panicked) = (Arc::clone(&total), AtomicUsize::new(0));
    // The panic is in the loop itself: one in the job's future would be caught.
    handlers.on(Lane::Quick, move |job: Count| {
        assert!(panicked.fetch_add(1, Ordering::SeqCst) > 0, "the first one panics");
        let counted = Arc::clone(&counted);
        async move {
            counted.fetch_add(job.by, Ordering::SeqCst);
            Ok(())
        }
    });
    bench.enqueue(1).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let queue = bench.jobs.clone();
    assert!(queue.loops_alive());
    let worker = tokio::spawn(jobs::run_worker(queue, handlers, 1, 0, Duration::ZERO, stop.clone()));
    let mut was_dead = false;
    let began = std::time::Instant::now();
    while total.load(Ordering::SeqCst) < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "the loop was never restarted");
        if !bench.jobs.loops_alive() && !was_dead {
            was_dead = true;
            // The first job stays claimed for a minute; another one is free.
            bench.enqueue(2).await;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(was_dead && bench.jobs.loops_alive());
    stop.cancel();
    worker.await.unwrap();
    bench.end().await;
}

#[tokio::test]
async fn a_job_whose_worker_died_is_taken_again_and_the_dead_ones_word_no_longer_counts() {
    let bench = bench().await;
    bench.enqueue(1).await;
    // A worker that dies: dropping the future while the job runs acts like a kill.
    let mut stuck = Handlers::default();
    stuck.on(Lane::Quick, |_: Count| std::future::pending());
    let dying = bench.jobs.run_due(&stuck);
    assert!(tokio::time::timeout(Duration::from_millis(200), dying).await.is_err());
    let total = Arc::default();
    let handlers = counting(&total, 0);
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 0, "the lease still holds");
    bench.pass(60_001);
    assert_eq!(bench.jobs.run_due(&handlers).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    assert!(bench.jobs.leftovers().await.unwrap().is_empty());
    bench.end().await;
}

#[tokio::test]
async fn a_job_that_kills_its_worker_is_given_up_after_the_last_attempt() {
    let bench = bench().await;
    bench.enqueue(1).await;
    let mut stuck = Handlers::default();
    stuck.on(Lane::Quick, |_: Count| std::future::pending());
    for _ in 0..Count::MAX_CRASHES {
        let dying = bench.jobs.run_due(&stuck);
        assert!(tokio::time::timeout(Duration::from_millis(100), dying).await.is_err(), "it is attempted");
        bench.pass(60_001);
    }
    bench.enqueue(2).await;
    let total = Arc::default();
    assert_eq!(bench.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1, "the one behind it runs");
    assert_eq!(total.load(Ordering::SeqCst), 2);
    let left = bench.jobs.leftovers().await.unwrap();
    let why = "the worker died in the last attempt";
    assert_eq!((left[0].state.as_str(), left[0].last_error.as_deref()), ("dead", Some(why)));
    bench.end().await;
}

#[tokio::test]
async fn a_schedule_that_failed_for_good_runs_again_all_the_same() {
    let bench = bench().await;
    let failing = || {
        let mut handlers = Handlers::default();
        handlers.every("sweep", 60_000, Lane::Quick, || async { Err(Failure::Final("never".into())) });
        handlers
    };
    // A worker without loops adds the schedule's row and returns, so the test can count the runs.
    let stop = tokio_util::sync::CancellationToken::new();
    jobs::run_worker(bench.jobs.clone(), failing(), 0, 0, Duration::ZERO, stop).await;
    assert_eq!(bench.jobs.run_due(&failing()).await.unwrap(), 1);
    assert_eq!(bench.jobs.run_due(&failing()).await.unwrap(), 0, "the retry is due after one second");
    bench.pass(1_000);
    assert_eq!(bench.jobs.run_due(&failing()).await.unwrap(), 1);
    bench.end().await;
}

#[tokio::test]
async fn a_slow_workers_word_does_not_count_once_another_has_the_job() {
    let bench = bench().await;
    bench.enqueue(1).await;
    let start = |gate: &Arc<tokio::sync::Notify>| {
        let (jobs, gate) = (bench.jobs.clone(), Arc::clone(gate));
        let mut handlers = Handlers::default();
        handlers.on(Lane::Quick, move |_: Count| {
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
    while bench.jobs.leftovers().await.unwrap()[0].state != "running" {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    bench.pass(60_001);
    let second = start(&quick);
    tokio::time::sleep(Duration::from_millis(200)).await;
    slow.notify_one();
    first.await.unwrap().unwrap();
    assert_eq!(bench.jobs.leftovers().await.unwrap()[0].state, "running", "the second attempt owns it now");
    quick.notify_one();
    second.await.unwrap().unwrap();
    assert!(bench.jobs.leftovers().await.unwrap().is_empty());
    bench.end().await;
}

#[tokio::test]
async fn four_workers_do_two_hundred_jobs_once_each() {
    let bench = bench().await;
    for _ in 0..200 {
        bench.enqueue(1).await;
    }
    let total: Arc<AtomicUsize> = Arc::default();
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = tokio::spawn(jobs::run_worker(
        bench.jobs.clone(),
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
    assert!(bench.jobs.leftovers().await.unwrap().is_empty());
    bench.end().await;
}

#[tokio::test]
async fn a_stopping_worker_gives_its_lease_back_and_its_attempt_does_not_count() {
    let bench = bench().await;
    bench.enqueue(1).await;
    for _ in 0..=Count::MAX_CRASHES {
        let mut stuck = Handlers::default();
        stuck.on(Lane::Quick, |_: Count| std::future::pending());
        let stop = tokio_util::sync::CancellationToken::new();
        let (queue, grace) = (bench.jobs.clone(), Duration::from_millis(20));
        let worker = tokio::spawn(jobs::run_worker(queue, stuck, 1, 0, grace, stop.clone()));
        while bench.jobs.leftovers().await.unwrap()[0].state != "running" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
        worker.await.unwrap();
        assert_eq!(bench.jobs.leftovers().await.unwrap()[0].state, "ready");
    }
    let total = Arc::default();
    assert_eq!(bench.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    assert_eq!(total.load(Ordering::SeqCst), 1);
    bench.end().await;
}

#[tokio::test]
async fn a_second_process_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("one.db").display());
    let first = Db::connect(&url).await.unwrap();
    assert!(matches!(Db::connect(&url).await, Err(db::ConnectError::Held(_))));
    first.close().await;
    assert!(Db::connect(&url).await.is_ok());
}
