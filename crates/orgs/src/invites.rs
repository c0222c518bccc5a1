//! Invitations to the staff: who may send them, how many, and how they are accepted.

use db::WriteTx;
use identity::{Caller, Person};
use kernel::{DAY, Email, HOUR, InviteId, MINUTE, Millis, PersonId, SECOND, Timestamp};
use mail::EmailMessage;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::audit::{AuditAction, AuditRecord, AuditSubject};
use crate::grant::{self, GrantError};
use crate::model::{Invite, Standing};
use crate::rights::{GiveRoles, Right, TakeRoles};
use crate::staff_error::StaffError;
use crate::store::invite::{Kind, NewInvite};
use crate::{Error, Orgs, Role, TxScope, store};

/// How long an invitation can be accepted.
pub(crate) const LIFETIME: Millis = 7 * DAY;
/// Invitations of one organisation in an hour, those sent again included.
const PER_HOUR_MAX: u64 = 50;

impl Orgs {
    /// Sends an invitation as part of the scope's transaction. It replaces an earlier one to the same address.
    ///
    /// # Errors
    /// Refuses invalid addresses, roles that the caller may not give, people who are staff already, more than
    /// 50 invitations in an hour, and more staff than the plan has seats.
    pub(crate) async fn invite(
        &self,
        scope: &TxScope<'_, GiveRoles>,
        address: &str,
        role: Role,
    ) -> Result<InviteId, Error> {
        let (tx, org, now) = (scope.tx(), scope.org(), self.ambient.now());
        let email = Email::parse(address).ok_or(StaffError::InvalidEmail)?;
        if !role.is_staff() {
            return Err(StaffError::RoleNotAssignable.into());
        }
        if role == Role::SuperAdmin && self.ports.seats.is_individual(tx, org).await? {
            return Err(StaffError::Grant(GrantError::Individual).into());
        }
        if let Some(person) = self.identity.person_by_email(tx, &email).await? {
            let member = store::membership::of_people(tx, org, &[person.uid]).await?.pop();
            if member.is_some_and(|member| member.role.is_staff()) {
                return Err(StaffError::AlreadyStaff.into());
            }
        }
        require_weight(scope, role)?;
        let sent = store::invite::sent_since(tx, org, Kind::Staff, now - HOUR, PER_HOUR_MAX).await?;
        if let Some(wait) = wait(&sent, PER_HOUR_MAX, now) {
            return Err(StaffError::TooManyInvites(wait).into());
        }
        self.require_seat(tx, org, email.as_str()).await?;
        store::invite::revoke_all_of(tx, org, &[email.as_str()], now).await?;
        let code = self.ambient.code();
        let new = NewInvite {
            uid: self.ambient.uid(),
            org,
            email: &email,
            role,
            inviter: scope.person(),
            code_hash: hash(&code),
            now,
            expires_at: now + LIFETIME,
        };
        let uid = new.uid;
        store::invite::insert(tx, [new]).await?;
        let message = self.message(scope, role, &code).await?;
        self.mailer.enqueue(tx, &email, &message).await?;
        let sent = AuditRecord::by(scope, AuditAction::InviteSent, uid);
        self.record(tx, sent.change(json!({}), json!({ "role": role }))).await?;
        Ok(uid)
    }

    async fn message(
        &self,
        scope: &TxScope<'_, GiveRoles>,
        role: Role,
        code: &str,
    ) -> Result<EmailMessage, Error> {
        let organisation = store::organisation::by_uid(scope.tx(), scope.org(), self.ambient.now())
            .await?
            .ok_or(Error::NotFound)?;
        let inviter = self.identity.people(scope.tx(), &[scope.person()]).await?.pop();
        Ok(EmailMessage::Invitation {
            link: self.public.at(&format!("/invite?code={code}")),
            organisation: organisation.name,
            role: role.label(),
            inviter: inviter.map_or_else(String::new, |person| shown_name(&person)),
            minutes: LIFETIME / MINUTE,
        })
    }

    /// Replaces an open invitation by a new one to the same address.
    ///
    /// # Errors
    /// Those of [`Orgs::invite`], and [`StaffError::InviteNotFound`].
    pub(crate) async fn resend_invite(
        &self,
        scope: &TxScope<'_, GiveRoles>,
        uid: InviteId,
    ) -> Result<InviteId, Error> {
        let invite = self.open_invite(scope, uid).await?;
        if invite.role.is_staff() {
            return self.invite(scope, &invite.email, invite.role).await;
        }
        let mut answers = self.invite_viewers(scope, &[invite.email]).await?;
        Ok(answers.pop().ok_or(StaffError::InviteNotFound)??)
    }

    /// Revokes an open invitation.
    ///
    /// # Errors
    /// [`StaffError::InviteNotFound`], or forbidden if its role weighs more than the caller's.
    pub(crate) async fn revoke_invite(
        &self,
        scope: &TxScope<'_, TakeRoles>,
        uid: InviteId,
    ) -> Result<(), Error> {
        let invite = self.open_invite(scope, uid).await?;
        store::invite::revoke(scope.tx(), invite.uid, self.ambient.now()).await?;
        let revoked = AuditRecord::by(scope, AuditAction::InviteRevoked, invite.uid);
        self.record(scope.tx(), revoked).await?;
        Ok(())
    }

    /// Revokes the open invitations of an address, so that an older decision about a person does not undo a newer one.
    pub(crate) async fn revoke_invites_of(
        &self,
        scope: &TxScope<'_, TakeRoles>,
        email: &str,
    ) -> Result<(), DbErr> {
        let (tx, now) = (scope.tx(), self.ambient.now());
        for invite in store::invite::revoke_all_of(tx, scope.org(), &[email], now).await? {
            self.record(tx, AuditRecord::by(scope, AuditAction::InviteRevoked, invite)).await?;
        }
        Ok(())
    }

    async fn open_invite<R: Right>(&self, scope: &TxScope<'_, R>, uid: InviteId) -> Result<Invite, Error> {
        let invite = store::invite::open_by_uid(scope.tx(), scope.org(), uid).await?;
        let invite = invite.ok_or(StaffError::InviteNotFound)?;
        require_weight(scope, invite.role)?;
        Ok(invite)
    }

    /// Returns the invitation with this code, and accepts it if it was sent to the caller. For others it stays
    /// as it is, so programs that open the links of an email change nothing.
    ///
    /// # Errors
    /// [`StaffError::InviteNotFound`] if the code is unknown, or the invitation was revoked, has expired or is void.
    /// For the invited person also a suspended plan, and a plan without a free seat.
    pub(crate) async fn answer_invite(&self, caller: Caller, code: &str) -> Result<Invite, Error> {
        let (read, now, code_hash) = (self.db.read(), self.ambient.now(), hash(code));
        let invite = store::invite::by_code(read, &code_hash).await?.ok_or(StaffError::InviteNotFound)?;
        if !invite.role.is_staff() {
            return Err(StaffError::InviteNotFound.into());
        }
        if invite.accepted_at.is_some() {
            return Ok(invite);
        }
        if !invite.is_pending(now) {
            return Err(StaffError::InviteNotFound.into());
        }
        require_valid(read, &invite, now).await?;
        let person = self.identity.people(read, &[caller.person()]).await?.pop().ok_or(Error::SignedOut)?;
        if person.email != invite.email {
            return Ok(invite);
        }
        let tx = self.db.write_tx_on(invite.org).await?;
        // Since the first read it may have been accepted or revoked.
        let invite = store::invite::by_code(&tx, &code_hash).await?.ok_or(StaffError::InviteNotFound)?;
        if invite.accepted_at.is_some() {
            return Ok(invite);
        }
        self.accept(&tx, &person, &invite).await?;
        tx.commit().await?;
        Ok(Invite { accepted_at: Some(now), ..invite })
    }

    async fn accept(&self, tx: &WriteTx, person: &Person, invite: &Invite) -> Result<(), Error> {
        let now = self.ambient.now();
        if !invite.is_pending(now) {
            return Err(StaffError::InviteNotFound.into());
        }
        if require_valid(tx, invite, now).await? == Standing::Suspended {
            return Err(StaffError::SuspendedToAccept.into());
        }
        let mut invited = self.identity.people(tx, &[person.uid]).await?.pop().ok_or(Error::SignedOut)?;
        self.identity.verify_email_by_code(tx, &mut invited).await?;
        let member = store::membership::of_people(tx, invite.org, &[person.uid]).await?.pop();
        if member.is_none() && store::membership::exists(tx, invite.org, person.uid).await? {
            // A membership with an unknown role is left as it is.
            return Err(StaffError::InviteNotFound.into());
        }
        let old = member.map(|member| member.role);
        let grant = grant::accept(old, invite.role);
        if grant.takes_a_seat() {
            self.require_seat(tx, invite.org, &invite.email).await.map_err(|error| match error {
                Error::Staff(StaffError::NoSeat(taken)) => StaffError::NoSeatToAccept(taken).into(),
                other => other,
            })?;
        }
        self.write_membership(tx, invite.org, person.uid, grant).await?;
        // An acceptance that keeps a higher role is recorded as well.
        let change = (old != grant.new_role()).then_some((old, grant.new_role()));
        self.record_acceptance(tx, person.uid, invite, change).await
    }

    /// Marks an invitation as accepted. `change` is the person's old and new role, if it changed.
    pub(crate) async fn record_acceptance(
        &self,
        tx: &WriteTx,
        person: PersonId,
        invite: &Invite,
        change: Option<(Option<Role>, Option<Role>)>,
    ) -> Result<(), Error> {
        store::invite::accept(tx, invite.uid, self.ambient.now()).await?;
        let (subject, target) = (AuditSubject::Org(invite.org), invite.uid.into());
        let accepted = AuditRecord::new(subject, Some(person), AuditAction::InviteAccepted, target);
        let role = |role: Option<Role>| json!({ "role": role });
        let accepted = match change {
            Some((old, new)) => accepted.change(role(old), role(new)),
            None => accepted,
        };
        Ok(self.record(tx, accepted).await?)
    }
}

/// Fails if the invitation is void or the organisation is gone. Returns the organisation's standing.
async fn require_valid(
    conn: &impl ConnectionTrait,
    invite: &Invite,
    now: Timestamp,
) -> Result<Standing, Error> {
    let inviter = store::membership::role_of(conn, invite.org, invite.inviter, now).await?;
    match inviter {
        Some((role, standing))
            if grant::may_invite(Some(role), invite.role) && standing != Standing::Ended =>
        {
            Ok(standing)
        }
        _ => Err(StaffError::InviteNotFound.into()),
    }
}

/// Fails unless the caller's role is at least as high.
fn require_weight<R: Right>(scope: &TxScope<'_, R>, role: Role) -> Result<(), Error> {
    if role <= scope.role() { Ok(()) } else { Err(StaffError::Grant(GrantError::AboveCaller).into()) }
}

/// Returns the hash under which a code is stored.
pub(crate) fn hash(code: &str) -> [u8; 32] {
    Sha256::digest(code).into()
}

/// Returns the name that an email shows for a person.
fn shown_name(person: &Person) -> String {
    person.display_name.clone().unwrap_or_else(|| person.email.clone())
}

/// Returns the seconds until the next invitation may be sent, or `None` if it may be sent now. `sent` are the
/// times of the last hour, newest first; `max` is the most in an hour.
pub(crate) fn wait(sent: &[Timestamp], max: u64, now: Timestamp) -> Option<u32> {
    let last = sent.get(max as usize - 1)?;
    u32::try_from((*last + HOUR - now + SECOND - 1) / SECOND).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_first_invitation_of_an_hour_waits_for_the_first() {
        let now = Timestamp::from_ms(10 * HOUR);
        let sent: Vec<_> = (0..50).map(|minute| now - minute * MINUTE).collect();
        assert_eq!(wait(&sent[..49], 50, now), None);
        assert_eq!(wait(&sent, 50, now), Some(11 * 60));
    }
}
