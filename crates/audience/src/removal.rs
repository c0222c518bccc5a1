//! Withdrawing a consent and leaving: when a person does, and again in a restored backup from before.

use db::WriteTx;
use kernel::{OrgId, PersonId, Timestamp};
use orgs::removals::{self, Removal, RemovalKind, RemovedAgain};
use sea_orm::DbErr;

use crate::model::{self, ConsentAnswer, ConsentRecord, Method};
use crate::{Audience, store};

impl Audience {
    /// Stores an answer that was given at `now`, as [`Self::record_answer`] does, and a no in the list of removals, too.
    pub(crate) async fn record_answer_at(
        &self,
        tx: &WriteTx,
        answer: &ConsentAnswer,
        now: Timestamp,
    ) -> Result<ConsentRecord, DbErr> {
        let (org, person) = (answer.org, answer.person);
        let before = store::consent::latest(tx, org, person).await?;
        let standing = model::consent_after(before.map(|record| record.consent), answer.given, now);
        let known = orgs::ConsentAnswer { given: answer.given, at: now };
        self.orgs.set_answer(tx, org, person, known).await?;
        if !answer.given {
            self.orgs.remove_person_data(tx, org, person).await?;
            let kind = match answer.method {
                Method::Leave => RemovalKind::Membership,
                Method::Join | Method::Settings => RemovalKind::Consent,
            };
            removals::note(tx, Removal { kind, org: Some(org), person, at: now }).await?;
        }
        store::consent::add(tx, self.ambient.uid(), answer, standing, now).await
    }

    /// Withdraws a consent again that was withdrawn at `at`, and that a restored backup still has.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn withdraw_again(
        &self,
        tx: &WriteTx,
        (org, person): (OrgId, PersonId),
        at: Timestamp,
    ) -> Result<RemovedAgain, DbErr> {
        tx.lock(org).await?;
        if !self.is_given(tx, org, person).await? {
            return Ok(RemovedAgain::Nothing);
        }
        let answer = ConsentAnswer { org, person, given: false, method: Method::Settings };
        self.record_answer_at(tx, &answer, at).await?;
        Ok(RemovedAgain::Done)
    }

    /// Ends a membership again that the person ended at `at`, and that a restored backup still has, with the consent. The
    /// consent of the only super admin is withdrawn, too.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn leave_again(
        &self,
        tx: &WriteTx,
        (org, person): (OrgId, PersonId),
        at: Timestamp,
    ) -> Result<RemovedAgain, DbErr> {
        let left = self.orgs.leave_again(tx, org, person).await?;
        if left == RemovedAgain::OnlySuperAdmin {
            self.withdraw_again(tx, (org, person), at).await?;
            return Ok(left);
        }
        let is_given = self.is_given(tx, org, person).await?;
        if left == RemovedAgain::Nothing && !is_given {
            return Ok(left);
        }
        let answer = ConsentAnswer { org, person, given: false, method: Method::Leave };
        self.record_answer_at(tx, &answer, at).await?;
        store::progress::remove(tx, org, person).await?;
        Ok(RemovedAgain::Done)
    }

    async fn is_given(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
        Ok(self.consent_of(tx, org, person).await?.is_some_and(|consent| consent.given))
    }
}
