//! The people an organisation knows, as other crates read and change them.

use db::WriteTx;
use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::grant::Grant;
use crate::{ConsentAnswer, Membership, Organisation, Orgs, Role, Standing, store};

impl Orgs {
    /// Adds the person as a member with the role `user`. Returns false if the person is a member already.
    pub async fn add_member(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
        tx.lock(org).await?;
        if store::membership::exists(tx, org, person).await? {
            return Ok(false);
        }
        self.write_membership(tx, org, person, Grant::to_app_user()).await?;
        Ok(true)
    }

    /// Returns the person's memberships, oldest first. Organisations that were deleted or whose plan has
    /// ended are left out.
    pub async fn memberships_of(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<Vec<(Membership, Organisation)>, DbErr> {
        store::membership::of_person(conn, person, false, self.ambient.now()).await
    }

    /// Returns the person's memberships in organisations whose plan has ended, oldest first.
    pub async fn ended_memberships_of(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<Vec<(Membership, Organisation)>, DbErr> {
        store::membership::of_person(conn, person, true, self.ambient.now()).await
    }

    /// Returns the organisations that know a person: as a member, by an answer to their notice, or as blocked.
    pub async fn orgs_that_know(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<Vec<OrgId>, DbErr> {
        store::people::orgs_of(conn, person).await
    }

    /// Returns the memberships of these people in one organisation.
    pub async fn memberships_in(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        people: &[PersonId],
    ) -> Result<Vec<Membership>, DbErr> {
        store::membership::of_people(conn, org, people).await
    }

    /// Returns whether the person is kept from rejoining, read in the transaction that would add the person.
    pub async fn is_blocked(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
        Ok(store::people::blocked(tx, org, person).await? == Some(true))
    }

    /// Removes what the person did in the organisation, or cuts the person from it, as part of the transaction that
    /// withdraws the consent, ends the membership or erases the account. `tx` must hold the organisation's lock.
    pub async fn remove_person_data(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        for data in &self.ports.person_data {
            data.remove_person(tx, org, person).await?;
        }
        Ok(())
    }

    /// Stores a person's latest answer to the organisation's notice, as part of audience's `tx`, which must hold
    /// the organisation's lock.
    pub async fn set_answer(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
        answer: ConsentAnswer,
    ) -> Result<(), DbErr> {
        store::people::set_answer(tx, org, person, Some(answer)).await
    }
}

/// Returns a person's role in an organisation and the standing of its plan; `None` if the person is not a member, or the
/// organisation was deleted. Use it to select what the person may read, never to allow a change.
pub async fn role_of(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    now: Timestamp,
) -> Result<Option<(Role, Standing)>, DbErr> {
    store::membership::role_of(conn, org, person, now).await
}

/// Forgets a person's answers to the notices of all organisations, as part of audience's `tx`.
pub async fn forget_answers(tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
    for org in locked_orgs_of(tx, person).await? {
        store::people::set_answer(tx, org, person, None).await?;
    }
    Ok(())
}

/// Takes the locks of the organisations that know the person, always in the same order.
pub(crate) async fn locked_orgs_of(tx: &WriteTx, person: PersonId) -> Result<Vec<OrgId>, DbErr> {
    let mut orgs = store::people::orgs_of(tx, person).await?;
    orgs.sort_unstable();
    for org in &orgs {
        tx.lock(*org).await?;
    }
    Ok(orgs)
}
