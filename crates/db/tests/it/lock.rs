//! The lock beside a SQLite database, which keeps other processes out.

use std::fs::File;
use std::time::Duration;

use db::{ConnectError, Db};

#[tokio::test]
async fn connecting_waits_for_a_lock_that_is_soon_released_and_reports_one_that_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("t.db").display());
    let held = File::create(folder.path().join("t.lock")).unwrap();
    held.lock().unwrap();
    assert!(matches!(Db::connect(&url).await, Err(ConnectError::InUse(_))));
    let release = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(held);
    };
    let (db, ()) = tokio::join!(Db::connect(&url), release);
    db.unwrap().close().await;
}
