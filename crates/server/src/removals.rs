//! What people withdrew or had erased: the list beside backups, and applying it to a restored copy before that serves.

use std::path::Path;
use std::time::Duration;

use audience::Audience;
use backup::{Manifest, Repository, ScheduledWork, Source, read_record};
use db::{Db, ExclusiveLock, Snapshot, WriteTx};
use identity::Identity;
use jobs::{Handlers, JobError, Queue};
use kernel::{DAY, Signer, Timestamp};
use orgs::removals::{self, KEPT, Removal, RemovalKind, RemovedAgain};
use sea_orm::DbErr;

use crate::backups::{BackupError, LOOK, Original};
use crate::bootstrap::Bootstrap;
use crate::compose;

type BoxError = Box<dyn std::error::Error>;

/// How often, and after what pause, to look whether another process has written the list.
const TRIES: u32 = 600;
const RETRY: Duration = Duration::from_millis(100);
/// Removals marked as listed in one transaction.
const PAGE: usize = 500;

/// Brings the list in the repository up to date with the database. What another state of the database knew stays.
pub(crate) async fn write_list(original: &Original, repository: &Repository) -> Result<(), BackupError> {
    let database = original.settings.database_url();
    let _alone = lock(&database).await?;
    let snapshot = Snapshot::open(&database).await.map_err(backup::Error::from)?;
    let own = removals::all(snapshot.conn()).await?;
    snapshot.close().await?;
    let listed = repository.removals(&original.signer).await?.unwrap_or_default();
    let mut all = removals::merged(listed.into_iter().chain(own));
    let before = original.ambient.now() - KEPT;
    if all.iter().any(|one| one.at < before) {
        // Of an account only the day is known.
        let needed = repository.oldest().await?.map_or(before, |oldest| before.min(oldest - DAY));
        all.retain(|one| one.at >= needed);
    }
    Ok(repository.write_removals(&all, &original.signer).await?)
}

/// Takes the lock of those who write the list.
async fn lock(database: &str) -> Result<ExclusiveLock, BackupError> {
    for _ in 0..TRIES {
        if let Some(lock) =
            ExclusiveLock::try_take(database, "removals").await.map_err(backup::Error::from)?
        {
            return Ok(lock);
        }
        tokio::time::sleep(RETRY).await;
    }
    Err(backup::Error::Running.into())
}

/// Counts a list that could not be written.
pub(crate) fn count_failure() {
    metrics::counter!("vitrine_backups_total", "outcome" => "removals_failed").increment(1);
}

/// Keeps the list beside scheduled backups up to date between them.
#[derive(Clone)]
pub(crate) struct RemovalList {
    original: Original,
    db: Db,
}

impl RemovalList {
    /// Creates that of this process.
    pub(crate) fn new(bootstrap: &Bootstrap) -> Self {
        Self { original: Original::of(bootstrap), db: bootstrap.db.clone() }
    }

    /// Registers the schedule, if backups are scheduled.
    pub(crate) fn register(self, handlers: &mut Handlers) {
        if self.original.settings.backup.scheduled_to().is_none() {
            return;
        }
        let asked = self.clone();
        let has_work = move || {
            let asked = asked.clone();
            async move { Ok(asked.due().await?.is_some()) }
        };
        handlers.every_if("list_removals", LOOK, Queue::Quick, has_work, move || self.clone().run());
    }

    /// Returns where the list lacks a removal. Before the first backup there needs to be none.
    async fn due(&self) -> Result<Option<String>, DbErr> {
        let Some(to) = self.original.settings.backup.scheduled_to() else { return Ok(None) };
        if read_record(self.db.read(), ScheduledWork::Backup).await?.repository != to {
            return Ok(None);
        }
        Ok(removals::has_unlisted(self.db.read()).await?.then(|| to.to_owned()))
    }

    async fn run(self) -> Result<(), JobError> {
        let Some(to) = self.due().await? else { return Ok(()) };
        // Read before the list is written, so that all of these are in it.
        let unlisted = removals::unlisted(self.db.read()).await?;
        if let Err(error) = self.write(&to).await {
            tracing::error!(%error, to, "the list of removals could not be written and will be tried again");
            count_failure();
            return Err(error.into());
        }
        for page in unlisted.chunks(PAGE) {
            let tx = self.db.write_tx().await?;
            removals::mark_listed(&tx, page).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    async fn write(&self, to: &str) -> Result<(), BackupError> {
        let Original { settings, ambient, .. } = &self.original;
        let id = self.original.check().await?.ok_or(BackupError::NoStorageId)?;
        let reserve = settings.storage.reserve_bytes;
        let repository = Repository::open_as(to, &settings.backup, (id, true), reserve, ambient).await?;
        write_list(&self.original, &repository).await
    }
}

/// Returns the removals in the list beside a backup and in the file, if there is either.
///
/// # Errors
/// Fails if one of them was changed or cannot be read.
pub(crate) async fn lists_for(
    source: &Source,
    file: Option<&Path>,
    signer: &Signer,
) -> Result<Option<Vec<Removal>>, backup::Error> {
    let beside: Option<Vec<Removal>> = source.removals(signer).await?;
    let given = file.map(|path| backup::read_removals::<Removal>(path, signer)).transpose()?;
    let all: Vec<Vec<Removal>> = beside.into_iter().chain(given).collect();
    Ok((!all.is_empty()).then(|| removals::merged(all.into_iter().flatten())))
}

/// What a list of removals changed in a restored copy.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reapplied {
    /// Number of removals that are later than the backup.
    pub later: usize,
    /// Number of those that found something to remove.
    pub done: usize,
    /// People who left and stay, as the only super admin of an organisation.
    pub staying: Vec<Removal>,
}

/// Does again in a restored copy what was removed after the backup. It may be interrupted and then runs again.
///
/// # Errors
/// If the database fails.
pub(crate) async fn reapply(
    bootstrap: &Bootstrap,
    list: &[Removal],
    manifest: &Manifest,
) -> Result<Reapplied, BoxError> {
    let (remover, db) = (Remover::new(bootstrap).await?, &bootstrap.db);
    let of_backup = removals::all(db.read()).await?;
    // The manifest is sealed, so it has the form in which it was written.
    let made_at = kernel::from_iso(&manifest.created_at).unwrap_or(Timestamp::EPOCH);
    let later = removals::later_than(&of_backup, made_at, list);
    let mut reapplied = Reapplied { later: later.len(), ..Reapplied::default() };
    for removal in later {
        // One transaction each, because each takes the locks of its subjects.
        let tx = db.write_tx().await?;
        match remover.remove(&tx, removal).await? {
            RemovedAgain::Nothing => {}
            RemovedAgain::Done => reapplied.done += 1,
            RemovedAgain::OnlySuperAdmin => reapplied.staying.push(removal),
        }
        tx.commit().await?;
    }
    Ok(reapplied)
}

/// The crates that remove what names a person. Not the whole application, whose parts would keep the database open.
struct Remover {
    identity: Identity,
    audience: Audience,
}

impl Remover {
    async fn new(bootstrap: &Bootstrap) -> Result<Self, BoxError> {
        let infrastructure = compose::build_infrastructure(bootstrap)?;
        let identity = compose::build_identity(bootstrap, &infrastructure).await?;
        let orgs = compose::build_orgs(bootstrap, &infrastructure, &identity);
        let Bootstrap { db, ambient, public, .. } = bootstrap;
        let audience = Audience::new(db.clone(), ambient.clone(), public.clone(), identity.clone(), orgs);
        Ok(Self { identity, audience })
    }

    async fn remove(&self, tx: &WriteTx, removal: Removal) -> Result<RemovedAgain, BoxError> {
        let Removal { kind, org, person, at } = removal;
        Ok(match (kind, org) {
            (RemovalKind::Account, _) if self.identity.erase_again(tx, person).await? => RemovedAgain::Done,
            (RemovalKind::Account, _) => RemovedAgain::Nothing,
            (RemovalKind::Consent, Some(org)) => self.audience.withdraw_again(tx, (org, person), at).await?,
            (RemovalKind::Membership, Some(org)) => self.audience.leave_again(tx, (org, person), at).await?,
            (RemovalKind::Consent | RemovalKind::Membership, None) => RemovedAgain::Nothing,
        })
    }
}
