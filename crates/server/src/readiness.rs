//! Readiness of the process, as checked by load balancers before they route requests here.

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
use tokio_util::sync::CancellationToken;

/// How long a result is cached, so that frequent checks do not load the database.
const CACHE_TTL: Duration = Duration::from_secs(1);
/// Time limit for the database and the storage to respond.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Minimum time between probe writes while the last write failed.
const PROBE_EVERY: Duration = Duration::from_secs(10);

type ReadinessResponse = (StatusCode, String);

/// State behind `/readyz`.
#[derive(Clone)]
pub struct Readiness(Arc<Inner>);

struct Inner {
    db: db::Db,
    storage: Storage,
    jobs: Jobs,
    ambient: Ambient,
    draining: CancellationToken,
    cached: Cached<ReadinessResponse>,
    probed_at: Mutex<Option<Instant>>,
}

/// A cached value. Callers that arrive during a refresh wait for its result.
struct Cached<T> {
    ttl: Duration,
    slot: Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> Cached<T> {
    fn new(ttl: Duration) -> Self {
        Self { ttl, slot: Mutex::new(None) }
    }

    async fn get_or_refresh(&self, check: impl AsyncFnOnce() -> T) -> T {
        let mut slot = self.slot.lock().await;
        if let Some((at, value)) = &*slot
            && at.elapsed() < self.ttl
        {
            return value.clone();
        }
        let value = check().await;
        *slot = Some((Instant::now(), value.clone()));
        value
    }
}

impl Readiness {
    /// Creates the check for this database, storage and queue. Nothing is ready anymore once `draining` is
    /// cancelled.
    pub fn new(
        db: db::Db,
        storage: Storage,
        jobs: Jobs,
        ambient: Ambient,
        draining: CancellationToken,
    ) -> Self {
        let cached = Cached::new(CACHE_TTL);
        Self(Arc::new(Inner { db, storage, jobs, ambient, draining, cached, probed_at: Mutex::default() }))
    }
}

impl Inner {
    async fn check(&self) -> ReadinessResponse {
        if let Err(problem) = self.database().await {
            return (StatusCode::SERVICE_UNAVAILABLE, format!("not ready\ndatabase: {problem}\n"));
        }
        // Sign-in, lists and settings work without files, so a storage outage never takes the server out of
        // service.
        let storage = match timeout(TIMEOUT, self.storage.check()).await {
            Ok(Ok(())) => "ok".to_owned(),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the storage is unreachable");
                "unreachable".to_owned()
            }
            Err(_) => {
                tracing::warn!("the storage does not respond in time");
                "unreachable".to_owned()
            }
        };
        // Worker loops that end are restarted automatically.
        let jobs = if self.jobs.loops_alive() { "ok" } else { "a worker loop is restarting" };
        (StatusCode::OK, format!("ready\ndatabase: ok\nstorage: {storage}\njobs: {jobs}\n"))
    }

    /// Checks the database. Fails with a description for operators.
    async fn database(&self) -> Result<(), &'static str> {
        match timeout(TIMEOUT, self.db.ping()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready: the database is unreachable");
                return Err("unreachable");
            }
            Err(_) => {
                tracing::warn!("not ready: the database does not respond in time");
                return Err("unreachable");
            }
        }
        let WriteHealth::Failed(outage) = self.db.write_health() else { return Ok(()) };
        let mut probed_at = self.probed_at.lock().await;
        if probed_at.is_none_or(|at| at.elapsed() >= PROBE_EVERY) {
            *probed_at = Some(Instant::now());
            match self.db.probe_write(self.ambient.now()).await {
                Ok(()) => {
                    tracing::info!("the database accepts writes again");
                    return Ok(());
                }
                Err(error) => tracing::warn!(%error, "not ready: the database rejects writes"),
            }
        }
        Err(match outage {
            Outage::Full => "not writable: the disk is full",
            Outage::Unavailable | Outage::Busy => "not writable: the last write failed",
        })
    }
}

/// Check readiness
///
/// Responds with 503 while the database is unreachable or its last write failed, and while the server is about to
/// stop. The body names each part. Unreachable storage does not make the server unready.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = 200, body = String), (status = 503, body = String),
))]
pub async fn read_readiness(State(readiness): State<Readiness>) -> (StatusCode, String) {
    if readiness.0.draining.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready\nstopping\n".to_owned());
    }
    readiness.0.cached.get_or_refresh(async || readiness.0.check().await).await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    async fn checks(ttl: Duration) -> usize {
        let (cached, checks) = (Cached::new(ttl), AtomicUsize::new(0));
        let get = || cached.get_or_refresh(async || checks.fetch_add(1, Ordering::SeqCst));
        for _ in 0..5 {
            tokio::join!(get(), get());
        }
        checks.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn concurrent_requests_share_one_check() {
        assert_eq!(checks(Duration::from_hours(1)).await, 1);
        assert_eq!(checks(Duration::ZERO).await, 10);
    }
}
