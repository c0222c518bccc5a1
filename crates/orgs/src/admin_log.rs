//! The log of the operator: which commands of `vitrine admin` changed something. An entry is written in the transaction of
//! its change, as in the audit logs of organisations. One command has one entry, also if it needs several transactions:
//! the first one writes it, the others add to its number of changes.

use db::WriteTx;
use kernel::{AuditEntryId, Timestamp, Uid};
use sea_orm::DbErr;

use crate::{Orgs, store};

/// A command of the operator, from its start.
#[derive(Clone, Debug)]
pub struct AdminRecord {
    pub(crate) uid: AuditEntryId,
    pub(crate) operator: String,
    pub(crate) command: String,
    pub(crate) created_at: Timestamp,
}

/// A command of the operator that changed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminEntry {
    /// When it began.
    pub created_at: Timestamp,
    /// The user of the operating system who ran it.
    pub operator: String,
    /// Its words and options, without addresses and names.
    pub command: String,
    /// What it changed, if that is one thing.
    pub target: Option<Uid>,
    /// Number of things that it changed.
    pub changes: i64,
}

impl Orgs {
    /// Begins the record of a command. Nothing is stored until it changes something. `command` must not name people.
    pub fn admin_record(&self, operator: String, command: String) -> AdminRecord {
        AdminRecord { uid: self.ambient.uid(), operator, command, created_at: self.ambient.now() }
    }

    /// Records, as part of the transaction of the change, that a command changed something.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn record_admin(
        &self,
        tx: &WriteTx,
        record: &AdminRecord,
        target: Option<Uid>,
        changes: u64,
    ) -> Result<(), DbErr> {
        if changes == 0 {
            return Ok(());
        }
        store::admin_log::add(tx, record, target, i64::try_from(changes).unwrap_or(i64::MAX)).await
    }

    /// Returns the entries that are kept, newest first.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn admin_log(&self, limit: u64) -> Result<Vec<AdminEntry>, DbErr> {
        store::admin_log::newest(self.db.read(), limit).await
    }
}
