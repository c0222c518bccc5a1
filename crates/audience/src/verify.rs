//! Checks of the answers to the notice.

use kernel::{Finding, OrgId, PersonId};
use sea_orm::DbErr;

use crate::{Audience, store};

impl Audience {
    /// Checks that each current answer is the latest record, and that lists of people show it. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let read = self.db.read();
        let records = store::verify::records(read).await?;
        let records = records.into_iter().map(|(org, person)| {
            let what = "the current answer is not the latest record";
            Finding::new("consent_standing", "consent_standing", format_args!("{org} {person}"), what)
        });
        let shown = store::verify::shown(read).await?;
        let shown = shown.into_iter().map(|(org, person)| {
            let what = "shows another answer than the current one";
            Finding::new("consent_shown", "org_person", format_args!("{org} {person}"), what)
        });
        Ok(records.chain(shown).collect())
    }

    /// Repairs what [`Self::verify`] found in lists of people. Answers are never changed. Returns what was done, or `None`
    /// if nothing can be done.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn repair(&self, finding: &Finding) -> Result<Option<String>, DbErr> {
        let ids = finding.id.split_once(' ').filter(|_| finding.check == "consent_shown");
        let ids = ids.and_then(|(org, person)| Some((org.parse::<OrgId>().ok()?, person.parse().ok()?)));
        let Some((org, person)): Option<(OrgId, PersonId)> = ids else { return Ok(None) };
        let tx = self.db.write_tx_on(org).await?;
        let Some(record) = store::consent::latest(&tx, org, person).await? else { return Ok(None) };
        let answer = orgs::ConsentAnswer { given: record.consent.given, at: record.created_at };
        self.orgs.set_answer(&tx, org, person, answer).await?;
        tx.commit().await?;
        Ok(Some("shows the current answer".to_owned()))
    }
}
