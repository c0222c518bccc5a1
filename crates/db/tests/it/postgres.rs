//! Behaviour specific to a shared PostgreSQL server: many connections, and locks that others wait for.

use std::future::Future as _;
use std::time::{Duration, Instant};

use db::{Db, Engine, Outage, SubjectPart};
use kernel::Uid;
use sea_orm::{ConnectionTrait, DbErr, Statement};
use testkit::Database;

/// Connects to PostgreSQL, or returns `None` if the test run has no PostgreSQL server.
async fn server() -> Option<(Db, Database)> {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    if db.engine() == Engine::Sqlite {
        db.close().await;
        return None;
    }
    Some((db, database))
}

async fn query_number(db: &Db, sql: &'static str) -> i64 {
    let statement = Statement::from_string(sea_orm::DbBackend::Postgres, sql);
    db.read().query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn many_waiters_for_one_lock_leave_connections_for_others() {
    let Some((db, database)) = server().await else { return };
    let (mine, other) = (Uid::from_u128(7), Uid::from_u128(8));
    let held = db.write_tx_on(mine).await.unwrap();
    let part = SubjectPart::new(mine, other);
    let waiters: Vec<_> = (0..40)
        .map(|number| {
            let db = db.clone();
            tokio::spawn(async move {
                let is_whole = number % 2 == 0;
                let began =
                    if is_whole { db.write_tx_on(mine).await } else { db.write_tx_on_part(mine, part).await };
                began.map(drop)
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;

    let started = Instant::now();
    assert_eq!(query_number(&db, "SELECT 1::BIGINT").await, 1);
    db.write_tx_on(other).await.unwrap().commit().await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());

    // Each of the others fails after 5 s instead of waiting forever.
    for waiter in waiters {
        let error = waiter.await.unwrap().unwrap_err();
        assert_eq!(db::outage(&error), Some(Outage::Busy), "{error}");
    }
    held.commit().await.unwrap();
    assert!(db.write_tx_on(mine).await.is_ok());
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn waiting_for_a_lock_of_another_server_times_out_after_five_seconds() {
    let Some((db, database)) = server().await else { return };
    let other = Db::connect(database.url()).await.unwrap();
    let held = other.write_tx_on(Uid::from_u128(7)).await.unwrap();
    let started = Instant::now();
    let error = db.write_tx_on(Uid::from_u128(7)).await.map(drop).unwrap_err();
    assert_eq!(db::outage(&error), Some(Outage::Busy), "{error}");
    assert!((4..10).contains(&started.elapsed().as_secs()));
    drop(held);
    other.close().await;
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn a_request_that_ends_while_a_transaction_begins_leaves_none_open() {
    let Some((db, database)) = server().await else { return };
    let open = "SELECT COUNT(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' \
                AND datname = current_database()";
    db.write_tx().await.unwrap().commit().await.unwrap();
    for polls in 1..12 {
        let mut begin = Box::pin(db.write_tx());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        for _ in 0..polls {
            if begin.as_mut().poll(&mut context).is_ready() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(begin);
        // The transaction is rolled back soon, even if the connection is not used again.
        let started = Instant::now();
        tokio::time::sleep(Duration::from_millis(50)).await;
        while query_number(&db, open).await > 0 {
            assert!(
                started.elapsed() < Duration::from_secs(5),
                "a transaction was left open after {polls} polls"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn connections_from_before_a_failure_are_replaced() {
    let Some((db, database)) = server().await else { return };
    let ids = "SELECT pg_backend_pid()::BIGINT";
    let tx = db.write_tx().await.unwrap();
    let before = query_number(&db, ids).await;
    // The server terminates the connection of the open transaction, as a restart would.
    let own: i64 = {
        let row = tx.query_one_raw(Statement::from_string(sea_orm::DbBackend::Postgres, ids)).await.unwrap();
        row.unwrap().try_get_by_index(0).unwrap()
    };
    let end = Statement::from_sql_and_values(
        sea_orm::DbBackend::Postgres,
        "SELECT pg_terminate_backend($1)",
        [i32::try_from(own).unwrap().into()],
    );
    db.read().query_one_raw(end).await.unwrap();
    let error: DbErr = tx.commit().await.unwrap_err();
    assert_eq!(db::outage(&error), Some(Outage::Unavailable), "{error}");
    db.write_tx().await.unwrap().commit().await.unwrap();
    assert_ne!(query_number(&db, ids).await, before, "a connection from before the failure was reused");
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn a_database_that_does_not_exist_is_named() {
    let Some((db, database)) = server().await else { return };
    db.close().await;
    let (server, _) = database.url().rsplit_once('/').unwrap();
    let error = Db::connect(&format!("{server}/nowhere")).await.err().unwrap().to_string();
    assert!(error.contains("has no database nowhere. Create it with CREATE DATABASE"), "{error}");
    database.remove().await;
}
