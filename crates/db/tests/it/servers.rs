//! What several servers share a PostgreSQL database for: notices and its clock.

use std::time::Duration;

use db::{ClockDifference, Db, Engine};
use kernel::{Ambient, Clock, MINUTE, SECOND, SystemClock, Timestamp};
use testkit::Database;

async fn two_servers() -> (Db, Db, Database, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let one = Db::connect(database.url()).await.unwrap();
    db::migrate(&one, &Ambient::system(), &[]).await.unwrap();
    let other = if one.engine() == Engine::Postgres {
        Db::connect(database.url()).await.unwrap()
    } else {
        one.clone()
    };
    (one, other, database, folder)
}

#[tokio::test]
async fn a_notice_arrives_once_its_transaction_is_committed() {
    let (here, there, database, _folder) = two_servers().await;
    let listening = here.listen("numbers").await.unwrap();
    assert_eq!(listening.is_some(), here.engine() == Engine::Postgres);
    if let Some(mut notices) = listening {
        let tx = there.write_tx().await.unwrap();
        tx.notify("numbers").await.unwrap();
        drop(tx);
        let tx = there.write_tx().await.unwrap();
        tx.notify("others").await.unwrap();
        tx.commit().await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(300), notices.next()).await;
        assert!(early.is_err(), "neither of these was for it");
        let tx = there.write_tx().await.unwrap();
        tx.notify("numbers").await.unwrap();
        tx.commit().await.unwrap();
        tokio::time::timeout(Duration::from_secs(30), notices.next()).await.unwrap().unwrap();
    }
    here.close().await;
    there.close().await;
    database.remove().await;
}

/// A machine whose clock is an hour behind.
struct Late;
impl Clock for Late {
    fn now(&self) -> Timestamp {
        SystemClock.now() - 60 * MINUTE
    }
}

#[tokio::test]
async fn a_server_learns_how_far_its_clock_is_behind_the_database() {
    let (db, other, database, _folder) = two_servers().await;
    let ahead = db.clock_ahead_of(&Late).await.unwrap();
    match db.engine() {
        Engine::Sqlite => assert_eq!(ahead, None),
        Engine::Postgres => {
            let ClockDifference { ahead, error } = ahead.unwrap();
            assert!((ahead - 60 * MINUTE).abs() <= error + SECOND, "{ahead} ms");
        }
    }
    db.close().await;
    other.close().await;
    database.remove().await;
}
