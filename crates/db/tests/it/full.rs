//! A full database: nothing acknowledged is lost, and it recovers without a restart.

use db::{Db, Outage, WriteHealth};
use sea_orm::{ConnectionTrait, DbErr, Statement};
use tempfile::TempDir;

/// Page size of SQLite.
const PAGE: usize = 4096;

struct TestApp {
    db: Db,
    _folder: TempDir,
}

impl TestApp {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite://{}", folder.path().join("t.db").display())).await.unwrap();
        db::migrate(&db, &system_ambient(), &[]).await.unwrap();
        let tx = db.write_tx().await.unwrap();
        tx.execute_unprepared("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
            .await
            .unwrap();
        tx.commit().await.unwrap();
        Self { db, _folder: folder }
    }

    /// Prevents the database from growing: SQLite then rejects writes exactly as on a full disk. The limit
    /// belongs to the connection, so it disappears when the connection is replaced.
    async fn fill(&self) {
        let tx = self.db.write_tx().await.unwrap();
        tx.query_one_raw(sql("PRAGMA max_page_count = 1")).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn write(&self, text: &str) -> Result<(), DbErr> {
        let tx = self.db.write_tx().await?;
        insert(&tx, text).await?;
        tx.commit().await
    }

    async fn has(&self, text: &str) -> bool {
        let select = Statement::from_sql_and_values(
            sea_orm::DbBackend::Sqlite,
            "SELECT 1 FROM note WHERE text = $1",
            [text.into()],
        );
        self.db.read().query_one_raw(select).await.unwrap().is_some()
    }
}

fn system_ambient() -> kernel::Ambient {
    use std::sync::Arc;
    kernel::Ambient::new(Arc::new(kernel::SystemClock), Arc::new(kernel::SystemRandom))
}

fn sql(text: &'static str) -> Statement {
    Statement::from_string(sea_orm::DbBackend::Sqlite, text)
}

async fn insert(tx: &impl ConnectionTrait, text: &str) -> Result<(), DbErr> {
    let insert = Statement::from_sql_and_values(
        sea_orm::DbBackend::Sqlite,
        "INSERT INTO note (text) VALUES ($1)",
        [text.into()],
    );
    tx.execute_raw(insert).await.map(|_| ())
}

#[tokio::test]
async fn a_write_after_a_rejected_one_is_durable() {
    let app = TestApp::new().await;
    app.fill().await;
    let big = "x".repeat(8 * PAGE);
    let error = app.write(&big).await.unwrap_err();
    assert_eq!(db::outage(&error), Some(Outage::Full), "{error}");

    // Later writes are acknowledged and kept, whatever is rolled back in between.
    for n in 0..3 {
        let (kept, undone) = (format!("kept {n}"), format!("undone {n}"));
        app.write(&kept).await.unwrap();
        let tx = app.db.write_tx().await.unwrap();
        insert(&tx, &undone).await.unwrap();
        drop(tx);
        assert!(app.has(&kept).await && !app.has(&undone).await, "{n}");
    }
}

#[tokio::test]
async fn a_transaction_writes_nothing_after_an_error() {
    let app = TestApp::new().await;
    app.fill().await;
    let tx = app.db.write_tx().await.unwrap();
    assert!(insert(&tx, &"x".repeat(8 * PAGE)).await.is_err());
    // SQLite has rolled the transaction back by now, so this would run outside it.
    assert!(insert(&tx, "alone").await.is_err());
    assert!(tx.commit().await.is_err());
    assert!(!app.has("alone").await);

    // An ordinary error is no different: on PostgreSQL, COMMIT would roll everything back without an error.
    app.write("once").await.unwrap();
    let tx = app.db.write_tx().await.unwrap();
    insert(&tx, "beside").await.unwrap();
    assert!(db::is_unique_violation(&insert(&tx, "once").await.unwrap_err()));
    assert!(tx.commit().await.is_err());
    assert!(!app.has("beside").await);
}

#[tokio::test]
async fn the_outcome_of_the_last_write_is_known_and_a_probe_clears_it() {
    let app = TestApp::new().await;
    assert_eq!(app.db.write_health(), WriteHealth::Good);
    app.fill().await;
    app.write(&"x".repeat(8 * PAGE)).await.unwrap_err();
    assert_eq!(app.db.write_health(), WriteHealth::Failed(Outage::Full));
    // A transaction that only read does not show whether writing works.
    let tx = app.db.write_tx().await.unwrap();
    tx.query_one_raw(sql("SELECT COUNT(*) FROM note")).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.db.write_health(), WriteHealth::Failed(Outage::Full));
    app.db.probe_write(kernel::Timestamp::from_ms(1)).await.unwrap();
    assert_eq!(app.db.write_health(), WriteHealth::Good);

    // A constraint violation is the caller's fault and does not affect the health.
    app.write("once").await.unwrap();
    assert!(db::is_unique_violation(&app.write("once").await.unwrap_err()));
    assert_eq!(app.db.write_health(), WriteHealth::Good);
}
