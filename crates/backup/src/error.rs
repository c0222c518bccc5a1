//! Errors of this crate.

use std::io;
use std::path::PathBuf;

use db::{ConnectError, MigrateError};
use sea_orm::DbErr;
use storage::{ReceiveError, StorageError};

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
    /// The target of a restore holds data.
    #[error("{0} is not empty. Nothing was restored; use {1}.")]
    NotEmpty(String, String),
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
