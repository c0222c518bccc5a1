//! Invitations of viewers. A viewer joins with a link that works for one address only, whatever the privacy of the
//! organisation.

use std::collections::{HashMap, HashSet};

use db::WriteTx;
use kernel::{DAY, Email, HOUR, InviteId, MINUTE, Millis, OrgId, PersonId, Timestamp};
use mail::EmailMessage;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::json;

use crate::audit::{AuditAction, AuditRecord};
use crate::invites::{LIFETIME, hash, wait};
use crate::model::{Invite, Organisation, Standing};
use crate::rights::GiveRoles;
use crate::staff_error::{StaffError, Taken};
use crate::store::invite::{Kind, NewInvite};
use crate::{Error, Orgs, Role, TxScope, brand, store};

/// Viewers that one organisation may invite in an hour, those invited again included.
const PER_HOUR_MAX: u64 = 1_000;
/// Invitations of an organisation to one address in a day.
const PER_DAY_MAX: u32 = 3;
/// Time between the emails of many invitations, so that links to sign in do not wait behind them.
const PACE: Millis = 250;

/// What the code of a joining link leads to.
pub struct JoinLink {
    /// The organisation to join.
    pub organisation: Organisation,
    /// The invitation that the code belongs to; `None` for the organisation's own joining link.
    invite: Option<Invite>,
}

impl JoinLink {
    /// Returns the only address that can join by this link; `None` if everyone can.
    pub fn invited_email(&self) -> Option<&str> {
        self.invite.as_ref().map(|invite| invite.email.as_str())
    }

    /// Returns whether the owner of the address can join by this link now: an invitation works once, for its address.
    pub(crate) fn admits(&self, email: &Email, now: Timestamp) -> bool {
        self.invite.as_ref().is_none_or(|invite| invite.email == email.as_str() && invite.is_pending(now))
    }
}

/// Finds what a code leads to: the joining link of a public organisation, or an invitation that can be accepted or was.
pub async fn find(
    conn: &impl ConnectionTrait,
    code: &str,
    now: Timestamp,
) -> Result<Option<JoinLink>, DbErr> {
    if let Some(organisation) = store::organisation::by_join_code(conn, code, now).await? {
        return Ok(Some(JoinLink { organisation, invite: None }));
    }
    let invite = store::invite::by_code(conn, &hash(code)).await?;
    let Some(invite) = invite
        .filter(|invite| !invite.role.is_staff() && (invite.is_pending(now) || invite.accepted_at.is_some()))
    else {
        return Ok(None);
    };
    let organisation = store::organisation::by_uid(conn, invite.org, now).await?;
    let organisation = organisation.filter(|organisation| organisation.standing != Standing::Ended);
    Ok(organisation.map(|organisation| JoinLink { organisation, invite: Some(invite) }))
}

impl Orgs {
    /// Returns what the code of a joining link leads to, or `None` if it is not valid.
    pub async fn join_link(
        &self,
        conn: &impl ConnectionTrait,
        code: &str,
    ) -> Result<Option<JoinLink>, DbErr> {
        find(conn, code, self.ambient.now()).await
    }

    /// Adds a person as an app user. `tx` must hold the organisation's lock, and `link` must have been read in it.
    /// Returns false if the person is a member already, and `None` if the link does not admit the person: an
    /// invitation that was accepted does not readmit who has left.
    ///
    /// # Errors
    /// Fails if the person's address is not the one that was invited, or is unverified and the link is for everyone, or
    /// if the plan allows no more app users. An invited person is already counted.
    pub async fn join(&self, tx: &WriteTx, link: &JoinLink, person: PersonId) -> Result<Option<bool>, Error> {
        let (org, now) = (link.organisation.uid, self.ambient.now());
        let mut found = self.identity.people(tx, &[person]).await?.pop().ok_or(Error::SignedOut)?;
        let Some(invite) = &link.invite else {
            found.require_verified_email()?;
            let open = store::invite::open_of_viewer(tx, org, &found.email).await?;
            let is_counted = open.iter().any(|invite| invite.is_pending(now))
                || store::membership::exists(tx, org, person).await?;
            if !is_counted {
                self.require_app_user_slot(tx, org).await?;
            }
            let new = self.add_member(tx, org, person).await?;
            // A pending invitation would still count as an app user of the plan.
            for invite in &open {
                self.record_acceptance(tx, person, invite, new.then_some((None, Some(Role::User)))).await?;
            }
            return Ok(Some(new));
        };
        if found.email != invite.email {
            return Err(StaffError::OtherAddress(invite.email.clone()).into());
        }
        self.identity.verify_email_by_code(tx, &mut found).await?;
        if invite.accepted_at.is_some() {
            return Ok(store::membership::exists(tx, org, person).await?.then_some(false));
        }
        let new = self.add_member(tx, invite.org, person).await?;
        self.record_acceptance(tx, person, invite, new.then_some((None, Some(Role::User)))).await?;
        Ok(Some(new))
    }

    /// Invites viewers as part of the scope's transaction. The answers are in the order of the addresses; an address
    /// that is repeated is invited once. An invitation replaces earlier ones to the same address.
    pub(crate) async fn invite_viewers(
        &self,
        scope: &TxScope<'_, GiveRoles>,
        addresses: &[String],
    ) -> Result<Vec<Result<InviteId, StaffError>>, Error> {
        let (tx, org, now) = (scope.tx(), scope.org(), self.ambient.now());
        let parsed: Vec<Option<Email>> = addresses.iter().map(|address| Email::parse(address)).collect();
        let emails: Vec<&Email> = parsed.iter().flatten().collect();
        let refusals = self.refusals(tx, org, &emails).await?;
        let mut limits = self.invite_limits(tx, org, &emails).await?;
        let mut answers: Vec<Result<InviteId, StaffError>> = Vec::with_capacity(parsed.len());
        let mut invited: HashMap<&Email, InviteId> = HashMap::new();
        for email in &parsed {
            let answer = match email {
                None => Err(StaffError::InvalidEmail),
                Some(email) if invited.contains_key(email) => Ok(invited[email]),
                Some(email) => match refusals.of(email) {
                    Some(refusal) => Err(refusal),
                    None => limits.take(email, now).map(|()| {
                        let uid = self.ambient.uid();
                        invited.insert(email, uid);
                        uid
                    }),
                },
            };
            answers.push(answer);
        }
        self.send_to_viewers(scope, invited.into_iter().collect(), limits.first_due(now)).await?;
        Ok(answers)
    }

    /// Stores invitations with these ids and emails them, one after the other from `due` on.
    async fn send_to_viewers(
        &self,
        scope: &TxScope<'_, GiveRoles>,
        mut invited: Vec<(&Email, InviteId)>,
        mut due: Timestamp,
    ) -> Result<(), Error> {
        let (tx, org, now) = (scope.tx(), scope.org(), self.ambient.now());
        let organisation = store::organisation::by_uid(tx, org, now).await?.ok_or(Error::NotFound)?;
        let emails: Vec<&str> = invited.iter().map(|(email, _)| email.as_str()).collect();
        store::invite::revoke_all_of(tx, org, &emails, now).await?;
        invited.sort_unstable_by_key(|(_, uid)| *uid);
        let mut new = Vec::with_capacity(invited.len());
        for (email, uid) in invited {
            let (code, inviter, expires_at) = (self.ambient.code(), scope.person(), now + LIFETIME);
            let message = EmailMessage::ViewerInvitation {
                brand: Box::new(brand(&organisation, &self.public)),
                link: self.public.at(&format!("/app/join/{code}")),
                minutes: LIFETIME / MINUTE,
            };
            self.mailer.enqueue_at(tx, email, &message, due).await?;
            due += PACE;
            let sent = AuditRecord::by(scope, AuditAction::InviteSent, uid);
            self.record(tx, sent.change(json!({}), json!({ "role": Role::User }))).await?;
            let code_hash = hash(&code);
            new.push(NewInvite { uid, org, email, role: Role::User, inviter, code_hash, now, expires_at });
        }
        Ok(store::invite::insert(tx, new).await?)
    }

    /// Returns the addresses that cannot be invited.
    async fn refusals(&self, tx: &WriteTx, org: OrgId, emails: &[&Email]) -> Result<Refusals, DbErr> {
        let people = self.identity.people_by_email(tx, emails).await?;
        let uids: Vec<PersonId> = people.iter().map(|person| person.uid).collect();
        let members = store::membership::of_people(tx, org, &uids).await?;
        let blocked = store::people::blocked_among(tx, org, &uids).await?;
        let emails_of = |uids: HashSet<PersonId>| {
            let those = people.iter().filter(|person| uids.contains(&person.uid));
            those.map(|person| person.email.clone()).collect::<HashSet<String>>()
        };
        let addresses: Vec<&str> = emails.iter().map(|email| email.as_str()).collect();
        let now = self.ambient.now();
        let to_staff = store::invite::pending_staff(tx, org, "", now).await?;
        Ok(Refusals {
            often: store::invite::invited_often(tx, org, &addresses, now - DAY, PER_DAY_MAX).await?,
            to_staff: to_staff.into_iter().map(|invite| invite.email).collect(),
            members: emails_of(members.iter().map(|member| member.person).collect()),
            blocked: emails_of(blocked),
        })
    }

    /// Returns how many viewers can be invited: an address with an invitation that can be accepted is already
    /// counted.
    async fn invite_limits(
        &self,
        tx: &WriteTx,
        org: OrgId,
        emails: &[&Email],
    ) -> Result<InviteLimits, DbErr> {
        let now = self.ambient.now();
        let sent = store::invite::sent_since(tx, org, Kind::Viewers, now - HOUR, PER_HOUR_MAX).await?;
        let Some(allowed) = self.ports.seats.app_users(tx, org).await? else {
            return Ok(InviteLimits::new(sent, None));
        };
        let mut pending = store::invite::pending_viewers(tx, org, now).await?;
        let used = store::membership::count_app_users(tx, org).await? + pending.len() as u64;
        pending.retain(|pending| emails.iter().any(|email| email.as_str() == pending));
        Ok(InviteLimits::new(sent, Some(Plan { allowed, used, pending })))
    }
}

/// The addresses, in lower case, of people who cannot be invited.
struct Refusals {
    members: HashSet<String>,
    blocked: HashSet<String>,
    to_staff: HashSet<String>,
    often: HashSet<String>,
}

impl Refusals {
    fn of(&self, email: &Email) -> Option<StaffError> {
        if self.members.contains(email.as_str()) {
            Some(StaffError::AlreadyJoined)
        } else if self.blocked.contains(email.as_str()) {
            Some(StaffError::InvitedBlocked)
        } else if self.to_staff.contains(email.as_str()) {
            Some(StaffError::InvitedToStaff)
        } else if self.often.contains(email.as_str()) {
            Some(StaffError::InvitedOften)
        } else {
            None
        }
    }
}

/// How many more viewers can be invited.
struct InviteLimits {
    /// Times of the last hour's invitations, newest first, including this request's.
    sent: Vec<Timestamp>,
    /// How many of them were invited before.
    before: usize,
    /// What the plan allows; `None` if it has no limit.
    plan: Option<Plan>,
}

struct Plan {
    allowed: u64,
    used: u64,
    /// Addresses with an invitation that can be accepted.
    pending: HashSet<String>,
}

impl InviteLimits {
    fn new(sent: Vec<Timestamp>, plan: Option<Plan>) -> Self {
        Self { before: sent.len(), sent, plan }
    }

    /// Returns when the first email may be sent: after those of the last hour, one after the other.
    fn first_due(&self, now: Timestamp) -> Timestamp {
        let before = i64::try_from(self.before).unwrap_or(i64::MAX);
        let first = self.sent.last().copied().unwrap_or(now);
        now.max(first + before.saturating_mul(PACE))
    }

    /// Counts one more viewer.
    fn take(&mut self, email: &Email, now: Timestamp) -> Result<(), StaffError> {
        if let Some(wait) = wait(&self.sent, PER_HOUR_MAX, now) {
            return Err(StaffError::TooManyInvites(wait));
        }
        if let Some(plan) = self.plan.as_mut().filter(|plan| !plan.pending.contains(email.as_str())) {
            let Plan { used, allowed, .. } = *plan;
            if used >= allowed {
                return Err(StaffError::NoAppUser(Taken { used, allowed }));
            }
            plan.used += 1;
        }
        self.sent.insert(0, now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(n: usize) -> Email {
        Email::parse(&format!("viewer{n}@example.com")).unwrap()
    }

    #[test]
    fn a_plan_allows_as_many_viewers_as_are_free() {
        let now = Timestamp::from_ms(10 * HOUR);
        let pending = HashSet::from([email(0).as_str().to_owned()]);
        let mut limits = InviteLimits::new(Vec::new(), Some(Plan { allowed: 7, used: 6, pending }));
        assert!(limits.take(&email(0), now).is_ok(), "invited again");
        assert!(limits.take(&email(1), now).is_ok());
        assert!(matches!(
            limits.take(&email(2), now),
            Err(StaffError::NoAppUser(Taken { used: 7, allowed: 7 }))
        ));
        assert!(limits.take(&email(0), now).is_ok(), "an invited address stays counted");
    }

    #[test]
    fn emails_of_many_invitations_are_paced_and_later_ones_are_not() {
        let start = Timestamp::from_ms(10 * HOUR);
        let mut limits = InviteLimits::new(vec![start; 100], None);
        assert!(limits.take(&email(0), start + 10).is_ok());
        assert_eq!(limits.first_due(start + 10), start + 100 * PACE);
        assert_eq!(limits.first_due(start + MINUTE), start + MINUTE);
        assert_eq!(InviteLimits::new(Vec::new(), None).first_due(start), start);
    }

    #[test]
    fn the_thousand_and_first_of_an_hour_waits_for_the_first() {
        let start = Timestamp::from_ms(10 * HOUR);
        let mut limits = InviteLimits::new(Vec::new(), None);
        for n in 0..1_000 {
            assert!(limits.take(&email(n), start + MINUTE).is_ok(), "{n}");
        }
        let late = start + 11 * MINUTE;
        assert!(matches!(limits.take(&email(1_000), late), Err(StaffError::TooManyInvites(3_000))));
    }
}
