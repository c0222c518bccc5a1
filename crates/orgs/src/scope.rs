//! Proof that a person has a right in an organisation.

use std::marker::PhantomData;

use db::WriteTx;
use identity::Bearer;
use kernel::{OrgId, PersonId, Problem, SessionId, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::Standing;
use crate::rights::{Kind, Right, Role};
use crate::store::membership::MembershipLookup;
use crate::{Error, Orgs, store};

/// Proof that the caller has a valid session and a role in this organisation that grants `R`. Only [`Orgs`]
/// can create one, and does so on every request, so a change of role applies from the next request on.
#[derive(Clone, Copy, Debug)]
pub struct OrgScope<R> {
    org: OrgId,
    bearer: Bearer,
    role: Role,
    standing: Standing,
    right: PhantomData<R>,
}

impl<R: Right> OrgScope<R> {
    /// Returns the organisation's id.
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// Returns the caller's person id.
    pub fn person(&self) -> PersonId {
        self.bearer.claimed_person()
    }

    /// Returns the caller's session id.
    pub fn session(&self) -> SessionId {
        self.bearer.session()
    }

    /// Returns the caller's role.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Returns the standing of the organisation.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Returns whether the caller also has another right.
    pub fn may<Other: Right>(&self) -> bool {
        self.require::<Other>().is_ok()
    }

    /// Fails unless the caller also has another right.
    ///
    /// # Errors
    /// As [`Orgs::enter`] for that right.
    pub fn require<Other: Right>(&self) -> Result<(), Error> {
        check_right::<Other>(self.role, self.standing)
    }
}

/// An [`OrgScope`] read in the write transaction `tx`, which holds the organisation's lock: no other
/// transaction changes a role or the standing before this one ends.
#[derive(Clone, Copy)]
pub struct TxScope<'tx, R> {
    scope: OrgScope<R>,
    tx: &'tx WriteTx,
}

impl<'tx, R> TxScope<'tx, R> {
    /// Returns the transaction in which the right was proved.
    pub fn tx(&self) -> &'tx WriteTx {
        self.tx
    }
}

impl<R> std::ops::Deref for TxScope<'_, R> {
    type Target = OrgScope<R>;

    fn deref(&self) -> &OrgScope<R> {
        &self.scope
    }
}

/// A caller and the organisation to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgCaller {
    /// The caller's access token.
    pub bearer: Bearer,
    /// The organisation's id.
    pub org: OrgId,
}

/// The organisation that an object belongs to, as part of the query that enters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgOf {
    /// An expression for the organisation of the object whose id is `$1`, such as a query in parentheses.
    pub sql: &'static str,
    /// The object's id.
    pub object: Uid,
}

impl From<OrgId> for OrgOf {
    fn from(org: OrgId) -> Self {
        Self { sql: "$1", object: org.uid() }
    }
}

/// For an object that does not exist the same query runs, and an ended session still gives 401.
impl From<Option<OrgId>> for OrgOf {
    fn from(org: Option<OrgId>) -> Self {
        org.unwrap_or(OrgId::nil()).into()
    }
}

impl Orgs {
    /// Reads session, membership and standing in one query. Returns the scope if the caller has the right
    /// `R`.
    ///
    /// # Errors
    /// 401 if the session has ended. 404 if the caller is not a member, or the plan has ended and `R` is not
    /// a right to withdraw. 403 if the role lacks the right, or the plan is suspended and `R` is a right to
    /// change.
    pub async fn enter<R: Right>(&self, bearer: &Bearer, org: OrgId) -> Result<OrgScope<R>, Error> {
        let lookup =
            store::membership::lookup(self.db.read(), bearer, org.into(), self.ambient.now()).await?;
        authorize(lookup, bearer)
    }

    /// Does the same as [`Orgs::enter`] for the organisation of an object, in the same single query. Callers who are not
    /// members learn only that the object was not found, as if it did not exist.
    ///
    /// # Errors
    /// Those of [`Orgs::enter`]; the 404 names `resource`.
    pub async fn enter_of<R: Right>(
        &self,
        bearer: &Bearer,
        org: impl Into<OrgOf>,
        resource: &'static str,
    ) -> Result<OrgScope<R>, Error> {
        let lookup =
            store::membership::lookup(self.db.read(), bearer, org.into(), self.ambient.now()).await?;
        match authorize(lookup, bearer) {
            Err(Error::NotFound) => Err(Problem::not_found(resource).into()),
            other => other,
        }
    }

    /// Does the same as [`Orgs::enter`] in a write transaction, for writes that depend on the role. Takes the
    /// organisation's lock.
    ///
    /// # Errors
    /// Those of [`Orgs::enter`].
    pub async fn enter_in<'tx, R: Right>(
        &self,
        tx: &'tx WriteTx,
        bearer: &Bearer,
        org: OrgId,
    ) -> Result<TxScope<'tx, R>, Error> {
        tx.lock(org).await?;
        self.prove(tx, bearer, org).await
    }

    /// Proves the right of `scope` again in the write transaction that depends on it. Takes the organisation's
    /// lock.
    ///
    /// # Errors
    /// Those of [`Orgs::enter`], if the role, the standing or the session has changed since.
    pub async fn confirm_in<'tx, R: Right>(
        &self,
        tx: &'tx WriteTx,
        scope: &OrgScope<R>,
    ) -> Result<TxScope<'tx, R>, Error> {
        self.enter_in(tx, &scope.bearer, scope.org).await
    }

    /// Does the same as [`Orgs::confirm_in`] in a transaction that shares the organisation and so has its lock already
    /// ([`db::Db::write_tx_on_part`]).
    ///
    /// # Errors
    /// Those of [`Orgs::confirm_in`].
    pub async fn confirm_shared<'tx, R: Right>(
        &self,
        tx: &'tx WriteTx,
        scope: &OrgScope<R>,
    ) -> Result<TxScope<'tx, R>, Error> {
        self.prove(tx, &scope.bearer, scope.org).await
    }

    async fn prove<'tx, R: Right>(
        &self,
        tx: &'tx WriteTx,
        bearer: &Bearer,
        org: OrgId,
    ) -> Result<TxScope<'tx, R>, Error> {
        let lookup = store::membership::lookup(tx, bearer, org.into(), self.ambient.now()).await?;
        Ok(TxScope { scope: authorize(lookup, bearer)?, tx })
    }

    /// Returns whether a person currently has the right, without a session: for work that was authorised when
    /// it started and is finished later. Call it in the transaction that finishes the work.
    pub async fn may<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        person: PersonId,
    ) -> Result<bool, DbErr> {
        let found = store::membership::role_of(conn, org, person, self.ambient.now()).await?;
        Ok(found.is_some_and(|(role, standing)| check_right::<R>(role, standing).is_ok()))
    }

    /// Does the same as [`Orgs::enter`] for many callers, in one query through `conn`. The results are in the
    /// order of `callers`, each with the errors of [`Orgs::enter`].
    pub async fn enter_all<R: Right>(
        &self,
        conn: &impl ConnectionTrait,
        callers: &[OrgCaller],
    ) -> Result<Vec<Result<OrgScope<R>, Error>>, DbErr> {
        let lookups = store::membership::lookup_all(conn, callers, self.ambient.now()).await?;
        Ok(lookups
            .into_iter()
            .zip(callers)
            .map(|(lookup, caller)| authorize(lookup, &caller.bearer))
            .collect())
    }
}

/// Returns the scope if the caller's role grants `R`.
fn authorize<R: Right>(lookup: MembershipLookup, bearer: &Bearer) -> Result<OrgScope<R>, Error> {
    match lookup {
        MembershipLookup::NoSession => Err(Error::SignedOut),
        MembershipLookup::NotAMember => Err(Error::NotFound),
        MembershipLookup::Member { org, role, standing } => {
            check_right::<R>(role, standing)?;
            Ok(OrgScope { org, bearer: *bearer, role, standing, right: PhantomData })
        }
    }
}

/// Fails unless a role grants a right in an organisation with this standing.
pub(crate) fn check_right<R: Right>(role: Role, standing: Standing) -> Result<(), Error> {
    match (standing, R::KIND) {
        (Standing::Ended, Kind::View | Kind::Change) => Err(Error::NotFound),
        _ if !role.has::<R>() => Err(Error::Forbidden),
        (Standing::Suspended, Kind::Change) => Err(Error::Suspended),
        _ => Ok(()),
    }
}
