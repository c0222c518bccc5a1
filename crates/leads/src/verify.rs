//! Checks of leads.

use kernel::Finding;
use sea_orm::DbErr;

use crate::model::LeadKey;
use crate::{Leads, store};

impl Leads {
    /// Checks that each lead is of a person who consents. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let leads = store::lead::without_consent(self.db.read()).await?;
        let finding = |LeadKey { org, person }| {
            let what = "the person does not consent";
            Finding::new("lead_consent", "lead", format_args!("{org} {person}"), what)
        };
        Ok(leads.into_iter().map(finding).collect())
    }
}
