//! Changes of roles: the facts that [`crate::grant`] needs, read in the transaction that writes the role.

use db::WriteTx;
use kernel::{OrgId, PersonId};
use sea_orm::DbErr;
use serde_json::json;

use crate::audit::{AuditAction, AuditRecord, AuditSubject};
use crate::grant::{self, GrantError, RoleChange};
use crate::model::Membership;
use crate::removals::RemovedAgain;
use crate::rights::{GiveRoles, TakeRoles, Withdraw};
use crate::staff_error::StaffError;
use crate::store::membership::Target;
use crate::{Error, Orgs, Role, TxScope, store};

impl Orgs {
    /// Gives a person a role, or removes the person if `new` is `None`. Returns the membership that remains.
    ///
    /// # Errors
    /// [`GrantError`] if the caller may not do this, [`StaffError::NoSeat`] if all seats are taken, and
    /// [`Error::Suspended`] if a suspended organisation would get more staff.
    pub(crate) async fn change_role(
        &self,
        scope: &TxScope<'_, TakeRoles>,
        person: PersonId,
        new: Option<Role>,
    ) -> Result<Option<Membership>, Error> {
        let (tx, org) = (scope.tx(), scope.org());
        let found = store::membership::of_people(tx, org, &[person]).await?.pop();
        let old = found.as_ref().map(|found| found.role);
        // A membership with an unknown role is left as it is.
        let is_unreadable = old.is_none() && store::membership::exists(tx, org, person).await?;
        let grant = grant::grant(RoleChange {
            caller: scope.role(),
            old,
            new,
            is_known: !is_unreadable && (old.is_some() || store::people::consents(tx, org, person).await?),
            is_self: person == scope.person(),
            is_last_super_admin: self.is_last_super_admin(tx, org, old).await?,
            is_individual: self.ports.seats.is_individual(tx, org).await?,
        })
        .map_err(StaffError::Grant)?;
        if old == new {
            return Ok(found);
        }
        if grant.is_promotion() {
            scope.require::<GiveRoles>()?;
        }
        let email =
            self.identity.people(tx, &[person]).await?.pop().map_or_else(String::new, |found| found.email);
        if grant.takes_a_seat() {
            self.require_seat(tx, org, &email).await?;
        }
        // A person who was removed becomes an app user again.
        if old.is_none()
            && new == Some(Role::User)
            && let Some(taken) = self.app_users_taken(tx, org).await?
        {
            return Err(StaffError::NoAppUser(taken).into());
        }
        let membership = self.write_membership(tx, org, person, grant).await?;
        self.revoke_invites_of(scope, &email).await?;
        let action = if new.is_some() { AuditAction::RoleChanged } else { AuditAction::PersonRemoved };
        let role = |role: Option<Role>| json!({ "role": role });
        self.record(tx, AuditRecord::by(scope, action, person).change(role(old), role(new))).await?;
        Ok(membership)
    }

    /// Removes the caller, who may be staff or an app user.
    ///
    /// # Errors
    /// [`GrantError`] if the caller is the only super admin.
    pub async fn leave(&self, scope: &TxScope<'_, Withdraw>) -> Result<(), Error> {
        let (tx, org) = (scope.tx(), scope.org());
        let is_last = self.is_last_super_admin(tx, org, Some(scope.role())).await?;
        let grant = grant::leave(scope.role(), is_last).map_err(StaffError::Grant)?;
        Ok(self.end_membership(tx, (org, scope.person()), scope.role(), grant).await?)
    }

    /// Removes a person who left before, and whose membership a restored backup still has. The only super admin stays.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn leave_again(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
    ) -> Result<RemovedAgain, DbErr> {
        tx.lock(org).await?;
        let Some(member) = store::membership::of_people(tx, org, &[person]).await?.pop() else {
            return Ok(RemovedAgain::Nothing);
        };
        let is_last = self.is_last_super_admin(tx, org, Some(member.role)).await?;
        let Ok(grant) = grant::leave(member.role, is_last) else { return Ok(RemovedAgain::OnlySuperAdmin) };
        self.end_membership(tx, (org, person), member.role, grant).await?;
        Ok(RemovedAgain::Done)
    }

    /// Ends the membership of a person who leaves, with an entry in the audit log if it was staff.
    async fn end_membership(
        &self,
        tx: &WriteTx,
        (org, person): (OrgId, PersonId),
        role: Role,
        grant: grant::Grant,
    ) -> Result<(), DbErr> {
        self.write_membership(tx, org, person, grant).await?;
        if !role.is_staff() {
            return Ok(());
        }
        let subject = AuditSubject::Org(org);
        let left = AuditRecord::new(subject, Some(person), AuditAction::PersonLeft, person.into());
        self.record(tx, left.change(json!({ "role": role }), json!({ "role": null }))).await
    }

    async fn is_last_super_admin(&self, tx: &WriteTx, org: OrgId, role: Option<Role>) -> Result<bool, DbErr> {
        Ok(role == Some(Role::SuperAdmin) && store::membership::count_super_admins(tx, org).await? == 1)
    }

    /// Adds, changes or removes a membership as granted, and tells the crates that follow roles. Returns it unless it
    /// was removed.
    pub(crate) async fn write_membership(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
        grant: grant::Grant,
    ) -> Result<Option<Membership>, DbErr> {
        let target = Target { uid: self.ambient.uid(), org, person, now: self.ambient.now() };
        let membership = store::membership::write(tx, target, grant).await?;
        for data in &self.ports.person_data {
            data.role_changed(tx, org, person, membership.as_ref().map(|member| member.role)).await?;
        }
        Ok(membership)
    }

    /// Gives a person any role, or none, for tests.
    #[cfg(feature = "testing")]
    pub async fn appoint(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
        role: impl Into<Option<Role>>,
    ) -> Result<(), DbErr> {
        tx.lock(org).await?;
        let old = store::membership::of_people(tx, org, &[person]).await?.pop().map(|found| found.role);
        let grant = grant::Grant::unchecked(old, role.into());
        self.write_membership(tx, org, person, grant).await.map(drop)
    }
}

/// Returns the membership, or the error for a person who has none.
pub(crate) fn known(membership: Option<Membership>) -> Result<Membership, Error> {
    membership.ok_or(StaffError::Grant(GrantError::UnknownPerson).into())
}
