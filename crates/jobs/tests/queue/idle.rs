//! Loops without a job that is due.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jobs::Queue;
use sea_orm::{ConnectionTrait as _, Statement};
use tokio_util::sync::CancellationToken;

use super::{TestApp, counting, test_app};

/// Longer than two polls.
const POLLS: Duration = Duration::from_millis(700);

impl TestApp {
    /// Waits until the two schedules, which are due at the start, have run.
    async fn schedules_have_run(&self) {
        let sql = "SELECT COUNT(*) FROM job WHERE state = 'ready' AND due_at > $1";
        let conn = self.db.read();
        let now = [self.clock.0.load(Ordering::SeqCst).into()];
        let waiting = Statement::from_sql_and_values(conn.get_database_backend(), sql, now);
        tokio::time::timeout(Duration::from_secs(30), async {
            loop {
                let row = conn.query_one_raw(waiting.clone()).await.unwrap().unwrap();
                if row.try_get_by_index::<i64>(0).unwrap() == 2 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .expect("the schedules run");
    }
}

#[tokio::test]
async fn idle_loops_do_not_wait_for_the_only_writer_of_sqlite() {
    let app = test_app().await;
    let total = Arc::default();
    let mut handlers = counting(&total, 0);
    handlers.every("sweep_nothing", 60_000, Queue::Heavy, || async { Ok(()) });
    let stop = CancellationToken::new();
    let worker =
        tokio::spawn(jobs::run_worker(app.jobs.clone(), handlers, 3, 1, Duration::ZERO, stop.clone()));
    app.schedules_have_run().await;

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
