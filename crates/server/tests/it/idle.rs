//! A server without work.

use std::time::Duration;

use db::WriteTx;
use kernel::{DAY, HOUR};
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use tokio_util::sync::CancellationToken;

use super::test_app::{TestApp, test_app};

/// Begins a transaction that keeps everything else from writing: SQLite has one writer, PostgreSQL locks tables.
async fn keep_from_writing(app: &TestApp) -> WriteTx {
    let tx = app.bootstrap.db.write_tx().await.unwrap();
    if tx.get_database_backend() == DbBackend::Postgres {
        let sql = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = current_schema()";
        let tables = Statement::from_string(DbBackend::Postgres, sql);
        let tables: String = tx.query_one_raw(tables).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        tx.execute_unprepared(&format!("LOCK TABLE {tables} IN EXCLUSIVE MODE")).await.unwrap();
    }
    tx
}

#[tokio::test]
async fn a_worker_without_work_writes_nothing_in_a_month() {
    let app = test_app().await;
    let mut handlers = app.inner.handlers.clone();
    app.inner.jobs.register(&mut handlers);
    // A worker without loops adds the rows of the schedules and returns.
    let stop = CancellationToken::new();
    jobs::run_worker(app.inner.jobs.clone(), handlers.clone(), 0, 0, Duration::ZERO, stop).await;

    let tx = keep_from_writing(&app).await;
    for pause in [0, HOUR, HOUR, DAY, 30 * DAY] {
        app.bootstrap.clock.advance(pause);
        let ran = tokio::time::timeout(Duration::from_secs(20), app.inner.jobs.run_due(&handlers)).await;
        assert_eq!(ran.expect("nothing waits for a write").unwrap(), 0, "after {pause} ms");
    }
    drop(tx);
    app.close().await;
}
