//! A clock that is set back by a day, as by a machine whose battery failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jobs::{Handlers, Queue};
use kernel::{DAY, HOUR, MINUTE, SECOND};
use sea_orm::ConnectionTrait as _;
use tokio_util::sync::CancellationToken;

use super::{Count, TestApp, test_app};

/// Handles a schedule and a job, and counts how often they run.
fn counting(runs: &Arc<AtomicUsize>) -> Handlers {
    let mut handlers = Handlers::default();
    let counted = Arc::clone(runs);
    handlers.every_if("sweep", HOUR, Queue::Quick, super::always, move || {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Ok(()) }
    });
    let counted = Arc::clone(runs);
    handlers.on(Queue::Quick, move |_: Count| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Ok(()) }
    });
    handlers
}

async fn start_worker(app: &TestApp, handlers: &Handlers) {
    // A worker without loops adds the rows of the schedules and returns.
    let stop = CancellationToken::new();
    jobs::run_worker(app.jobs.clone(), handlers.clone(), 0, 0, Duration::ZERO, stop).await;
}

#[tokio::test]
async fn schedules_run_again_after_the_clock_was_set_back() {
    let app = test_app().await;
    let runs = Arc::new(AtomicUsize::new(0));
    let handlers = counting(&runs);
    start_worker(&app, &handlers).await;
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1);
    app.advance(-DAY);
    start_worker(&app, &handlers).await;
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1, "not a day later");
    // A little back changes nothing.
    app.advance(-MINUTE);
    start_worker(&app, &handlers).await;
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 0);
    app.end().await;
}

#[tokio::test]
async fn a_running_worker_notices_that_the_clock_was_set_back() {
    let app = test_app().await;
    let (runs, stop) = (Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    let handlers = counting(&runs);
    let worker = jobs::run_worker(app.jobs.clone(), handlers, 1, 0, Duration::ZERO, stop.clone());
    let worker = tokio::spawn(worker);
    let until = async |count: usize| {
        for _ in 0..400 {
            if runs.load(Ordering::SeqCst) >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("it ran {} times, not {count}", runs.load(Ordering::SeqCst));
    };
    until(1).await;
    // The loop has seen the time before it looks again.
    tokio::time::sleep(Duration::from_secs(1)).await;
    app.advance(-DAY);
    until(2).await;
    stop.cancel();
    worker.await.unwrap();
    app.end().await;
}

#[tokio::test]
async fn the_job_of_a_dead_worker_is_taken_over_after_the_clock_was_set_back() {
    let app = test_app().await;
    let runs = Arc::new(AtomicUsize::new(0));
    let handlers = counting(&runs);
    app.enqueue(1).await;
    // A worker took it, and died.
    let tx = app.db.write_tx().await.unwrap();
    let lease = app.clock.0.load(Ordering::SeqCst) + MINUTE;
    let running = format!("UPDATE job SET state = 'running', attempt = 1, lease_until = {lease}");
    tx.execute_unprepared(&running).await.unwrap();
    tx.commit().await.unwrap();
    app.advance(-30 * SECOND);
    assert_eq!(
        app.jobs.run_due(&handlers).await.unwrap(),
        0,
        "it may be alive, on a machine that is a little ahead"
    );
    app.advance(-DAY);
    assert_eq!(app.jobs.run_due(&handlers).await.unwrap(), 1, "it need not wait for a day");
    app.end().await;
}
