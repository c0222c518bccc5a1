//! `vitrine admin audit`.

use kernel::iso;
use tokio::sync::mpsc::Sender;

use super::line::{AuditLine, Line};
use super::{Admin, CommandError, send_line};

impl Admin {
    pub(super) async fn list_audit(&self, limit: u32, out: &Sender<Line>) -> Result<Line, CommandError> {
        let found = self.orgs.admin_log(limit.into()).await?;
        let entries = found.len() as u64;
        for entry in found {
            let line = AuditLine {
                time: iso(entry.created_at),
                operator: entry.operator,
                command: entry.command,
                target: entry.target.map(|target| target.to_string()),
                changes: entry.changes,
            };
            send_line(out, Line::Audit(line)).await?;
        }
        Ok(Line::AuditListed { entries })
    }
}
