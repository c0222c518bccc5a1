//! `vitrine verify`: runs the checks of all crates, and the repairs.

use ::orgs::AdminRecord;
use kernel::Finding;
use tokio::sync::mpsc::{self, Sender, UnboundedSender};

use super::line::Line;
use super::{Admin, CommandError, send_line};
use crate::storage_identity;

impl Admin {
    /// Checks the stored data. With a record it also repairs, and adds each repair to the operator's log.
    pub(super) async fn verify(
        &self,
        deep: bool,
        record: Option<&AdminRecord>,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let (sender, mut findings) = mpsc::unbounded_channel();
        let check = async move { self.check(deep, &sender).await };
        let forward = async {
            let mut all = Vec::new();
            let mut count = 0;
            while let Some(finding) = findings.recv().await {
                count += 1;
                if record.is_some() {
                    all.push(finding.clone());
                }
                send_line(out, Line::Finding(finding)).await?;
            }
            Ok((count, all))
        };
        let ((), (findings, all)) = tokio::try_join!(check, forward)?;
        let mut repaired = 0;
        for finding in all {
            if let Some(done) = self.repair(&finding).await? {
                repaired += 1;
                if let Some(record) = record {
                    let tx = self.db.write_tx().await?;
                    self.orgs.record_admin(&tx, record, None, 1).await?;
                    tx.commit().await?;
                }
                send_line(out, Line::Repaired(Finding { what: done, ..finding })).await?;
            }
        }
        Ok(Line::Verified { findings, repaired })
    }

    async fn check(&self, deep: bool, found: &UnboundedSender<Finding>) -> Result<(), CommandError> {
        let report = |findings: Vec<Finding>| {
            for finding in findings {
                // The receiver is gone if the client disconnected.
                let _ = found.send(finding);
            }
        };
        let found_storage = content::storage_identity::compare(self.db.read(), &self.storage).await?;
        if let Some(what) = storage_identity::problem(&self.storage_location, found_storage) {
            report(vec![Finding::new("storage_identity", "storage", &self.storage_location, what)]);
        }
        report(self.jobs.verify(&self.kinds).await?);
        report(self.mailer.verify().await?);
        report(self.orgs.verify().await?);
        report(self.billing.verify().await?);
        report(self.playlists.verify().await?);
        report(self.audience.verify().await?);
        report(self.analytics.verify().await?);
        report(self.analytics.verify_archive(deep).await?);
        report(self.leads.verify().await?);
        Ok(self.content.verify(deep, found).await?)
    }

    /// Repairs a finding if that is safe: sums are counted again, what is derived is derived again, references to what is
    /// gone are dropped, and stuck processing is queued. Returns what was done.
    async fn repair(&self, finding: &Finding) -> Result<Option<String>, CommandError> {
        if let Some(done) = self.orgs.repair(finding).await? {
            return Ok(Some(done));
        }
        if let Some(done) = self.playlists.repair(finding).await? {
            return Ok(Some(done));
        }
        if let Some(done) = self.audience.repair(finding).await? {
            return Ok(Some(done));
        }
        if let Some(done) = self.analytics.repair(finding).await? {
            return Ok(Some(done));
        }
        Ok(self.content.repair(finding).await?)
    }
}
