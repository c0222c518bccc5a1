//! A database that fails for a moment while a job runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use db::Engine;
use jobs::{Handlers, Queue};
use kernel::{Ambient, SECOND};
use sea_orm::ConnectionTrait as _;

use super::{Count, TestApp, test_app_with};

/// Short enough for a test, long enough for three heartbeats.
const LEASE: Duration = Duration::from_secs(3);

/// A queue with short leases and the system clock.
async fn short_leases() -> TestApp {
    let mut app = test_app_with(Ambient::system(), Arc::default()).await;
    app.jobs = app.jobs.clone().with_lease(3 * SECOND);
    app
}

impl TestApp {
    async fn execute(&self, sql: &str) {
        let tx = self.db.write_tx().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Makes the database reject every heartbeat from now on.
    async fn break_heartbeats(&self) {
        let when = "OLD.state = 'running' AND NEW.state = 'running' AND OLD.attempt = NEW.attempt";
        match self.db.engine() {
            Engine::Sqlite => {
                self.execute(&format!(
                    "CREATE TRIGGER fault BEFORE UPDATE ON job WHEN {when} \
                     BEGIN SELECT RAISE(ABORT, 'injected'); END"
                ))
                .await;
            }
            Engine::Postgres => {
                self.execute(&format!(
                    "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS \
                     $$ BEGIN IF {when} THEN RAISE EXCEPTION 'injected'; END IF; RETURN NEW; END $$"
                ))
                .await;
                self.execute(
                    "CREATE TRIGGER fault BEFORE UPDATE ON job FOR EACH ROW EXECUTE FUNCTION fault()",
                )
                .await;
            }
        }
    }

    async fn restore_heartbeats(&self) {
        let on = if self.db.engine() == Engine::Postgres { " ON job" } else { "" };
        self.execute(&format!("DROP TRIGGER fault{on}")).await;
    }
}

/// Handles a job that takes `time` and counts how often it began and ended.
fn working(time: Duration, began: &Arc<AtomicUsize>, ended: &Arc<AtomicUsize>) -> Handlers {
    let (began, ended) = (Arc::clone(began), Arc::clone(ended));
    let mut handlers = Handlers::default();
    handlers.on(Queue::Quick, move |_: Count| {
        let (began, ended) = (Arc::clone(&began), Arc::clone(&ended));
        async move {
            began.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(time).await;
            ended.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    });
    handlers
}

#[tokio::test]
async fn a_failed_heartbeat_is_retried_and_the_running_job_continues() {
    let app = short_leases().await;
    app.enqueue(1).await;
    let (began, ended) = (Arc::default(), Arc::default());
    let handlers = working(LEASE + LEASE / 2, &began, &ended);
    app.break_heartbeats().await;
    let restored = async {
        // By now two heartbeats have failed, and the lease still holds.
        tokio::time::sleep(LEASE * 2 / 3).await;
        app.restore_heartbeats().await;
    };
    let (ran, ()) = tokio::join!(app.jobs.run_due(&handlers), restored);
    assert_eq!(ran.unwrap(), 1);
    assert_eq!(
        (began.load(Ordering::SeqCst), ended.load(Ordering::SeqCst)),
        (1, 1),
        "the first attempt finished"
    );
    assert!(app.jobs.leftovers().await.unwrap().is_empty());
    app.end().await;
}

#[tokio::test]
async fn a_job_is_cancelled_when_its_lease_ends_and_claimed_again() {
    let app = short_leases().await;
    app.enqueue(1).await;
    let (began, ended) = (Arc::default(), Arc::default());
    app.break_heartbeats().await;
    let handlers = working(LEASE * 100, &began, &ended);
    assert!(tokio::time::timeout(LEASE * 2, app.jobs.run_due(&handlers)).await.is_err());
    assert_eq!((began.load(Ordering::SeqCst), ended.load(Ordering::SeqCst)), (2, 0));
    app.end().await;
}
