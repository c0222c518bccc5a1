//! Backups into a repository: those that a worker makes by itself, and those of the command line.

use std::sync::Arc;

use async_trait::async_trait;
use backup::{
    Backup, BackupRecord, Keep, Made, NamedObject, NamedObjects, Pruned, Repository, RepositoryLock,
    ScheduledWork, read_record, record_failure, record_success,
};
use db::{Db, Snapshot};
use jobs::{Handlers, JobError, Queue};
use kernel::{Ambient, HOUR, MINUTE, Millis, Signer, Timestamp};
use media::Media;
use sea_orm::{DatabaseTransaction, DbErr};
use storage::Storage;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::backup_checks::BackupChecks;
use crate::bootstrap::Bootstrap;
use crate::removals::{self, RemovalList};
use crate::settings::Settings;

/// How often a worker looks whether a backup or a check is due.
pub(crate) const LOOK: Millis = 5 * MINUTE;
/// A last backup that is further in the future shows that the clock was set back.
const CLOCK_SLACK: Millis = HOUR;

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It could not be made.
    #[error(transparent)]
    Backup(#[from] backup::Error),
    /// The secret is not that of the database: the right one could not restore the backup.
    #[error(transparent)]
    Secret(#[from] identity::KeyError),
    /// Nothing tells whose backups they would be.
    #[error("the storage has no id yet: start the server once")]
    NoStorageId,
    /// The process is stopping.
    #[error("the backup was interrupted")]
    Interrupted,
}

impl From<DbErr> for BackupError {
    fn from(error: DbErr) -> Self {
        Self::Backup(error.into())
    }
}

/// The files that rows refer to: those of content, then the archived events.
pub struct AllObjects(pub Timestamp);

#[async_trait]
impl NamedObjects for AllObjects {
    async fn page(
        &self,
        conn: &DatabaseTransaction,
        after: &str,
        limit: u64,
    ) -> Result<Vec<NamedObject>, DbErr> {
        if !analytics::is_segment(after) {
            let found = content::named_objects(conn, after, limit, self.0).await?;
            let named = |one: content::NamedObject| {
                let content::NamedObject { path, is_folder, bytes, is_leaving } = one;
                NamedObject { path, is_folder, bytes, is_leaving }
            };
            if !found.is_empty() {
                return Ok(found.into_iter().map(named).collect());
            }
        }
        let found = analytics::named_segments(conn, after, limit).await?;
        let named = |one: analytics::NamedSegment| {
            let analytics::NamedSegment { path, bytes } = one;
            NamedObject { path, is_folder: false, bytes: Some(bytes), is_leaving: false }
        };
        Ok(found.into_iter().map(named).collect())
    }
}

/// An installation of which backups are made.
#[derive(Clone)]
pub struct Original {
    /// Its settings.
    pub settings: Arc<Settings>,
    /// Seals the backups.
    pub signer: Signer,
    /// Tells the time.
    pub ambient: Ambient,
}

impl Original {
    /// Returns that of this process.
    pub(crate) fn of(bootstrap: &Bootstrap) -> Self {
        let Bootstrap { settings, signer, ambient, .. } = bootstrap;
        Self { settings: Arc::new(settings.clone()), signer: signer.clone(), ambient: ambient.clone() }
    }

    /// Fails if the secret is not that of the database. Returns the id of the storage.
    pub async fn check(&self) -> Result<Option<kernel::Uid>, BackupError> {
        let url = self.settings.database_url();
        let snapshot = Snapshot::open(&url).await.map_err(backup::Error::from)?;
        identity::backup::check_secret(snapshot.conn(), &self.signer).await?;
        let id = content::storage_identity::id(snapshot.conn()).await?;
        snapshot.close().await?;
        Ok(id)
    }

    /// Opens the storage.
    pub fn storage(&self) -> Result<Storage, BackupError> {
        let Settings { storage, server, .. } = &*self.settings;
        let opened = Storage::open(storage, &server.data_dir, self.ambient.clone());
        Ok(opened.map_err(backup::Error::from)?)
    }

    /// Makes a backup in the repository, writes the list of removals beside it, and then removes all backups but those of
    /// `keep`, if that is wanted. With `was_used`, the repository must have been used before. A backup that was made stays if
    /// the rest fails.
    pub async fn make(
        &self,
        to: &str,
        was_used: bool,
        keep: Option<Keep>,
    ) -> Result<InRepository, BackupError> {
        let id = self.check().await?.ok_or(BackupError::NoStorageId)?;
        let database = self.settings.database_url();
        let lock = RepositoryLock::take(&database).await?;
        let Settings { backup, storage, .. } = &*self.settings;
        let reserve = storage.reserve_bytes;
        let repository = Repository::open_as(to, backup, (id, was_used), reserve, &self.ambient).await?;
        let original = Backup {
            database: &database,
            storage: &self.storage()?,
            objects: &AllObjects(self.ambient.now()),
            signer: &self.signer,
            ambient: &self.ambient,
            version: env!("CARGO_PKG_VERSION"),
        };
        let made = Box::pin(backup::create_in(&original, &repository, &lock)).await?;
        let listed = removals::write_list(self, &repository).await;
        let pruned = match keep {
            Some(keep) => Some(backup::prune(&repository, keep, &self.signer, &lock, false).await),
            None => None,
        };
        Ok(InRepository { made, listed, pruned })
    }
}

/// What was done in a repository.
pub struct InRepository {
    /// The backup that was made.
    pub made: Made,
    /// Whether the list of removals beside the backups was written.
    pub listed: Result<(), BackupError>,
    /// What was removed, if that was wanted.
    pub pruned: Option<Result<Pruned, backup::Error>>,
}

/// Registers the schedules of backups, of the list beside them, and of their checks.
pub(crate) fn register(bootstrap: &Bootstrap, media: &Media, handlers: &mut Handlers) {
    ScheduledBackups::new(bootstrap).register(handlers);
    RemovalList::new(bootstrap).register(handlers);
    BackupChecks::new(bootstrap, media.clone()).register(handlers);
}

/// The backups that one of the workers makes by itself.
#[derive(Clone)]
pub struct ScheduledBackups {
    original: Original,
    db: Db,
}

impl ScheduledBackups {
    /// Creates those of this process.
    pub fn new(bootstrap: &Bootstrap) -> Self {
        Self { original: Original::of(bootstrap), db: bootstrap.db.clone() }
    }

    /// Registers the schedule, if backups are scheduled. The job is heavy, because it may take hours.
    pub fn register(self, handlers: &mut Handlers) {
        if self.original.settings.backup.scheduled_to().is_none() {
            return;
        }
        let asked = self.clone();
        let has_work = move || {
            let asked = asked.clone();
            async move { Ok(asked.due().await?.is_some()) }
        };
        handlers.every_if("make_backup", LOOK, Queue::Heavy, has_work, move || self.clone().run());
    }

    /// Returns where a backup is due, and whether one was made there before.
    async fn due(&self) -> Result<Option<(String, bool)>, DbErr> {
        let backup = &self.original.settings.backup;
        let Some(to) = backup.scheduled_to() else { return Ok(None) };
        let record = read_record(self.db.read(), ScheduledWork::Backup).await?;
        let every = Millis::from(backup.backup_every_hours) * HOUR;
        let was_used = record.repository == to;
        Ok(is_due(&record, to, every, self.original.ambient.now()).then(|| (to.to_owned(), was_used)))
    }

    async fn run(self) -> Result<(), JobError> {
        // Another worker may have made it since this one looked.
        let Some((to, was_used)) = self.due().await? else { return Ok(()) };
        let began_at = self.original.ambient.now();
        let keep = Some(self.original.settings.backup.backup_keep);
        let (original, named) = (self.original.clone(), to.clone());
        let make = move || async move { original.make(&named, was_used, keep).await };
        let made = on_another_thread(make).await.unwrap_or(Err(BackupError::Interrupted));
        match made {
            Ok(done) => {
                let tx = self.db.write_tx().await?;
                let times = (began_at, self.original.ambient.now());
                record_success(&tx, ScheduledWork::Backup, &to, times).await?;
                tx.commit().await?;
                report(&to, done);
                Ok(())
            }
            // No failure: one is being made by hand.
            Err(error @ BackupError::Backup(backup::Error::Running)) => Err(error.into()),
            Err(error) => {
                tracing::error!(%error, to, "the scheduled backup failed and will be tried again");
                metrics::counter!("vitrine_backups_total", "outcome" => "failed").increment(1);
                let tx = self.db.write_tx().await?;
                let now = self.original.ambient.now();
                record_failure(&tx, ScheduledWork::Backup, &error.to_string(), now).await?;
                tx.commit().await?;
                Err(error.into())
            }
        }
    }
}

/// Logs and counts a scheduled backup that was made.
fn report(to: &str, done: InRepository) {
    let InRepository { made: Made { name, totals, copied_files, copied_bytes }, listed, pruned } = done;
    let (rows, files) = (totals.rows, totals.files);
    tracing::info!(to, name, rows, files, copied_files, copied_bytes, "a backup was made");
    metrics::counter!("vitrine_backups_total", "outcome" => "done").increment(1);
    if let Err(error) = listed {
        tracing::error!(%error, to, "the list of removals could not be written");
        removals::count_failure();
    }
    let problem = match pruned {
        Some(Err(error)) => error.to_string(),
        Some(Ok(Pruned { unreadable, .. })) if !unreadable.is_empty() => {
            format!("{} cannot be read: {}", unreadable[0].0, unreadable[0].1)
        }
        _ => return,
    };
    tracing::warn!(to, problem, "old backups could not be removed");
    metrics::counter!("vitrine_backups_total", "outcome" => "prune_failed").increment(1);
}

fn is_due(record: &BackupRecord, to: &str, every: Millis, now: Timestamp) -> bool {
    let began_at = record.began_at.filter(|_| record.repository == to);
    began_at.is_none_or(|at| has_passed(at, every, now))
}

/// Returns whether a period has passed since then, or the clock was set back before it.
pub(crate) fn has_passed(at: Timestamp, period: Millis, now: Timestamp) -> bool {
    now >= at + period || at > now + CLOCK_SLACK
}

/// Runs work that computes and waits for the disk on a thread for that. It ends early if this future is dropped. Returns `None`
/// if it did not end.
pub(crate) async fn on_another_thread<T, W, F>(work: W) -> Option<T>
where
    T: Send + 'static,
    W: FnOnce() -> F + Send + 'static,
    F: Future<Output = T>,
{
    let (stop, runtime) = (CancellationToken::new(), Handle::current());
    let _stop_if_dropped = stop.clone().drop_guard();
    let running = tokio::task::spawn_blocking(move || runtime.block_on(stop.run_until_cancelled(work())));
    running.await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_due_after_its_period_in_another_place_and_after_the_clock_was_set_back() {
        let at = |hours: i64| Timestamp::from_ms(hours * HOUR);
        let record =
            BackupRecord { repository: "a".to_owned(), began_at: Some(at(100)), ..BackupRecord::default() };
        let due = |to: &str, now: i64| is_due(&record, to, 24 * HOUR, at(now));
        assert!(!due("a", 100) && !due("a", 123) && due("a", 124));
        assert!(due("b", 100) && is_due(&BackupRecord::default(), "a", 24 * HOUR, at(0)));
        assert!(!due("a", 99), "a little difference between clocks is no reason");
        assert!(due("a", 76));
    }
}
