//! Whether the process can do its work: what a balancer asks before it sends people here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use db::{Outage, WriteHealth};
use http::StatusCode;
use jobs::Jobs;
use kernel::Ambient;
use storage::Storage;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long an answer holds: asking more often does not make the database work more.
const HOLDS: Duration = Duration::from_secs(1);
/// How long the database and the storage may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a write is tried while the last one failed.
const PROBE_EVERY: Duration = Duration::from_secs(10);

type Answer = (StatusCode, String);

/// The state behind `/readyz`.
#[derive(Clone)]
pub struct Readiness(Arc<Inner>);

struct Inner {
    db: db::Db,
    storage: Storage,
    jobs: Jobs,
    ambient: Ambient,
    recent: Recent<Answer>,
    probed_at: Mutex<Option<Instant>>,
}

/// An answer that is kept for a while; callers that come while one looks wait for what it finds.
struct Recent<T> {
    holds: Duration,
    kept: Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> Recent<T> {
    fn new(holds: Duration) -> Self {
        Self { holds, kept: Mutex::new(None) }
    }

    async fn or_look(&self, look: impl AsyncFnOnce() -> T) -> T {
        let mut kept = self.kept.lock().await;
        if let Some((at, answer)) = &*kept
            && at.elapsed() < self.holds
        {
            return answer.clone();
        }
        let answer = look().await;
        *kept = Some((Instant::now(), answer.clone()));
        answer
    }
}

impl Readiness {
    /// Watches this database, storage and queue.
    pub fn new(db: db::Db, storage: Storage, jobs: Jobs, ambient: Ambient) -> Self {
        let recent = Recent::new(HOLDS);
        Self(Arc::new(Inner { db, storage, jobs, ambient, recent, probed_at: Mutex::default() }))
    }
}

impl Inner {
    async fn look(&self) -> Answer {
        if let Err(problem) = self.database().await {
            return (StatusCode::SERVICE_UNAVAILABLE, format!("not ready\ndatabase: {problem}\n"));
        }
        // Sign-in, lists and settings work without files, so these never take the server out of service.
        let storage = match timeout(PATIENCE, self.storage.check()).await {
            Ok(Ok(())) => "ok".to_owned(),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the storage does not answer");
                "does not answer".to_owned()
            }
            Err(_) => {
                tracing::warn!("the storage does not answer in time");
                "does not answer".to_owned()
            }
        };
        // A loop that ended is started again by itself.
        let jobs = if self.jobs.loops_alive() { "ok" } else { "a loop is being restarted" };
        (StatusCode::OK, format!("ready\ndatabase: ok\nstorage: {storage}\njobs: {jobs}\n"))
    }

    /// Returns what is wrong with the database, in words for an operator.
    async fn database(&self) -> Result<(), &'static str> {
        match timeout(PATIENCE, self.db.ping()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready: the database does not answer");
                return Err("does not answer");
            }
            Err(_) => {
                tracing::warn!("not ready: the database does not answer in time");
                return Err("does not answer");
            }
        }
        let WriteHealth::Failed(outage) = self.db.write_health() else { return Ok(()) };
        let mut probed_at = self.probed_at.lock().await;
        if probed_at.is_none_or(|at| at.elapsed() >= PROBE_EVERY) {
            *probed_at = Some(Instant::now());
            match self.db.probe_write(self.ambient.now()).await {
                Ok(()) => {
                    tracing::info!("the database takes writes again");
                    return Ok(());
                }
                Err(error) => tracing::warn!(%error, "not ready: the database takes no writes"),
            }
        }
        Err(match outage {
            Outage::Full => "takes no writes: its disk is full",
            Outage::Unavailable | Outage::Busy => "takes no writes: the last one failed",
        })
    }
}

/// Check readiness
///
/// 503 while the database does not answer or its last write failed. The body names each part; files that cannot be
/// reached do not make the server unready.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = 200, body = String), (status = 503, body = String),
))]
pub async fn read_readiness(State(readiness): State<Readiness>) -> (StatusCode, String) {
    readiness.0.recent.or_look(async || readiness.0.look().await).await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    async fn looks(holds: Duration) -> usize {
        let (recent, looks) = (Recent::new(holds), AtomicUsize::new(0));
        let ask = || recent.or_look(async || looks.fetch_add(1, Ordering::SeqCst));
        for _ in 0..5 {
            tokio::join!(ask(), ask());
        }
        looks.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn a_crowd_that_asks_whether_we_are_ready_makes_us_look_once() {
        assert_eq!(looks(Duration::from_secs(3600)).await, 1);
        assert_eq!(looks(Duration::ZERO).await, 10);
    }
}
