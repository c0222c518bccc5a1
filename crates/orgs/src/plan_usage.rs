//! How much of a plan an organisation uses: staff seats and app users.

use db::WriteTx;
use kernel::{DAY, Email, OrgId, PersonId};
use mail::EmailMessage;
use sea_orm::{ConnectionTrait, DbErr};

use crate::staff_error::{StaffError, Taken};
use crate::{Error, Orgs, store};

/// How many people count towards the plan, including invitations that can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanUsage {
    /// Staff.
    pub staff: u64,
    /// App users.
    pub app_users: u64,
}

impl Orgs {
    /// Returns how many people count towards the plan of the organisation.
    pub async fn plan_usage(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<PlanUsage, DbErr> {
        let staff = self.seats_used(conn, org, "").await?;
        let pending = store::invite::count_pending_viewers(conn, org, self.ambient.now()).await?;
        let app_users = store::membership::count_app_users(conn, org).await? + pending;
        Ok(PlanUsage { staff, app_users })
    }

    /// Fails unless the plan has a seat for one more member of staff. An invitation to `invited` does not
    /// count, because its seat is the one that is needed. `tx` must hold the organisation's lock.
    pub(crate) async fn require_seat(&self, tx: &WriteTx, org: OrgId, invited: &str) -> Result<(), Error> {
        let Some(allowed) = self.ports.seats.allowed(tx, org).await? else { return Ok(()) };
        let used = self.seats_used(tx, org, invited).await?;
        if used < allowed { Ok(()) } else { Err(StaffError::NoSeat(Taken { used, allowed }).into()) }
    }

    /// Returns whether the person belongs to the staff of one of these organisations.
    pub async fn is_staff_of_any(
        &self,
        conn: &impl ConnectionTrait,
        orgs: &[OrgId],
        person: PersonId,
    ) -> Result<bool, DbErr> {
        store::membership::is_staff_of_any(conn, orgs, person).await
    }

    /// Fails unless the plan allows one more app user. `tx` must hold the organisation's lock.
    pub(crate) async fn require_app_user_slot(&self, tx: &WriteTx, org: OrgId) -> Result<(), Error> {
        if self.app_users_taken(tx, org).await?.is_some() { Err(Error::Full) } else { Ok(()) }
    }

    /// Returns how many app users there are if the plan allows no more. `tx` must hold the organisation's lock.
    pub(crate) async fn app_users_taken(&self, tx: &WriteTx, org: OrgId) -> Result<Option<Taken>, DbErr> {
        let Some(allowed) = self.ports.seats.app_users(tx, org).await? else { return Ok(None) };
        let used = self.plan_usage(tx, org).await?.app_users;
        Ok((used >= allowed).then_some(Taken { used, allowed }))
    }

    /// Writes to the account admins that someone could not join because the plan is full, at most once a day.
    pub async fn report_full(&self, org: OrgId) -> Result<(), Error> {
        let now = self.ambient.now();
        let tx = self.db.write_tx_on(org).await?;
        let Some(organisation) = store::organisation::by_uid(&tx, org, now).await? else { return Ok(()) };
        if !store::organisation::claim_full_report(&tx, org, now, now - DAY).await? {
            return Ok(());
        }
        let link = self.public.at(&format!("/org/{org}/users"));
        let message = EmailMessage::OrganisationFull { organisation: organisation.name, link };
        let admins = store::membership::account_admins(&tx, org).await?;
        for person in self.identity.people(&tx, &admins).await? {
            if let Some(email) = Email::parse(&person.email) {
                self.mailer.enqueue(&tx, &email, &message).await?;
            }
        }
        Ok(tx.commit().await?)
    }

    async fn seats_used(&self, conn: &impl ConnectionTrait, org: OrgId, except: &str) -> Result<u64, DbErr> {
        let pending = store::invite::pending_staff(conn, org, except, self.ambient.now()).await?;
        let inviters: Vec<PersonId> = pending.iter().map(|invite| invite.inviter).collect();
        let members = store::membership::of_people(conn, org, &inviters).await?;
        let pending = pending.iter().filter(|invite| !invite.is_void(&members)).count() as u64;
        Ok(store::membership::count_staff(conn, org).await? + pending)
    }
}
