//! Gauges that are read from the database and the disk when Prometheus asks.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use backup::{ScheduledWork, read_record};
use db::{Db, Engine};
use jobs::{Handlers, Jobs};
use kernel::{Ambient, Clock as _, FollowingClock, HOUR, Millis, SECOND, SystemClock, Timestamp};
use metrics::gauge;
use sea_orm::DbErr;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::process;
use crate::bootstrap::Bootstrap;
use crate::{last_backup, public};

/// How long the values count, so that many readers do not load the database.
const TTL: Duration = Duration::from_secs(5);
/// Time limit for the database.
const TIMEOUT: Duration = Duration::from_secs(3);

/// What the gauges are read from.
pub struct Gauges {
    db: Db,
    ambient: Ambient,
    jobs: Jobs,
    handlers: Handlers,
    following: Arc<FollowingClock>,
    data_dir: PathBuf,
    backup_period: Option<Millis>,
    check_period: Option<Millis>,
    started_at: Timestamp,
    refreshed_at: Mutex<Option<Instant>>,
}

impl Gauges {
    /// Creates the gauges of this process.
    pub fn new(bootstrap: &Bootstrap, jobs: Jobs, handlers: Handlers) -> Self {
        let started_at = SystemClock.now();
        let (db, ambient) = (bootstrap.db.clone(), bootstrap.ambient.clone());
        let following = Arc::clone(&bootstrap.following);
        let data_dir = bootstrap.settings.server.data_dir.clone();
        let backup = &bootstrap.settings.backup;
        let backup_period = backup.scheduled_to().map(|_| Millis::from(backup.backup_every_hours) * HOUR);
        let check_period = backup.check_period();
        Self {
            db,
            ambient,
            jobs,
            handlers,
            following,
            data_dir,
            backup_period,
            check_period,
            started_at,
            refreshed_at: Mutex::default(),
        }
    }

    /// Sets all gauges. Those of the database keep their values while it does not answer.
    pub async fn refresh(&self) {
        let mut refreshed_at = self.refreshed_at.lock().await;
        if refreshed_at.is_some_and(|at| at.elapsed() < TTL) {
            return;
        }
        self.refresh_local();
        let is_up = match timeout(TIMEOUT, self.refresh_stored()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the metrics of the database could not be read");
                false
            }
            Err(_) => {
                tracing::warn!("the metrics of the database could not be read in time");
                false
            }
        };
        gauge!("vitrine_database_up").set(f64::from(u8::from(is_up)));
        *refreshed_at = Some(Instant::now());
    }

    fn refresh_local(&self) {
        let commit = if env!("BUILD_COMMIT").is_empty() { "unknown" } else { env!("BUILD_COMMIT") };
        gauge!("vitrine_build_info", "version" => public::VERSION, "commit" => commit).set(1);
        gauge!("vitrine_start_time_seconds").set(self.started_at.seconds() as f64);
        gauge!("vitrine_worker_loops_down").set(f64::from(u8::from(!self.jobs.loops_alive())));
        if let Ok(space) = storage::disk_space(&self.data_dir) {
            gauge!("vitrine_disk_free_bytes").set(space.free as f64);
            gauge!("vitrine_disk_size_bytes").set(space.size as f64);
        }
        for (usage, busy) in ["read", "write"].into_iter().zip(self.db.busy_connections()) {
            gauge!("vitrine_database_connections", "usage" => usage).set(busy as f64);
        }
        if self.db.engine() == Engine::Postgres {
            gauge!("vitrine_clock_difference_seconds").set(self.following.correction() as f64 / 1000.0);
        }
        process::refresh();
        if let Some(period) = self.backup_period {
            gauge!("vitrine_backup_period_seconds").set((period / SECOND) as f64);
        }
        if let Some(period) = self.check_period {
            gauge!("vitrine_backup_check_period_seconds").set((period / SECOND) as f64);
        }
        // Absent metrics have no rate, and failures are rare.
        metrics::counter!("vitrine_archived_lines_total").increment(0);
        for outcome in ["done", "failed", "prune_failed", "removals_failed"] {
            metrics::counter!("vitrine_backups_total", "outcome" => outcome).increment(0);
        }
        for outcome in ["done", "damaged", "findings", "failed"] {
            metrics::counter!("vitrine_backup_checks_total", "outcome" => outcome).increment(0);
        }
    }

    async fn refresh_stored(&self) -> Result<(), DbErr> {
        let backlog = self.jobs.backlog(&self.handlers).await?;
        for (queue, waiting) in [("quick", backlog.quick), ("heavy", backlog.heavy)] {
            gauge!("vitrine_jobs_ready", "queue" => queue).set(waiting.jobs as f64);
            gauge!("vitrine_jobs_oldest_seconds", "queue" => queue).set(waiting.oldest as f64 / 1000.0);
        }
        gauge!("vitrine_jobs_dead").set(backlog.dead as f64);
        let scheduled = read_record(self.db.read(), ScheduledWork::Backup).await?.succeeded_at;
        if let Some(at) = scheduled.max(last_backup::read(&self.data_dir)) {
            gauge!("vitrine_last_backup_timestamp_seconds").set(at.seconds() as f64);
        }
        if let Some(at) = read_record(self.db.read(), ScheduledWork::Check).await?.succeeded_at {
            gauge!("vitrine_last_backup_check_timestamp_seconds").set(at.seconds() as f64);
        }
        let (waiting, oldest) = mail::backlog(self.db.read(), self.ambient.now()).await?;
        gauge!("vitrine_mails_waiting").set(waiting as f64);
        gauge!("vitrine_mails_oldest_seconds").set(oldest as f64 / 1000.0);
        Ok(())
    }
}
