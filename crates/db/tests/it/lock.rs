//! The lock beside a SQLite database, which keeps other processes out.

use std::fs::File;
use std::time::Duration;

use db::{ConnectError, Db};

#[tokio::test]
async fn a_lock_that_is_let_go_in_a_moment_is_waited_for_and_one_that_is_held_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("t.db").display());
    let held = File::create(folder.path().join("t.lock")).unwrap();
    held.lock().unwrap();
    assert!(matches!(Db::connect(&url).await, Err(ConnectError::InUse(_))));
    let let_go = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(held);
    };
    let (db, ()) = tokio::join!(Db::connect(&url), let_go);
    db.unwrap().close().await;
}
