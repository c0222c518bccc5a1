//! Listens for jobs that other servers add, on PostgreSQL. Without it, loops only find them at their next poll.

use std::sync::atomic::Ordering;
use std::time::Duration;

use sea_orm::DbErr;

use crate::{CHANNEL, Jobs};

/// Delay before the connection is opened again after an error.
const RETRY: Duration = Duration::from_secs(1);

/// Wakes the loops of this process for each notice, until it is aborted. Ends at once on SQLite.
pub(crate) async fn run(jobs: Jobs) {
    let mut is_reported = false;
    loop {
        let Err(error) = listen(&jobs, &mut is_reported).await else { return };
        jobs.listens.store(false, Ordering::Relaxed);
        if !is_reported {
            tracing::warn!(%error, "jobs of other servers are not announced; they are found by polling");
            is_reported = true;
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Returns only if there is nothing to listen to, or with an error.
async fn listen(jobs: &Jobs, is_reported: &mut bool) -> Result<(), DbErr> {
    let Some(mut notices) = jobs.db.listen(CHANNEL).await? else { return Ok(()) };
    jobs.listens.store(true, Ordering::Relaxed);
    *is_reported = false;
    loop {
        // Jobs may have been added before this process listened, or while its connection was lost.
        jobs.wake.notify_waiters();
        notices.next().await?;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use db::Db;
    use kernel::Ambient;
    use serde::{Deserialize, Serialize};
    use testkit::Database;

    use super::*;
    use crate::Job;

    #[derive(Serialize, Deserialize)]
    struct Nothing {}
    impl Job for Nothing {
        const KIND: &'static str = "nothing";
    }

    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn a_job_that_another_server_adds_wakes_the_loops_of_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::fresh(folder.path()).await;
        let there = Db::connect(database.url()).await.unwrap();
        let ambient = Ambient::system();
        db::migrate(&there, &ambient, &crate::migrations()).await.unwrap();
        if there.engine() == db::Engine::Postgres {
            let here = Jobs::new(Db::connect(database.url()).await.unwrap(), ambient.clone());
            let listening = tokio::spawn(run(here.clone()));
            let heard = async {
                while !here.listens.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::time::timeout(PATIENCE, heard).await.unwrap();
            let woken = here.wake.notified();
            let tx = there.write_tx().await.unwrap();
            Jobs::new(there.clone(), ambient).enqueue(&tx, &Nothing {}).await.unwrap();
            tx.commit().await.unwrap();
            tokio::time::timeout(PATIENCE, woken).await.unwrap();
            listening.abort();
            here.db.close().await;
        }
        there.close().await;
        database.remove().await;
    }
}
