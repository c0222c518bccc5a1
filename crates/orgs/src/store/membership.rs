//! Memberships, and the query by which callers enter an organisation.

use std::collections::{BTreeSet, HashMap};

use db::Stored;
use identity::Bearer;
use kernel::{Keyset, MembershipId, OrgId, PersonId, SessionId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Statement, Value,
};

use super::organisation::plan_standing;
use super::people;
use crate::entity::membership::{ActiveModel, Column, Entity, Model};
use crate::entity::organisation;
use crate::grant::Grant;
use crate::model::{Membership, Organisation, Standing};
use crate::rights::Role;
use crate::scope::{OrgCaller, OrgOf};

/// The result of looking up a caller's session and membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MembershipLookup {
    /// The session has ended.
    NoSession,
    /// The person is not a member, or the organisation does not exist.
    NotAMember,
    /// The organisation, the member's role in it, and its standing.
    Member { org: OrgId, role: Role, standing: Standing },
}

/// Returns a stored role. An unknown one is logged and grants nothing: its membership is left out, as if it did
/// not exist.
fn known_role(membership: MembershipId, role: Stored<Role>) -> Option<Role> {
    match role {
        Stored::Known(role) => Some(role),
        Stored::Unknown => {
            db::log_unreadable("membership", "role", membership);
            None
        }
    }
}

/// Converts a row, unless its role is unknown.
fn known(row: Model) -> Option<Membership> {
    let role = known_role(row.uid, row.role)?;
    Some(Membership { uid: row.uid, org: row.org, person: row.person, role, created_at: row.created_at })
}

/// Looks up the bearer's session and membership in this organisation. Every request runs this: it is one indexed query.
pub async fn lookup(
    conn: &impl ConnectionTrait,
    bearer: &Bearer,
    OrgOf { sql: org, object }: OrgOf,
    now: Timestamp,
) -> Result<MembershipLookup, DbErr> {
    let sql = format!(
        "SELECT m.org, CASE WHEN o.uid IS NULL THEN NULL ELSE m.role END AS role, \
         m.uid AS membership, o.standing, o.suspended_from FROM session s \
         LEFT JOIN membership m ON m.person = s.person AND m.org = {org} \
         LEFT JOIN organisation o ON o.uid = m.org AND o.deleted_at IS NULL \
         WHERE s.uid = $2 AND s.person = $3 AND s.ended_at IS NULL AND s.expires_at > $4"
    );
    let values = [object.into(), bearer.session().into(), bearer.claimed_person().into(), now.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let Some(row) = conn.query_one_raw(statement).await? else { return Ok(MembershipLookup::NoSession) };
    let standing = (row.try_get("", "standing")?, row.try_get("", "suspended_from")?);
    let Some(org) = row.try_get("", "org")? else { return Ok(MembershipLookup::NotAMember) };
    member(org, row.try_get("", "membership")?, row.try_get("", "role")?, standing, now)
}

/// Interprets a row of the lookup. Role and standing are absent unless the organisation exists.
fn member(
    org: OrgId,
    membership: Option<MembershipId>,
    role: Option<Stored<Role>>,
    (standing, suspended_from): (Option<Stored<Standing>>, Option<Timestamp>),
    now: Timestamp,
) -> Result<MembershipLookup, DbErr> {
    let (Some(membership), Some(role), Some(standing)) = (membership, role, standing) else {
        return Ok(MembershipLookup::NotAMember);
    };
    let Some(role) = known_role(membership, role) else { return Ok(MembershipLookup::NotAMember) };
    let standing = plan_standing(org, standing, suspended_from)?.at(now);
    Ok(MembershipLookup::Member { org, role, standing })
}

/// Returns a person's role in an organisation and the organisation's standing, without a session.
pub async fn role_of(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    now: Timestamp,
) -> Result<Option<(Role, Standing)>, DbErr> {
    type Row = (MembershipId, Stored<Role>, Stored<Standing>, Option<Timestamp>);
    let row: Option<Row> = Entity::find()
        .inner_join(organisation::Entity)
        .select_only()
        .columns([Column::Uid, Column::Role])
        .column(organisation::Column::Standing)
        .column(organisation::Column::SuspendedFrom)
        .filter(Column::Org.eq(org))
        .filter(Column::Person.eq(person))
        .filter(organisation::Column::DeletedAt.is_null())
        .into_tuple()
        .one(conn)
        .await?;
    let Some((membership, role, standing, suspended_from)) = row else { return Ok(None) };
    let Some(role) = known_role(membership, role) else { return Ok(None) };
    Ok(Some((role, plan_standing(org, standing, suspended_from)?.at(now))))
}

/// A caller as named by the access token, and the organisation to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct LookupKey {
    session: SessionId,
    person: PersonId,
    org: OrgId,
}

/// Does the same as [`lookup`] for many callers in one indexed query. The results are in the order of
/// `callers`.
pub async fn lookup_all(
    conn: &impl ConnectionTrait,
    callers: &[OrgCaller],
    now: Timestamp,
) -> Result<Vec<MembershipLookup>, DbErr> {
    let keys: Vec<LookupKey> = callers
        .iter()
        .map(|OrgCaller { bearer, org }| LookupKey {
            session: bearer.session(),
            person: bearer.claimed_person(),
            org: *org,
        })
        .collect();
    let distinct: BTreeSet<LookupKey> = keys.iter().copied().collect();
    let wanted: Vec<[Value; 3]> =
        distinct.into_iter().map(|key| [key.session.into(), key.person.into(), key.org.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "session, person, org",
        &wanted,
        "SELECT want.session, want.person, want.org, s.expires_at, \
         CASE WHEN o.uid IS NULL THEN NULL ELSE m.role END, m.uid, o.standing, o.suspended_from FROM want \
         JOIN session s ON s.uid = want.session AND s.person = want.person AND s.ended_at IS NULL \
         LEFT JOIN membership m ON m.person = want.person AND m.org = want.org \
         LEFT JOIN organisation o ON o.uid = m.org AND o.deleted_at IS NULL",
    )
    .await?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        let key = LookupKey {
            session: row.try_get_by_index(0)?,
            person: row.try_get_by_index(1)?,
            org: row.try_get_by_index(2)?,
        };
        let expires_at: Timestamp = row.try_get_by_index(3)?;
        if expires_at > now {
            let (role, membership) = (row.try_get_by_index(4)?, row.try_get_by_index(5)?);
            let standing = (row.try_get_by_index(6)?, row.try_get_by_index(7)?);
            found.insert(key, member(key.org, membership, role, standing, now)?);
        }
    }
    Ok(keys.iter().map(|key| found.get(key).copied().unwrap_or(MembershipLookup::NoSession)).collect())
}

/// Returns the person's memberships, oldest first, in organisations that are not deleted: either in those whose plan
/// has ended, or in all others.
pub async fn of_person(
    conn: &impl ConnectionTrait,
    person: PersonId,
    has_ended: bool,
    now: Timestamp,
) -> Result<Vec<(Membership, Organisation)>, DbErr> {
    let standing = organisation::Column::Standing;
    let rows = Entity::find()
        .find_also_related(organisation::Entity)
        .filter(Column::Person.eq(person))
        .filter(organisation::Column::DeletedAt.is_null())
        .filter(if has_ended { standing.eq(Standing::Ended) } else { standing.ne(Standing::Ended) })
        .order_by_asc(Column::Uid)
        .all(conn)
        .await?;
    let mut memberships = Vec::with_capacity(rows.len());
    for (membership, organisation) in rows {
        if let (Some(membership), Some(organisation)) = (known(membership), organisation) {
            memberships.push((membership, organisation.read(now)?));
        }
    }
    Ok(memberships)
}

/// Returns whether the person has a membership in the organisation, in whichever role.
pub async fn exists(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
    let query = Entity::find().filter(Column::Org.eq(org)).filter(Column::Person.eq(person));
    Ok(query.count(conn).await? > 0)
}

/// Returns the memberships of these people in the organisation.
pub async fn of_people(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<Vec<Membership>, DbErr> {
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Entity::find()
        .filter(Column::Org.eq(org))
        .filter(Column::Person.is_in(people.iter().copied()))
        .all(conn)
        .await?;
    Ok(rows.into_iter().filter_map(known).collect())
}

/// The condition of an index of staff.
const STAFF: &str = "role <> 'user'";

/// Returns a page of the staff, newest first.
pub async fn staff(
    conn: &impl ConnectionTrait,
    org: OrgId,
    keyset: Keyset,
) -> Result<Vec<Membership>, DbErr> {
    let (mut staff, mut after) = (Vec::new(), keyset.start_after);
    loop {
        let mut query = Entity::find().filter(Column::Org.eq(org)).filter(Expr::cust(STAFF));
        if let Some(after) = after {
            query = query.filter(Column::Uid.lt(after));
        }
        let missing = keyset.limit - staff.len() as u64;
        let rows = query.order_by_desc(Column::Uid).limit(missing).all(conn).await?;
        let is_last = (rows.len() as u64) < missing;
        after = rows.last().map(|row| row.uid.into());
        staff.extend(rows.into_iter().filter_map(known));
        // A page that is short of rows would end the list, so rows left out are replaced by the next ones.
        if is_last || staff.len() as u64 == keyset.limit {
            return Ok(staff);
        }
    }
}

/// A membership to write: `uid` and `now` count only if it is new.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub uid: MembershipId,
    pub org: OrgId,
    pub person: PersonId,
    pub now: Timestamp,
}

/// Adds, changes or removes a membership as granted. Returns it unless it was removed.
pub async fn write(
    tx: &impl ConnectionTrait,
    target: Target,
    grant: Grant,
) -> Result<Option<Membership>, DbErr> {
    let Target { uid, org, person, now } = target;
    let of_person = Column::Org.eq(org).and(Column::Person.eq(person));
    let Some(role) = grant.new_role() else {
        Entity::delete_many().filter(of_person).exec(tx).await?;
        people::set_membership(tx, org, person, None).await?;
        return Ok(None);
    };
    if let Some(old) = of_people(tx, org, &[person]).await?.pop() {
        if old.role != role {
            let update = Entity::update_many().col_expr(Column::Role, Expr::value(role));
            update.filter(of_person).exec(tx).await?;
        }
        let membership = Membership { role, ..old };
        people::set_membership(tx, org, person, Some(&membership)).await?;
        return Ok(Some(membership));
    }
    let row = ActiveModel {
        uid: Set(uid),
        org: Set(org),
        person: Set(person),
        role: Set(role.into()),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    let membership = Membership { uid, org, person, role, created_at: now };
    people::set_membership(tx, org, person, Some(&membership)).await?;
    Ok(Some(membership))
}

/// Returns the membership with this id.
pub async fn by_uid(
    conn: &impl ConnectionTrait,
    org: OrgId,
    uid: MembershipId,
) -> Result<Option<Membership>, DbErr> {
    let row = Entity::find_by_id(uid).filter(Column::Org.eq(org)).one(conn).await?;
    Ok(row.and_then(known))
}

/// Returns the number of staff.
pub async fn count_staff(conn: &impl ConnectionTrait, org: OrgId) -> Result<u64, DbErr> {
    let staff = Role::ALL.into_iter().filter(|role| role.is_staff());
    Entity::find().filter(Column::Org.eq(org)).filter(Column::Role.is_in(staff)).count(conn).await
}

/// Returns the number of app users.
pub async fn count_app_users(conn: &impl ConnectionTrait, org: OrgId) -> Result<u64, DbErr> {
    Entity::find().filter(Column::Org.eq(org)).filter(Column::Role.eq(Role::User)).count(conn).await
}

/// Returns whether the person belongs to the staff of one of these organisations.
pub async fn is_staff_of_any(
    conn: &impl ConnectionTrait,
    orgs: &[OrgId],
    person: PersonId,
) -> Result<bool, DbErr> {
    let staff = Role::ALL.into_iter().filter(|role| role.is_staff());
    let query =
        Entity::find().filter(Column::Person.eq(person)).filter(Column::Org.is_in(orgs.iter().copied()));
    Ok(query.filter(Column::Role.is_in(staff)).count(conn).await? > 0)
}

/// Returns the people who administer the organisation, in no particular order.
pub async fn account_admins(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonId>, DbErr> {
    let query = Entity::find().select_only().column(Column::Person).filter(Column::Org.eq(org));
    let admins = query.filter(Column::Role.is_in([Role::AccountAdmin, Role::SuperAdmin]));
    admins.into_tuple().all(conn).await
}

/// Returns the number of super admins.
pub async fn count_super_admins(conn: &impl ConnectionTrait, org: OrgId) -> Result<u64, DbErr> {
    Entity::find().filter(Column::Org.eq(org)).filter(Column::Role.eq(Role::SuperAdmin)).count(conn).await
}

/// Removes a person's memberships as an app user; staff memberships stay.
pub async fn remove_user_everywhere(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    let as_user = Column::Person.eq(person).and(Column::Role.eq(Role::User));
    let orgs: Vec<OrgId> =
        Entity::find().select_only().column(Column::Org).filter(as_user.clone()).into_tuple().all(tx).await?;
    Entity::delete_many().filter(as_user).exec(tx).await?;
    for org in orgs {
        people::set_membership(tx, org, person, None).await?;
    }
    Ok(())
}

/// Removes a person's membership, whatever its role. The row of the person is removed by [`people::forget`].
pub async fn remove(tx: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    let of_person = Column::Org.eq(org).and(Column::Person.eq(person));
    Entity::delete_many().filter(of_person).exec(tx).await.map(drop)
}
