//! What billing changes: organisations that are bought, their first super admin, and the standing of their plan.

use db::WriteTx;
use kernel::{OrgId, Patch, PersonId};
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::json;

use crate::grant::Grant;
use crate::{
    AuditAction, AuditRecord, AuditSubject, Error, NewOrg, Organisation, Orgs, PlanStanding, Role, Standing,
    model, store,
};

impl Orgs {
    /// Creates an organisation and its first super admin as part of `tx`.
    ///
    /// # Errors
    /// Fails if the name is empty or too long.
    pub async fn create(&self, tx: &WriteTx, new_org: &NewOrg) -> Result<Organisation, Error> {
        model::name(Patch::Value(new_org.name.clone()))?;
        let now = self.ambient.now();
        let organisation = store::organisation::insert(tx, self.ambient.uid(), new_org, now).await?;
        self.write_membership(tx, organisation.uid, new_org.owner, Grant::to_founder()).await?;
        let (subject, uid) = (AuditSubject::Org(organisation.uid), organisation.uid.into());
        let created = AuditRecord::new(subject, Some(new_org.owner), AuditAction::OrganisationCreated, uid);
        self.record(tx, created.named(&new_org.name)).await?;
        Ok(organisation)
    }

    /// Makes a person super admin of an organisation that returns, as part of billing's `tx`.
    pub async fn ensure_super_admin(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        tx.lock(org).await?;
        let old = store::membership::of_people(tx, org, &[person]).await?.pop().map(|found| found.role);
        if old == Some(Role::SuperAdmin) {
            return Ok(());
        }
        self.write_membership(tx, org, person, Grant::to_founder()).await?;
        let role = |role: Option<Role>| json!({ "role": role });
        let changed = AuditRecord::new(AuditSubject::Org(org), None, AuditAction::RoleChanged, person.into());
        self.record(tx, changed.change(role(old), role(Some(Role::SuperAdmin)))).await
    }

    /// Stores the standing of an organisation, as part of billing's `tx`.
    pub async fn set_standing(&self, tx: &WriteTx, org: OrgId, plan: PlanStanding) -> Result<(), DbErr> {
        // Others prove a right, which depends on the standing, under this lock.
        tx.lock(org).await?;
        store::organisation::set_standing(tx, org, plan).await
    }

    /// Returns the stored standings of a page of the organisations that were not deleted, ordered by id, starting after
    /// `after`. One that cannot be read does not fail the others.
    pub async fn plan_standings(
        &self,
        conn: &impl ConnectionTrait,
        after: OrgId,
        limit: u64,
    ) -> Result<Vec<(OrgId, Result<PlanStanding, DbErr>)>, DbErr> {
        store::organisation::plan_standings(conn, after, limit).await
    }

    /// Returns the stored standing of an organisation that was not deleted.
    pub async fn plan_standing(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Option<PlanStanding>, DbErr> {
        store::organisation::plan_standing_of(conn, org).await
    }

    /// Returns up to `limit` organisations that are past due or suspended and were not deleted.
    pub async fn unpaid(&self, conn: &impl ConnectionTrait, limit: u64) -> Result<Vec<OrgId>, DbErr> {
        store::organisation::unpaid(conn, limit).await
    }

    /// Records a change of the standing in the audit log, as part of billing's `tx`. Time changes a standing without
    /// a write, so the change may be older than the entry.
    pub async fn record_standing(
        &self,
        tx: &WriteTx,
        org: OrgId,
        from: Standing,
        to: Standing,
    ) -> Result<(), DbErr> {
        let Some(name) = store::organisation::name(tx, org).await? else { return Ok(()) };
        let changed =
            AuditRecord::new(AuditSubject::Org(org), None, AuditAction::StandingChanged, org.into());
        let state = |standing: Standing| json!({ "state": standing });
        self.record(tx, changed.named(&name).change(state(from), state(to))).await
    }
}
