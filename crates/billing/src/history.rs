//! What became of purchases and why: for the managers of their account, in its audit log, and for the operator, from the
//! journal.

use db::WriteTx;
use kernel::{AccountId, OrgId, ProvisionId, Timestamp, Uid, iso};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use payments::SubscriptionStatus;
use sea_orm::{ActiveEnum as _, DbErr};
use serde_json::{Value, json};

use crate::model::{Cause, ProvisionState, PurchaseReason};
use crate::provision::Provision;
use crate::store::provision_change::Change;
use crate::{Billing, Error, store};

/// A purchase with its journal, as the operator sees it.
#[derive(Clone, Debug)]
pub struct PurchaseHistory {
    /// Its id.
    pub uid: ProvisionId,
    /// The account that pays.
    pub account: AccountId,
    /// The organisation it pays for or did.
    pub org: Option<OrgId>,
    /// Id of the plan; `None` if it costs nothing.
    pub plan: Option<String>,
    /// Its state now.
    pub state: ProvisionState,
    /// Why it is in that state.
    pub reason: Option<PurchaseReason>,
    /// Since when the invoice is unpaid that is the reason.
    pub unpaid_since: Option<Timestamp>,
    /// What the provider last said about the subscription.
    pub status: Option<SubscriptionStatus>,
    /// When the provider was last asked.
    pub asked_at: Timestamp,
    /// When its checkout was started.
    pub created_at: Timestamp,
    /// The entries of its journal, oldest first.
    pub changes: Vec<PurchaseChange>,
}

/// An entry of the journal: a change of a purchase's state.
#[derive(Clone, Debug)]
pub struct PurchaseChange {
    /// When it was recorded.
    pub at: Timestamp,
    /// The state before.
    pub from: ProvisionState,
    /// The state after.
    pub to: ProvisionState,
    /// Why it is in the state after; `None` in entries of older versions.
    pub reason: Option<PurchaseReason>,
    /// What made it change.
    pub cause: Cause,
    /// Id of the provider's event, or of the person.
    pub cause_id: Option<String>,
    /// The provider's name of the event, as long as the event is kept.
    pub event: Option<String>,
}

impl Billing {
    /// Returns the purchases of an organisation or of an account, or the one with this id, oldest first. Checks no right:
    /// only for the operator.
    ///
    /// # Errors
    /// If a query fails, or if a stored value cannot be read.
    pub async fn purchase_histories(&self, id: Uid) -> Result<Vec<PurchaseHistory>, DbErr> {
        let (conn, now) = (self.db.read(), self.ambient.now());
        let purchases = store::provision::concerning(conn, id).await?;
        let uids: Vec<ProvisionId> = purchases.iter().map(|purchase| purchase.uid).collect();
        let mut journal = store::provision_change::journal(conn, &uids).await?;
        Ok(purchases
            .into_iter()
            .map(|purchase| PurchaseHistory {
                state: purchase.state_at(now),
                reason: purchase.reason_at(now),
                unpaid_since: purchase.owes_since(now),
                changes: journal.remove(&purchase.uid).unwrap_or_default(),
                uid: purchase.uid,
                account: purchase.account,
                org: purchase.org,
                plan: purchase.plan,
                status: purchase.answer.map(|answer| answer.status),
                asked_at: purchase.synced_at,
                created_at: purchase.created_at,
            })
            .collect())
    }

    /// Records a change of state in the audit log of the account. The first payment has an entry already, and a checkout
    /// that was not paid needs none.
    pub(crate) async fn record_change(
        &self,
        tx: &WriteTx,
        provision: &Provision,
        change: &Change<'_>,
    ) -> Result<(), Error> {
        use ProvisionState as State;
        let is_bought = change.to == State::Active && matches!(change.from, State::Open | State::Expired);
        let was_paid = provision.activated_at.is_some() || provision.refused_at.is_some();
        if is_bought || !was_paid {
            return Ok(());
        }
        let after = json!({
            "state": change.to,
            "reason": change.reason,
            "unpaidSince": provision.owes_since(self.ambient.now()).map(iso),
            "cause": change.cause.to_value(),
        });
        let before = json!({ "state": change.from });
        self.record_for_account(tx, provision, AuditAction::PlanStateChanged, before, after).await
    }

    /// Records in the audit log of the account that a purchase has another plan now. The provider does not say who
    /// changed it.
    pub(crate) async fn record_plan_change(
        &self,
        tx: &WriteTx,
        provision: &Provision,
        before: Option<&str>,
    ) -> Result<(), Error> {
        let after = provision.plan.as_deref();
        if provision.activated_at.is_none() || before == after {
            return Ok(());
        }
        let plan = |id: Option<&str>| json!({ "plan": id.map(|id| self.plans.title(id)) });
        self.record_for_account(tx, provision, AuditAction::PlanChanged, plan(before), plan(after)).await
    }

    async fn record_for_account(
        &self,
        tx: &WriteTx,
        provision: &Provision,
        action: AuditAction,
        before: Value,
        after: Value,
    ) -> Result<(), Error> {
        let organisation = match provision.org {
            Some(org) => self.orgs.organisation(tx, org).await?.map(|organisation| organisation.name),
            None => None,
        };
        let plan = || provision.plan.as_deref().map(|id| self.plans.title(id).to_owned());
        let (account, name) = (provision.account, organisation.or_else(plan).unwrap_or_default());
        let record = AuditRecord::new(AuditSubject::Account(account), None, action, account.uid());
        Ok(self.orgs.record(tx, record.named(&name).change(before, after)).await?)
    }
}
