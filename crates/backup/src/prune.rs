//! Removes old backups from a repository, and the files that no backup refers to.

use futures::TryStreamExt as _;
use kernel::{Signer, Timestamp};

use crate::known::KeptKeys;
use crate::{BackupState, Error, Keep, Manifest, Repository, RepositoryLock, StoredBackup};

/// Number of files removed between two looks at the lock.
const CHECK_EVERY: u64 = 1_000;

/// What was removed from a repository, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Names of the backups, with those that were incomplete.
    pub backups: Vec<String>,
    /// Number of files that no other backup refers to.
    pub files: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// Number of backups that are still there and can be restored.
    pub kept: usize,
    /// Backups that cannot be read, with the reason. They are not removed, and no file is as long as there is one, because
    /// the files that they refer to are unknown.
    pub unreadable: Vec<(String, String)>,
}

/// Removes all backups but those of `keep` that can be restored, of which at least one stays, and what interrupted
/// backups left. With `dry`, only returns what would be removed.
///
/// # Errors
/// Fails if the repository cannot be read or written. What is left then is whole or is removed by the next call.
pub async fn prune(
    repository: &Repository,
    keep: Keep,
    signer: &Signer,
    lock: &RepositoryLock,
    dry: bool,
) -> Result<Pruned, Error> {
    let (mut kept, mut pruned) = (KeptKeys::default(), Pruned::default());
    let mut selector = keep.selector();
    // The newest first.
    for StoredBackup { name, state } in repository.list(signer).await?.into_iter().rev() {
        match state {
            BackupState::Whole(manifest) if selector.wants(made_at(&manifest)) => {
                match add(repository, &name, &manifest, &mut kept).await {
                    Ok(()) => {
                        selector.take(made_at(&manifest));
                        pruned.kept += 1;
                    }
                    Err(error @ Error::Damaged(_)) => pruned.unreadable.push((name, error.to_string())),
                    Err(error) => return Err(error),
                }
            }
            BackupState::Whole(_) | BackupState::Incomplete => pruned.backups.push(name),
            BackupState::Unreadable(reason) => pruned.unreadable.push((name, reason)),
        }
    }
    if !dry {
        lock.check().await?;
        // The oldest first, so that an interruption leaves the newest.
        for name in pruned.backups.iter().rev() {
            repository.remove(name).await?;
        }
        repository.sweep().await?;
    }
    if pruned.unreadable.is_empty() {
        remove_files(repository, &kept, &mut pruned, lock, dry).await?;
    }
    pruned.backups.reverse();
    Ok(pruned)
}

/// Returns when a backup was made. The manifest is sealed, so it has the form in which it was written.
fn made_at(manifest: &Manifest) -> Timestamp {
    kernel::from_iso(&manifest.created_at).unwrap_or(Timestamp::EPOCH)
}

/// Adds the files that a backup refers to.
async fn add(
    repository: &Repository,
    name: &str,
    manifest: &Manifest,
    kept: &mut KeptKeys,
) -> Result<(), Error> {
    kept.add(repository.files(name, manifest.files.clone()).await?)
}

/// Removes the files that no backup refers to.
async fn remove_files(
    repository: &Repository,
    kept: &KeptKeys,
    pruned: &mut Pruned,
    lock: &RepositoryLock,
    dry: bool,
) -> Result<(), Error> {
    let mut listed = repository.objects.list();
    while let Some(object) = listed.try_next().await.map_err(|error| repository.failed(error))? {
        if kept.contains(object.key.as_str()) {
            continue;
        }
        if !dry {
            if pruned.files.is_multiple_of(CHECK_EVERY) {
                lock.check().await?;
            }
            repository.objects.delete(&object.key).await.map_err(|error| repository.failed(error))?;
        }
        pruned.files += 1;
        pruned.bytes += object.len;
    }
    Ok(())
}
