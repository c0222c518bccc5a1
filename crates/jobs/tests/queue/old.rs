//! Removal of old jobs.

use std::time::Duration;

use db::Db;
use jobs::Handlers;
use kernel::{DAY, HOUR};
use sea_orm::{ConnectionTrait as _, Statement};
use tokio_util::sync::CancellationToken;

use super::{Count, TestApp, test_app};

async fn count(db: &Db, sql: &str) -> i64 {
    let conn = db.read();
    let statement = Statement::from_string(conn.get_database_backend(), sql);
    conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// Returns the handlers with the removal, after its row was added.
async fn pruning(app: &TestApp) -> Handlers {
    let mut handlers = Handlers::default();
    app.jobs.register(&mut handlers);
    let stop = CancellationToken::new();
    jobs::run_worker(app.jobs.clone(), handlers.clone(), 0, 0, Duration::ZERO, stop).await;
    handlers
}

/// Ends jobs now.
async fn end_all(app: &TestApp, state: &str) {
    let now = app.clock.0.load(std::sync::atomic::Ordering::SeqCst);
    let tx = app.db.write_tx().await.unwrap();
    let sql = format!(
        "UPDATE job SET state = '{state}', finished_at = {now} WHERE schedule IS NULL AND state = 'ready'"
    );
    tx.execute_unprepared(&sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn done_jobs_are_removed_after_a_week_and_those_given_up_after_ninety_days() {
    let app = test_app().await;
    let handlers = pruning(&app).await;
    app.enqueue(1).await;
    end_all(&app, "done").await;
    app.enqueue(2).await;
    end_all(&app, "dead").await;
    app.enqueue(3).await;
    let left = async |after: i64| {
        app.advance(after);
        app.jobs.run_due(&handlers).await.unwrap();
        let of = async |state: &str| {
            count(&app.db, &format!("SELECT COUNT(*) FROM job WHERE schedule IS NULL AND state = '{state}'"))
                .await
        };
        (of("done").await, of("dead").await, of("ready").await)
    };
    assert_eq!(left(7 * DAY - HOUR).await, (1, 1, 1));
    assert_eq!(left(2 * HOUR).await, (0, 1, 1));
    assert_eq!(left(83 * DAY - 2 * HOUR).await, (0, 1, 1));
    assert_eq!(left(2 * HOUR).await, (0, 0, 1), "a waiting job stays");
    app.end().await;
}

#[tokio::test]
async fn many_old_jobs_are_removed_in_pages_so_that_others_can_write_in_between() {
    let app = test_app().await;
    let handlers = pruning(&app).await;
    let tx = app.db.write_tx().await.unwrap();
    for by in 0..2_500 {
        app.jobs.enqueue(&tx, &Count { by }).await.unwrap();
    }
    tx.commit().await.unwrap();
    end_all(&app, "done").await;
    app.advance(8 * DAY);
    let removal = app.jobs.run_due(&handlers);
    let watch = async {
        let mut seen = Vec::new();
        loop {
            let left = count(&app.db, "SELECT COUNT(*) FROM job WHERE state = 'done'").await;
            if seen.last() != Some(&left) {
                seen.push(left);
            }
            if left == 0 {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let (removed, seen) = tokio::join!(removal, watch);
    removed.unwrap();
    assert!(seen.iter().any(|left| (1..2_500).contains(left)), "{seen:?}");
    app.end().await;
}
