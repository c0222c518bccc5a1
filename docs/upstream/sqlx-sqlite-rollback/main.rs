//! After a ROLLBACK that fails, sqlx-sqlite 0.9.0 acknowledges transactions that are never committed.
//!
//! `cargo run --package db --example sqlx-sqlite-rollback`

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

type Error = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let options = SqliteConnectOptions::new().filename(folder.path().join("t.db")).create_if_missing(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
    sqlx::query("CREATE TABLE t (x BLOB)").execute(&pool).await?;

    // As on a full disk: SQLite returns SQLITE_FULL and rolls the transaction back itself.
    sqlx::query("PRAGMA max_page_count = 1").execute(&pool).await?;
    let mut tx = pool.begin().await?;
    let full = sqlx::query("INSERT INTO t VALUES (zeroblob(100000))").execute(&mut *tx).await;
    println!(
        "insert: {}",
        full.map_or_else(|error| error.to_string(), |_| "unexpectedly succeeded".to_owned())
    );
    // The driver's ROLLBACK fails ("no transaction is active"), and the transaction depth stays at 1.
    drop(tx);
    sqlx::query("PRAGMA max_page_count = 1000000").execute(&pool).await?;

    // This transaction is therefore a savepoint. Rolling it back leaves the savepoint open for good.
    let mut tx = pool.begin().await?;
    sqlx::query("INSERT INTO t VALUES (1)").execute(&mut *tx).await?;
    tx.rollback().await?;

    // From here on, every commit only releases a savepoint inside it.
    for _ in 0..3 {
        let mut tx = pool.begin().await?;
        sqlx::query("INSERT INTO t VALUES (2)").execute(&mut *tx).await?;
        tx.commit().await?;
    }
    let other = SqlitePool::connect_with(options).await?;
    let (kept,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM t").fetch_one(&other).await?;
    println!("3 commits were acknowledged; another connection sees {kept} rows");
    Ok(())
}
