//! Work that must not run twice at the same time.

use db::{Db, ExclusiveLock};
use testkit::Database;

#[tokio::test]
async fn one_holder_at_a_time_has_a_lock_until_it_drops_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    let take = async |name: &str| ExclusiveLock::try_take(database.url(), name).await.unwrap();
    let held = take("backup").await.expect("it is free");
    assert!(held.is_held().await.unwrap());
    assert!(take("backup").await.is_none(), "it is taken");
    assert!(take("other").await.is_some(), "others are free");
    drop(held);
    // The server notices the end of the connection a little later.
    for attempt in 0.. {
        if take("backup").await.is_some() {
            break;
        }
        assert!(attempt < 100, "it is free again");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    db.close().await;
    database.remove().await;
}
