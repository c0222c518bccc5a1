//! Errors of this crate.

use std::io;
use std::path::PathBuf;

use db::{ConnectError, MigrateError};
use kernel::Uid;
use sea_orm::DbErr;
use storage::{ReceiveError, StorageError};

use crate::settings::of_backups;

/// Why there is no backup, or why one was not restored. Each message is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Files that rows refer to are not in the storage, or not whole.
    #[error("the backup was not written because of {} missing or damaged files:\n{}", .0.len(), .0.join("\n"))]
    Files(Vec<String>),
    /// The target exists.
    #[error("{0} exists already. Choose another name, or remove it first.")]
    TargetExists(PathBuf),
    /// The target cannot be written.
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, io::Error),
    /// The source cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, io::Error),
    /// A form that only a newer version can read.
    #[error(
        "the backup has form {found}, and this version of Vitrine reads form {known}. Use a newer version to \
         restore it."
    )]
    NewerForm {
        /// Form of the backup.
        found: u64,
        /// Newest form that this version knows.
        known: u32,
    },
    /// Migrations that this version does not know.
    #[error(
        "the backup was made by another version of Vitrine ({version}): this version does not know the \
         migration {}. Restore it with that version.", .steps.join(", ")
    )]
    UnknownMigrations {
        /// Version that made the backup.
        version: String,
        /// Their names.
        steps: Vec<String>,
    },
    /// Another secret.
    #[error(
        "the backup was made with another secret. Set VITRINE_SECRET to the secret of the installation it was made \
         from (in the sandbox: the file named secret in its data folder)."
    )]
    WrongSecret,
    /// Something in the backup is not what was written.
    #[error("the backup is damaged: {0}. Nothing was restored; use another backup.")]
    Damaged(String),
    /// Something that is not part of a backup.
    #[error("this is not a backup of Vitrine: {0}. Nothing was restored.")]
    Foreign(String),
    /// The list of removals is not what was written.
    #[error(
        "the list of removals {0} cannot be used: {1}. It says what people withdrew or had erased, so nothing was done \
         without it; docs/operate.md says how to replace it."
    )]
    Removals(String, String),
    /// The target of a restore holds data.
    #[error("{0} is not empty. Nothing was restored; use {1}.")]
    NotEmpty(String, String),
    /// The name of a repository has another form.
    #[error("{0:?} cannot hold backups: it {1}")]
    Place(String, String),
    /// The repository could not be read or written.
    #[error("the backups at {0}: {1}")]
    Repository(String, String),
    /// The repository is the storage of an installation.
    #[error("{0} holds the files of an installation. Choose another folder or prefix for backups.")]
    IsStorage(String),
    /// The repository belongs to another installation.
    #[error(
        "the backups at {0} are those of another installation ({1}). Choose another folder or prefix: a restored copy \
         must not change the backups of its original."
    )]
    OtherInstallation(String, Uid),
    /// The repository was used before, and is empty now.
    #[error(
        "{0} has no backups any more, although one was made there. Is the disk mounted? If they were removed on \
         purpose, make the first one by hand: vitrine backup --to {0}"
    )]
    Vanished(String),
    /// There is no backup that can be restored.
    #[error("{0} has no backup that can be restored.")]
    NoBackup(String),
    /// Another process is making or removing backups.
    #[error(
        "another process is making or removing backups of this installation. Try again when it has finished."
    )]
    Running,
    /// The connection that held the lock broke.
    #[error(
        "the connection to the database broke, so another process may make backups now. Nothing was completed."
    )]
    LockLost,
    /// A stored value that this version cannot save.
    #[error("{table}.{column} cannot be saved: {problem}")]
    Value {
        /// Table of the value.
        table: String,
        /// Column of the value.
        column: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The storage failed.
    #[error("storage: {0}")]
    Storage(#[from] StorageError),
    /// A file could not be stored.
    #[error("storage: {0}")]
    Receive(#[from] ReceiveError),
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] DbErr),
    /// The database could not be opened.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database could not be migrated.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// A temporary file failed.
    #[error("cannot write a temporary file: {0}")]
    Spool(#[from] io::Error),
}

impl Error {
    /// Returns whether a backup cannot be restored, whatever the machine: it or the list beside it is damaged, or was made by
    /// another version or with another secret.
    pub fn is_of_backup(&self) -> bool {
        matches!(
            self,
            Self::NewerForm { .. }
                | Self::UnknownMigrations { .. }
                | Self::WrongSecret
                | Self::Damaged(_)
                | Self::Foreign(_)
                | Self::Removals(..)
        )
    }

    /// Says where backups could not be read or written, and names the settings for it.
    pub(crate) fn at(repository: &str, error: StorageError) -> Self {
        Self::Repository(repository.to_owned(), of_backups(error))
    }
}
