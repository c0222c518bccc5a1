//! Deleting an organisation, restoring it, and when its data is removed.

use std::sync::Arc;

use db::WriteTx;
use identity::Bearer;
use jobs::JobError;
use kernel::{AccountId, DAY, Keyset, Millis, OrgId, PersonId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::audit::{AuditAction, AuditRecord, AuditSubject};
use crate::model::{Organisation, Standing};
use crate::rights::DeleteOrganisation;
use crate::store::membership::MembershipLookup;
use crate::{AdminRecord, Error, Orgs, scope, store};

/// How long a deleted organisation can be restored. Its data is removed afterwards.
pub const RESTORABLE: Millis = 30 * DAY;
/// How long the data of an organisation is kept after its plan has ended.
pub const ENDED_LIFETIME: Millis = 90 * DAY;

/// A crate that stores data of organisations.
#[async_trait::async_trait]
pub trait OrgData: Send + Sync + 'static {
    /// Ends what is in progress in an organisation, as part of the transaction that deletes it.
    async fn close(&self, _tx: &WriteTx, _org: OrgId) -> Result<(), DbErr> {
        Ok(())
    }

    /// Removes everything that belongs to the organisation, a page per transaction. It may be interrupted, and then
    /// runs again.
    async fn purge(&self, org: OrgId) -> Result<(), JobError>;
}

/// Who deletes or restores an organisation.
#[derive(Clone, Copy, Debug)]
pub enum Initiator<'a> {
    /// A person who manages the account that owns it.
    Person(PersonId),
    /// The operator, with the record of the command.
    Operator(&'a AdminRecord),
}

impl Initiator<'_> {
    fn person(self) -> Option<PersonId> {
        match self {
            Self::Person(person) => Some(person),
            Self::Operator(_) => None,
        }
    }
}

/// A deleted organisation that can be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedOrg {
    /// Id of the organisation.
    pub uid: OrgId,
    /// Its name.
    pub name: String,
    /// The account that owned it.
    pub account: AccountId,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    pub(crate) standing: Standing,
}

impl DeletedOrg {
    /// Returns the time from which it cannot be restored and its data is removed.
    pub fn removed_at(&self) -> Timestamp {
        self.deleted_at + RESTORABLE
    }
}

/// Returns the time from which the data of an organisation is removed whose plan ended at `ended_at`.
pub fn removed_at(ended_at: Timestamp) -> Timestamp {
    ended_at + ENDED_LIFETIME
}

impl Orgs {
    /// Returns the same handle, with the crates that store data of organisations. They are called in this order, so one
    /// whose rows refer to another's goes first.
    #[must_use]
    pub fn with_org_data(mut self, data: Vec<Arc<dyn OrgData>>) -> Self {
        self.org_data = data;
        self
    }

    /// Returns whether the organisation exists and was not deleted.
    pub async fn exists(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<bool, DbErr> {
        store::organisation::exists(conn, org).await
    }

    /// Returns a page of an account's deleted organisations that can be restored. The caller must have checked that
    /// they may be shown.
    pub async fn deleted_of(
        &self,
        conn: &impl ConnectionTrait,
        account: AccountId,
        keyset: Keyset,
    ) -> Result<Vec<DeletedOrg>, DbErr> {
        let now = self.ambient.now();
        store::deletion::page(conn, account, now - RESTORABLE, keyset, now).await
    }

    /// Returns the deleted organisations with this name that can be restored, for the operator.
    pub async fn deleted_named(&self, name: &str) -> Result<Vec<DeletedOrg>, DbErr> {
        let now = self.ambient.now();
        store::deletion::by_name(self.db.read(), name, now - RESTORABLE, now).await
    }

    /// Returns the deleted organisations whose data is removed within `notice` and whose removal was not announced.
    pub async fn unannounced_removals(
        &self,
        conn: &impl ConnectionTrait,
        notice: Millis,
    ) -> Result<Vec<DeletedOrg>, DbErr> {
        let now = self.ambient.now();
        store::deletion::unannounced(conn, now - RESTORABLE, now + notice - RESTORABLE, now).await
    }

    /// Records, as part of billing's `tx`, that the removal is announced. Returns false if that is no longer due.
    pub async fn announce_removal(&self, tx: &WriteTx, deleted: &DeletedOrg) -> Result<bool, DbErr> {
        store::deletion::announce(tx, deleted.uid, deleted.deleted_at, self.ambient.now()).await
    }

    /// Deletes an organisation on behalf of a manager of the account that owns it.
    pub(crate) async fn delete(&self, bearer: &Bearer, org: OrgId, wish: &DeletionWish) -> Result<(), Error> {
        let (tx, now) = (self.db.write_tx().await?, self.ambient.now());
        let person = bearer.claimed_person();
        let owner = self.ports.provisions.owner(&tx, Some(person), org).await?;
        tx.lock(org).await?;
        let lookup = store::membership::lookup(&tx, bearer, org.into(), now).await?;
        let organisation = store::organisation::by_uid(&tx, org, now).await?;
        let (organisation, account) = authorize(owner, lookup, organisation)?;
        self.delete_in(tx, (org, account), (Initiator::Person(person), &organisation.name), wish).await
    }

    /// Deletes an organisation on behalf of the operator, who repeats its name.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organisation does not exist or no account owns it; [`Error::NameDiffers`].
    pub async fn delete_as_operator(
        &self,
        org: OrgId,
        name: &str,
        cancel_plan: bool,
        record: &AdminRecord,
    ) -> Result<(), Error> {
        let tx = self.db.write_tx().await?;
        let account = self.ports.provisions.owner(&tx, None, org).await?.ok_or(Error::NotFound)?;
        tx.lock(org).await?;
        let organisation = store::organisation::by_uid(&tx, org, self.ambient.now()).await?;
        let organisation = organisation.ok_or(Error::NotFound)?;
        let wish = DeletionWish { name: name.to_owned(), cancel_plan };
        self.delete_in(tx, (org, account), (Initiator::Operator(record), &organisation.name), &wish).await
    }

    /// Deletes an organisation in `tx`, which must hold the locks of the account and the organisation.
    async fn delete_in(
        &self,
        tx: WriteTx,
        (org, account): (OrgId, AccountId),
        (initiator, name): (Initiator<'_>, &str),
        wish: &DeletionWish,
    ) -> Result<(), Error> {
        if wish.name.trim() != name.trim() {
            return Err(Error::NameDiffers);
        }
        let now = self.ambient.now();
        store::deletion::delete(&tx, org, account, now).await?;
        store::invite::revoke_all(&tx, org, now).await?;
        for data in &self.org_data {
            data.close(&tx, org).await?;
        }
        self.ports.provisions.release(&tx, org, wish.cancel_plan).await?;
        self.record_in_logs(&tx, org, account, (initiator, AuditAction::OrganisationDeleted, name)).await?;
        tx.commit().await?;
        tracing::info!(%org, %account, cancel_plan = wish.cancel_plan, "organisation deleted");
        Ok(())
    }

    /// Restores a deleted organisation: on behalf of a manager of the account that owned it, or of the operator.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was not deleted within [`RESTORABLE`], or if the person does not manage the account;
    /// [`Error::NoFreeProvision`] if the account has no plan for it.
    pub async fn restore(&self, initiator: Initiator<'_>, org: OrgId) -> Result<DeletedOrg, Error> {
        let (now, person) = (self.ambient.now(), initiator.person());
        let tx = match person {
            Some(person) => self.db.write_tx_on(person).await?,
            None => self.db.write_tx().await?,
        };
        let find = || store::deletion::by_uid(&tx, org, now - RESTORABLE, now);
        let account = find().await?.ok_or(Error::NotFound)?.account;
        tx.lock(account).await?;
        if let Some(person) = person
            && !self.ports.provisions.manages(&tx, person, account).await?
        {
            return Err(Error::NotFound);
        }
        tx.lock(org).await?;
        // Read again under the lock.
        let deleted = find().await?.filter(|deleted| deleted.account == account).ok_or(Error::NotFound)?;
        let plan = self.ports.provisions.reuse(&tx, person, account, org).await?;
        let plan = plan.ok_or(Error::NoFreeProvision)?;
        store::deletion::restore(&tx, org).await?;
        store::organisation::set_standing(&tx, org, plan).await?;
        let action = AuditAction::OrganisationRestored;
        self.record_in_logs(&tx, org, account, (initiator, action, &deleted.name)).await?;
        self.record_standing(&tx, org, deleted.standing, plan.at(now)).await?;
        tx.commit().await?;
        tracing::info!(%org, %account, "organisation restored");
        Ok(deleted)
    }

    /// Records a change in the log of the organisation, in that of its account, and in the operator's if that is who made it.
    async fn record_in_logs(
        &self,
        tx: &WriteTx,
        org: OrgId,
        account: AccountId,
        (initiator, action, name): (Initiator<'_>, AuditAction, &str),
    ) -> Result<(), DbErr> {
        for subject in [AuditSubject::Org(org), AuditSubject::Account(account)] {
            let record = AuditRecord::new(subject, initiator.person(), action, org.into());
            self.record(tx, record.named(name)).await?;
        }
        match initiator {
            Initiator::Operator(record) => self.record_admin(tx, record, Some(org.into()), 1).await,
            Initiator::Person(_) => Ok(()),
        }
    }
}

/// What the caller wants to delete.
pub(crate) struct DeletionWish {
    /// The organisation's name, as typed.
    pub name: String,
    /// Whether its plan is to end with the period that is paid for.
    pub cancel_plan: bool,
}

/// Decides whether the caller may delete the organisation: members learn that they may not, others not even that it
/// exists.
fn authorize(
    owner: Option<AccountId>,
    lookup: MembershipLookup,
    organisation: Option<Organisation>,
) -> Result<(Organisation, AccountId), Error> {
    if matches!(lookup, MembershipLookup::NoSession) {
        return Err(Error::SignedOut);
    }
    let organisation = organisation.ok_or(Error::NotFound)?;
    match (owner, lookup) {
        (Some(account), _) => Ok((organisation, account)),
        (None, MembershipLookup::Member { role, standing, .. }) => {
            scope::check_right::<DeleteOrganisation>(role, standing)?;
            Err(Error::Forbidden)
        }
        (None, _) => Err(Error::NotFound),
    }
}
