//! Only one process of an installation writes backups into a repository.

use db::ExclusiveLock;

use crate::Error;

/// Held while backups are made or removed, so that no file is removed to which a new backup refers.
pub struct RepositoryLock(ExclusiveLock);

impl RepositoryLock {
    /// Takes the lock of the installation with this database.
    ///
    /// # Errors
    /// [`Error::Running`] if another process holds it, and errors of the database.
    pub async fn take(database: &str) -> Result<Self, Error> {
        ExclusiveLock::try_take(database, "backup").await?.map(Self).ok_or(Error::Running)
    }

    /// Fails if the lock was lost with the connection to the database.
    pub(crate) async fn check(&self) -> Result<(), Error> {
        if self.0.is_held().await? { Ok(()) } else { Err(Error::LockLost) }
    }
}
