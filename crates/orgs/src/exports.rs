//! Exports of personal data: one at a time per person, each recorded in the audit log.

use std::collections::HashSet;
use std::sync::Arc;

use identity::Bearer;
use kernel::{OrgId, PersonId};
use parking_lot::Mutex;

use crate::audit::{AuditAction, AuditRecord};
use crate::{Error, OrgScope, Orgs, Right};

/// The people with an export under way in this process.
#[derive(Clone, Default)]
pub struct Exports(Arc<Mutex<HashSet<PersonId>>>);

/// Permission for one export, held until the last byte is sent.
pub struct ExportPermit {
    exports: Exports,
    person: PersonId,
}

impl Exports {
    fn begin(&self, person: PersonId) -> Result<ExportPermit, Error> {
        if !self.0.lock().insert(person) {
            return Err(Error::ExportRunning);
        }
        Ok(ExportPermit { exports: self.clone(), person })
    }
}

impl Drop for ExportPermit {
    fn drop(&mut self) {
        self.exports.0.lock().remove(&self.person);
    }
}

impl Orgs {
    /// Begins an export by a caller with the right `R`, and records it.
    ///
    /// # Errors
    /// Those of [`Orgs::enter`], and [`Error::ExportRunning`] if the caller has not finished another one.
    pub async fn begin_export<R: Right>(
        &self,
        bearer: &Bearer,
        org: OrgId,
        action: AuditAction,
    ) -> Result<(OrgScope<R>, ExportPermit), Error> {
        let scope = self.enter::<R>(bearer, org).await?;
        let permit = self.exports.begin(scope.person())?;
        let tx = self.db.write_tx_on(org).await?;
        let confirmed = self.confirm_in(&tx, &scope).await?;
        self.record(&tx, AuditRecord::by(&confirmed, action, org)).await?;
        tx.commit().await?;
        Ok((scope, permit))
    }
}
