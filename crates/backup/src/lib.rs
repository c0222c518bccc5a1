#![doc = include_str!("../README.md")]

mod catalog;
mod create;
mod dump;
mod entity;
mod error;
mod file_target;
mod files;
mod keep;
mod known;
mod load;
mod lock;
mod manifest;
mod migrations;
mod missing;
mod part;
mod prune;
mod record;
mod removals;
mod repository;
mod restore;
mod settings;
mod source;
mod tar_reader;
mod target;
mod value;

use async_trait::async_trait;
use sea_orm::{DatabaseTransaction, DbErr};
use serde::{Deserialize, Serialize};

pub use create::{Backup, Made, create, create_in};
pub use error::Error;
pub use keep::Keep;
pub use lock::RepositoryLock;
pub use manifest::{FORM, Manifest};
pub use prune::{Pruned, prune};
pub use record::{BackupRecord, ScheduledWork, read_record, record_failure, record_success};
pub use removals::read_removals;
pub use repository::{BackupState, Repository, StoredBackup};
pub use restore::{Restore, open, restore};
pub use settings::BackupSettings;
pub use source::Source;

/// An object in the storage that a row refers to, or a folder of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedObject {
    /// Its key, or the prefix of the keys of all objects in it.
    pub path: String,
    /// Whether it is a folder of objects.
    pub is_folder: bool,
    /// Its length in bytes, if that is certain.
    pub bytes: Option<u64>,
    /// Whether it is about to be removed, so that it may be missing already.
    pub is_leaving: bool,
}

/// Returns what the rows of a database refer to in the storage.
#[async_trait]
pub trait NamedObjects: Send + Sync {
    /// Returns at most `limit` objects whose paths follow `after` in the order of the database.
    async fn page(
        &self,
        conn: &DatabaseTransaction,
        after: &str,
        limit: u64,
    ) -> Result<Vec<NamedObject>, DbErr>;
}

/// Returns the migrations of this crate's table.
pub fn migrations() -> Vec<db::Migration> {
    migrations::all()
}

/// What a backup consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of tables.
    pub tables: u64,
    /// Number of rows in all tables.
    pub rows: u64,
    /// Number of files.
    pub files: u64,
    /// Length of all files in bytes.
    pub bytes: u64,
}
