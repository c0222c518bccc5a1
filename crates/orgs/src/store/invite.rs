//! Invitations of staff and of viewers.

use std::collections::{HashMap, HashSet};

use db::Stored;
use kernel::{Email, InviteId, Keyset, OrgId, PersonId, Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use crate::entity::invite::{ActiveModel, Column, Entity, Model};
use crate::model::Invite;
use crate::rights::Role;

/// Converts a row. An invitation to an unknown role is logged and left out: it cannot be accepted.
fn known(row: Model) -> Option<Invite> {
    let Stored::Known(role) = row.role else {
        db::log_unreadable("invite", "role", row.uid);
        return None;
    };
    Some(Invite {
        uid: row.uid,
        org: row.org,
        role,
        email: row.email,
        inviter: row.inviter,
        sent_at: row.sent_at,
        expires_at: row.expires_at,
        accepted_at: row.accepted_at,
        revoked_at: row.revoked_at,
    })
}

/// Which invitations to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Those to a staff role.
    Staff,
    /// Those to the role `user`.
    Viewers,
}

impl Kind {
    fn condition(self) -> SimpleExpr {
        match self {
            Self::Staff => Column::Role.ne(Role::User),
            Self::Viewers => Column::Role.eq(Role::User),
        }
    }
}

/// A new invitation, about to be sent.
pub struct NewInvite<'a> {
    pub uid: InviteId,
    pub org: OrgId,
    pub email: &'a Email,
    pub role: Role,
    pub inviter: PersonId,
    pub code_hash: [u8; 32],
    pub now: Timestamp,
    pub expires_at: Timestamp,
}

/// Stores new invitations.
pub async fn insert<'a>(
    tx: &impl ConnectionTrait,
    new: impl IntoIterator<Item = NewInvite<'a>>,
) -> Result<(), DbErr> {
    let rows = new.into_iter().map(|new| ActiveModel {
        uid: Set(new.uid),
        org: Set(new.org),
        email: Set(new.email.as_str().to_owned()),
        role: Set(new.role.into()),
        inviter: Set(new.inviter),
        code_hash: Set(new.code_hash.to_vec()),
        sent_at: Set(new.now),
        expires_at: Set(new.expires_at),
        accepted_at: Set(None),
        revoked_at: Set(None),
    });
    Entity::insert_many(rows).exec_without_returning(tx).await.map(drop)
}

/// Returns the invitation with this code.
pub async fn by_code(conn: &impl ConnectionTrait, code_hash: &[u8]) -> Result<Option<Invite>, DbErr> {
    let row = Entity::find().filter(Column::CodeHash.eq(code_hash.to_vec())).one(conn).await?;
    Ok(row.and_then(known))
}

/// Returns the organisation's invitation with this id, unless it was accepted or revoked.
pub async fn open_by_uid(
    conn: &impl ConnectionTrait,
    org: OrgId,
    uid: InviteId,
) -> Result<Option<Invite>, DbErr> {
    let row = Entity::find_by_id(uid).filter(open(org)).one(conn).await?;
    Ok(row.and_then(known))
}

/// Returns the addresses of the invitations among these ids.
pub async fn emails(conn: &impl ConnectionTrait, uids: &[Uid]) -> Result<HashMap<Uid, String>, DbErr> {
    let rows: Vec<(InviteId, String)> = Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Email])
        .filter(Column::Uid.is_in(uids.iter().copied()))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|(uid, email)| (uid.uid(), email)).collect())
}

/// Returns a page of the invitations that were neither accepted nor revoked, newest first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    kind: Option<Kind>,
    keyset: Keyset,
) -> Result<Vec<Invite>, DbErr> {
    let mut found = Vec::new();
    let mut after = keyset.start_after;
    // A page is shorter than its limit only at the end of the list, so more rows take the place of unknown ones.
    loop {
        let missing = keyset.limit - found.len() as u64;
        let mut query = Entity::find().filter(open(org));
        if let Some(kind) = kind {
            query = query.filter(kind.condition());
        }
        if let Some(after) = after {
            query = query.filter(Column::Uid.lt(after));
        }
        let rows = query.order_by_desc(Column::Uid).limit(missing).all(conn).await?;
        after = rows.last().map(|row| row.uid.uid());
        let is_last = (rows.len() as u64) < missing;
        found.extend(rows.into_iter().filter_map(known));
        if is_last || found.len() as u64 >= keyset.limit {
            return Ok(found);
        }
    }
}

/// Returns the invitations to the staff that can be accepted at `now` unless they are void, without those to
/// `except`.
pub async fn pending_staff(
    conn: &impl ConnectionTrait,
    org: OrgId,
    except: &str,
    now: Timestamp,
) -> Result<Vec<Invite>, DbErr> {
    let query = Entity::find().filter(open(org)).filter(Kind::Staff.condition());
    let query = query.filter(Column::ExpiresAt.gt(now)).filter(Column::Email.ne(except));
    Ok(query.all(conn).await?.into_iter().filter_map(known).collect())
}

/// Returns the addresses of viewers with an invitation that can be accepted at `now`.
pub async fn pending_viewers(
    conn: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
) -> Result<HashSet<String>, DbErr> {
    let emails: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Email)
        .filter(open(org))
        .filter(Kind::Viewers.condition())
        .filter(Column::ExpiresAt.gt(now))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(emails.into_iter().collect())
}

/// Returns how many viewers have an invitation that can be accepted at `now`.
pub async fn count_pending_viewers(
    conn: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
) -> Result<u64, DbErr> {
    let query = Entity::find().filter(open(org)).filter(Kind::Viewers.condition());
    query.filter(Column::ExpiresAt.gt(now)).count(conn).await
}

/// Returns when the organisation's invitations after `since` were sent, newest first, at most `max`.
pub async fn sent_since(
    conn: &impl ConnectionTrait,
    org: OrgId,
    kind: Kind,
    since: Timestamp,
    max: u64,
) -> Result<Vec<Timestamp>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::SentAt)
        .filter(Column::Org.eq(org))
        .filter(Column::SentAt.gt(since))
        .filter(kind.condition())
        .order_by_desc(Column::SentAt)
        .limit(max)
        .into_tuple()
        .all(conn)
        .await
}

/// Returns the addresses among these that were invited as viewers at least `times` after `since`.
pub async fn invited_often(
    conn: &impl ConnectionTrait,
    org: OrgId,
    emails: &[&str],
    since: Timestamp,
    times: u32,
) -> Result<HashSet<String>, DbErr> {
    let emails: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Email)
        .filter(Column::Org.eq(org))
        .filter(Column::Email.is_in(emails.iter().copied()))
        .filter(Column::SentAt.gt(since))
        .filter(Kind::Viewers.condition())
        .group_by(Column::Email)
        .having(Column::Uid.count().gte(times))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(emails.into_iter().collect())
}

/// Returns the invitations of a viewer that were neither accepted nor revoked.
pub async fn open_of_viewer(
    conn: &impl ConnectionTrait,
    org: OrgId,
    email: &str,
) -> Result<Vec<Invite>, DbErr> {
    let query = Entity::find().filter(open(org)).filter(Kind::Viewers.condition());
    let rows = query.filter(Column::Email.eq(email)).order_by_asc(Column::Uid).all(conn).await?;
    Ok(rows.into_iter().filter_map(known).collect())
}

/// Revokes the open invitations of these addresses, and returns them.
pub async fn revoke_all_of(
    tx: &impl ConnectionTrait,
    org: OrgId,
    emails: &[&str],
    now: Timestamp,
) -> Result<Vec<InviteId>, DbErr> {
    let of_emails = open(org).and(Column::Email.is_in(emails.iter().copied()));
    let query = Entity::find().select_only().column(Column::Uid).filter(of_emails.clone());
    let invites: Vec<InviteId> = query.order_by_asc(Column::Uid).into_tuple().all(tx).await?;
    if !invites.is_empty() {
        set_time(tx, Column::RevokedAt, of_emails, now).await?;
    }
    Ok(invites)
}

/// Revokes the open invitations of an organisation.
pub async fn revoke_all(tx: &impl ConnectionTrait, org: OrgId, now: Timestamp) -> Result<(), DbErr> {
    set_time(tx, Column::RevokedAt, open(org), now).await
}

/// Revokes one invitation.
pub async fn revoke(tx: &impl ConnectionTrait, uid: InviteId, now: Timestamp) -> Result<(), DbErr> {
    set_time(tx, Column::RevokedAt, Column::Uid.eq(uid), now).await
}

/// Marks an invitation as accepted.
pub async fn accept(tx: &impl ConnectionTrait, uid: InviteId, now: Timestamp) -> Result<(), DbErr> {
    set_time(tx, Column::AcceptedAt, Column::Uid.eq(uid), now).await
}

/// Matches the organisation's invitations that were neither accepted nor revoked.
fn open(org: OrgId) -> SimpleExpr {
    Column::Org.eq(org).and(Column::AcceptedAt.is_null()).and(Column::RevokedAt.is_null())
}

async fn set_time(
    tx: &impl ConnectionTrait,
    column: Column,
    of: SimpleExpr,
    now: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many().col_expr(column, Expr::value(now)).filter(of).exec(tx).await.map(drop)
}

/// Removes the invitations of an address whose owner is erased. Those that the person sent stay, from the stand-in; no
/// one can accept them, because their sender is no longer staff.
pub async fn erase(tx: &impl ConnectionTrait, erased: &identity::ErasedPerson) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Email.eq(erased.email.as_str())).exec(tx).await?;
    Entity::update_many()
        .col_expr(Column::Inviter, Expr::value(erased.stand_in))
        .filter(Column::Inviter.eq(erased.person))
        .exec(tx)
        .await
        .map(drop)
}
