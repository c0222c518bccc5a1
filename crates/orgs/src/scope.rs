//! The proof that a person may do a thing in an organisation.

use std::marker::PhantomData;

use identity::Bearer;
use kernel::{Problem, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::Standing;
use crate::rights::{Kind, Right, Role};
use crate::store::membership::Door;
use crate::{Error, Orgs, store};

/// A living session of a member of this organisation whose role has the right `R`. Only [`Orgs::enter`] makes
/// one, on every request anew: a change of role counts on the next request.
#[derive(Clone, Copy, Debug)]
pub struct OrgScope<R> {
    org: Uid,
    person: Uid,
    session: Uid,
    role: Role,
    standing: Standing,
    right: PhantomData<R>,
}

impl<R: Right> OrgScope<R> {
    /// The organisation entered.
    pub fn org(&self) -> Uid {
        self.org
    }

    /// Who entered it.
    pub fn person(&self) -> Uid {
        self.person
    }

    /// In which session.
    pub fn session(&self) -> Uid {
        self.session
    }

    /// In which role.
    pub fn role(&self) -> Role {
        self.role
    }

    /// How the organisation stands with its plan.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Whether the person also has another right.
    pub fn may<Other: Right>(&self) -> bool {
        has::<Other>(self.role, self.standing).is_ok()
    }
}

impl Orgs {
    /// Reads session, membership and the organisation's state in one query and proves the right.
    ///
    /// # Errors
    /// 401 when the session ended, 404 when the organisation is not one the caller belongs to, 403 when the
    /// role lacks the right or an unpaid plan keeps everybody from it.
    pub async fn enter<R: Right>(&self, bearer: &Bearer, org: Uid) -> Result<OrgScope<R>, Error> {
        let door = store::membership::door(self.db.read(), bearer, org, self.ambient.now()).await?;
        pass(door, bearer, org)
    }

    /// Whether a person has the right at this moment, without a session: for work that was begun with the
    /// right and is finished later. Read in the transaction that finishes it.
    ///
    /// # Errors
    /// The database's own.
    pub async fn may<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        person: Uid,
    ) -> Result<bool, DbErr> {
        let found = store::membership::role_of(conn, org, person).await?;
        Ok(found.is_some_and(|(role, standing)| has::<R>(role, standing).is_ok()))
    }

    /// The same for many callers at once, read through `conn` in one query; the answers stand in the order
    /// of the callers.
    ///
    /// # Errors
    /// The database's own; each answer has its caller's refusal as in [`Orgs::enter`].
    pub async fn enter_all<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        callers: &[(Bearer, Uid)],
    ) -> Result<Vec<Result<OrgScope<R>, Error>>, DbErr> {
        let doors = store::membership::doors(conn, callers, self.ambient.now()).await?;
        Ok(doors.into_iter().zip(callers).map(|(door, (bearer, org))| pass(door, bearer, *org)).collect())
    }

    /// The same for an object of the organisation: whoever may not even know the organisation is told that
    /// the object does not exist.
    ///
    /// # Errors
    /// As [`Orgs::enter`]; the 404 names `thing`.
    pub async fn enter_for<R: Right>(
        &self,
        bearer: &Bearer,
        org: Option<Uid>,
        thing: &'static str,
    ) -> Result<OrgScope<R>, Error> {
        // An object nobody has still costs the same query, and a dead session still gives 401.
        match self.enter(bearer, org.unwrap_or(Uid::nil())).await {
            Err(Error::NotFound) => Err(Error::Problem(Problem::not_found(thing))),
            other => other,
        }
    }
}

/// Whether whoever stands before the door may do what `R` says.
fn pass<R: Right>(door: Door, bearer: &Bearer, org: Uid) -> Result<OrgScope<R>, Error> {
    match door {
        Door::NoSession => Err(Error::SignedOut),
        Door::NotAMember => Err(Error::NotFound),
        Door::Member(role, standing) => {
            has::<R>(role, standing)?;
            let (person, session) = (bearer.claimed_person(), bearer.session());
            Ok(OrgScope { org, person, session, role, standing, right: PhantomData })
        }
    }
}

/// Whether a role has a right in an organisation that stands like this.
fn has<R: Right>(role: Role, standing: Standing) -> Result<(), Error> {
    match (standing, R::KIND) {
        (Standing::Ended, Kind::Looks | Kind::Changes) => Err(Error::NotFound),
        _ if role < R::FROM => Err(Error::Forbidden),
        (Standing::Suspended, Kind::Changes) => Err(Error::Suspended),
        _ => Ok(()),
    }
}
