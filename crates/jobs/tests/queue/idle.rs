//! Loops without a job that is due.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use jobs::{Handlers, Queue};
use sea_orm::{ConnectionTrait as _, Statement};
use tokio_util::sync::CancellationToken;

use super::{TestApp, always, counting, test_app};

/// Longer than two polls.
const POLLS: Duration = Duration::from_millis(700);

impl TestApp {
    /// Waits until the schedule with work, which is due at the start, has run.
    async fn schedule_has_run(&self) {
        let sql = "SELECT COUNT(*) FROM job WHERE state = 'ready' AND due_at > $1";
        let conn = self.db.read();
        let now = [self.clock.0.load(Ordering::SeqCst).into()];
        let waiting = Statement::from_sql_and_values(conn.get_database_backend(), sql, now);
        tokio::time::timeout(Duration::from_secs(30), async {
            loop {
                let row = conn.query_one_raw(waiting.clone()).await.unwrap().unwrap();
                if row.try_get_by_index::<i64>(0).unwrap() == 1 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .expect("the schedule runs");
    }
}

#[tokio::test]
async fn idle_loops_do_not_wait_for_the_only_writer_of_sqlite() {
    let app = test_app().await;
    let total = Arc::default();
    let mut handlers = counting(&total, 0);
    handlers.every_if("sweep_nothing", 60_000, Queue::Heavy, always, || async { Ok(()) });
    let stop = CancellationToken::new();
    let worker =
        tokio::spawn(jobs::run_worker(app.jobs.clone(), handlers, 3, 1, Duration::ZERO, stop.clone()));
    app.schedule_has_run().await;

    // While a request holds SQLite's only writer, idle loops neither wait for it nor miss the stop.
    let tx = app.db.write_tx().await.unwrap();
    app.jobs.enqueue(&tx, &super::Count { by: 1 }).await.unwrap();
    tokio::time::sleep(POLLS).await;
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(5), worker).await.expect("the loops stop at once").unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.jobs.run_due(&counting(&total, 0)).await.unwrap(), 1);
    app.end().await;
}

#[tokio::test]
async fn a_schedule_without_work_writes_nothing_and_is_asked_once_per_period() {
    let app = test_app().await;
    let (work, asked, runs) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let handlers = || {
        let (work, asked, runs) = (Arc::clone(&work), Arc::clone(&asked), Arc::clone(&runs));
        let has_work = move || {
            asked.fetch_add(1, Ordering::SeqCst);
            let answer = work.load(Ordering::SeqCst);
            async move { Ok(answer) }
        };
        let mut handlers = Handlers::default();
        handlers.every_if("poll", 20_000, Queue::Quick, has_work, move || {
            runs.fetch_add(1, Ordering::SeqCst);
            async { Ok(()) }
        });
        handlers
    };
    // Adds the schedule's row.
    jobs::run_worker(app.jobs.clone(), handlers(), 0, 0, Duration::ZERO, CancellationToken::new()).await;
    let handlers = handlers();
    // If it opened a write transaction, this would wait for the test's own.
    let tx = app.db.write_tx().await.unwrap();
    for _ in 0..3 {
        let ran = tokio::time::timeout(Duration::from_secs(5), app.jobs.run_due(&handlers)).await;
        assert_eq!(ran.expect("nothing is written").unwrap(), 0);
    }
    drop(tx);
    work.store(true, Ordering::SeqCst);
    assert_eq!((app.jobs.run_due(&handlers).await.unwrap(), asked.load(Ordering::SeqCst)), (0, 1));
    app.advance(20_000);
    assert_eq!((app.jobs.run_due(&handlers).await.unwrap(), asked.load(Ordering::SeqCst)), (1, 2));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    app.end().await;
}
