//! Organisations and the plans they use without a checkout: created on a plan whose organisation was deleted, or with
//! payment off; deleted and restored.

use ::jobs::Jobs;
use db::WriteTx;
use kernel::{AccountId, Ambient, OrgId, PersonId, Problem, ProvisionId, Timestamp};
use orgs::{PlanEnd, PlanStanding, Provisions, Standing};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};

use crate::error::account_full;
use crate::jobs::cancel_subscription::CancelSubscription;
use crate::model::{Account, ProvisionState};
use crate::plans::Limits;
use crate::provision::Provision;
use crate::{Billing, Sales, store};

/// What a person gets for free when payment is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreePlan {
    /// Organisations that a person may have made, in all accounts together; `None` means unlimited.
    pub organisations: Option<u64>,
    /// Bytes of all files in an account's organisations together; `None` means unlimited.
    pub storage_bytes: Option<u64>,
}

impl FreePlan {
    /// Creates the plan from the settings, in which 0 means unlimited.
    pub fn new(organisations: u64, storage_gb: u64) -> Self {
        let set = |value: u64| (value > 0).then_some(value);
        Self {
            organisations: set(organisations),
            storage_bytes: set(storage_gb).map(|gb| gb.saturating_mul(1 << 30)),
        }
    }

    /// Returns whether the person may have one more organisation. `tx` must hold the lock of the person, or
    /// two concurrent requests would not count each other.
    pub(crate) async fn has_capacity(
        &self,
        tx: &impl ConnectionTrait,
        person: PersonId,
        now: Timestamp,
    ) -> Result<bool, DbErr> {
        let Some(max) = self.organisations else { return Ok(true) };
        let paid = store::provision::of_buyer(tx, person).await?;
        let live = paid.iter().filter(|provision| provision.is_live_at(now)).count();
        Ok((live as u64) < max)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { storage_bytes: self.storage_bytes, ..Limits::NONE }
    }
}

/// Organisations made active per query.
const PAGE: u64 = 500;

impl Billing {
    /// With payment off, makes organisations active that are past due or suspended: their invoices can no longer be paid. Call
    /// it when a server starts, because a setting turns payment off.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn lift_suspensions(&self) -> Result<(), DbErr> {
        if self.provider.is_some() {
            return Ok(());
        }
        loop {
            let page = self.orgs.unpaid(self.db.read(), PAGE).await?;
            if page.is_empty() {
                return Ok(());
            }
            for org in page {
                let tx = self.db.write_tx().await?;
                self.orgs.set_standing(&tx, org, Standing::Active.into()).await?;
                tx.commit().await?;
            }
        }
    }
}

/// Decides for orgs who may create, delete and restore an organisation: a manager of its account. A new or restored one
/// needs an active plan that has none, or the free plan and the type of the account must allow another.
pub struct FreeProvisions {
    ambient: Ambient,
    jobs: Jobs,
    /// `None` if plans are paid.
    free_plan: Option<FreePlan>,
}

impl FreeProvisions {
    /// Creates the port. The free plan applies on top of purchased plans.
    pub fn new(ambient: Ambient, jobs: Jobs, sales: &Sales) -> Self {
        Self { ambient, jobs, free_plan: sales.free_plan() }
    }
}

#[async_trait::async_trait]
impl Provisions for FreeProvisions {
    async fn assign(
        &self,
        tx: &WriteTx,
        person: PersonId,
        account: Option<AccountId>,
        org: OrgId,
    ) -> Result<(), orgs::Error> {
        let now = self.ambient.now();
        let mut candidates = self.candidates(tx, person).await?;
        if let Some(account) = account {
            candidates.retain(|one| one.account.uid == account);
            if candidates.is_empty() {
                return Err(Problem::not_found("Billing account").into());
            }
        }
        let is_free = |one: &&Provision| one.org.is_none() && one.state_at(now) == ProvisionState::Active;
        if let Some(unused) = candidates.iter().find_map(|one| one.provisions.iter().rfind(is_free)) {
            let provision = Provision { org: Some(org), ..unused.clone() };
            return Ok(store::provision::update(tx, &provision, now).await?);
        }
        // Another person's account is used only by those who have none of their own.
        let is_own = |one: &Candidate| one.account.managers.first() == Some(&person);
        if candidates.iter().any(is_own) {
            candidates.retain(is_own);
        }
        let (Some(free_plan), Some(first)) = (&self.free_plan, candidates.first()) else {
            return Err(orgs::Error::NoFreeProvision);
        };
        if !free_plan.has_capacity(tx, person, now).await? {
            return Err(orgs::Error::NoFreeProvision);
        }
        let Some(owner) = candidates.iter().find(|one| one.has_room(now)) else {
            return Err(account_full(first.account.kind).into());
        };
        let new = free_provision(self.ambient.uid(), owner.account.uid, person, Some(org), now);
        Ok(store::provision::insert(tx, &new).await?)
    }

    async fn owner(
        &self,
        tx: &WriteTx,
        person: Option<PersonId>,
        org: OrgId,
    ) -> Result<Option<AccountId>, DbErr> {
        let Some(unlocked) = self.owner_of(tx, org).await? else { return Ok(None) };
        tx.lock(unlocked).await?;
        // Read again under the lock.
        let Some(account) = self.owner_of(tx, org).await?.filter(|found| *found == unlocked) else {
            return Ok(None);
        };
        match person {
            Some(person) => Ok(self.manages(tx, person, account).await?.then_some(account)),
            None => Ok(Some(account)),
        }
    }

    async fn manages(&self, tx: &WriteTx, person: PersonId, account: AccountId) -> Result<bool, DbErr> {
        Ok(store::account::managed(tx, person, account).await?.is_some())
    }

    async fn release(&self, tx: &WriteTx, org: OrgId, cancel: bool) -> Result<(), DbErr> {
        let now = self.ambient.now();
        for mut provision in store::provision::of_orgs(tx, &[org]).await? {
            if !provision.is_live_at(now) {
                // What has ended keeps the organisation that it paid for.
                continue;
            }
            provision.org = None;
            store::provision::update(tx, &provision, now).await?;
            if cancel && provision.has_open_subscription() {
                self.jobs.enqueue(tx, &CancelSubscription { provision: provision.uid }).await?;
            }
        }
        Ok(())
    }

    async fn reuse(
        &self,
        tx: &WriteTx,
        person: Option<PersonId>,
        account: AccountId,
        org: OrgId,
    ) -> Result<Option<PlanStanding>, DbErr> {
        let now = self.ambient.now();
        let mut free = store::provision::of_account(tx, account).await?;
        let in_force = free.iter().filter(|one| one.is_in_force_at(now)).count();
        free.retain(|one| one.org.is_none() && one.is_in_force_at(now));
        // Best an active one; of several, the oldest.
        free.sort_by_key(|one| (one.state_at(now) != ProvisionState::Active, one.uid));
        if let Some(mut provision) = free.into_iter().next() {
            provision.org = Some(org);
            store::provision::update(tx, &provision, now).await?;
            // With payment off no invoice can be paid, so none suspends.
            let is_off = self.free_plan.is_some();
            return Ok(if is_off { Some(Standing::Active.into()) } else { provision.plan_standing() });
        }
        let (Some(free_plan), Some(person)) = (&self.free_plan, person) else { return Ok(None) };
        let owner = store::account::by_uid(tx, account).await?;
        let has_room = owner.is_some_and(|owner| owner.kind.has_capacity(in_force));
        if !has_room || !free_plan.has_capacity(tx, person, now).await? {
            return Ok(None);
        }
        let new = free_provision(self.ambient.uid(), account, person, Some(org), now);
        store::provision::insert(tx, &new).await?;
        Ok(new.plan_standing())
    }

    async fn plan_ends(&self, read: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<PlanEnd>, DbErr> {
        let paid = store::provision::of_orgs(read, orgs).await?;
        Ok(orgs.iter().filter_map(|org| plan_end(*org, &paid, self.ambient.now())).collect())
    }

    async fn plan_end_in(&self, tx: &WriteTx, org: OrgId) -> Result<Option<PlanEnd>, DbErr> {
        let paid = store::provision::of_orgs(tx, &[org]).await?;
        Ok(plan_end(org, &paid, self.ambient.now()))
    }
}

/// An account that may own a new organisation, with its purchases.
struct Candidate {
    account: Account,
    provisions: Vec<Provision>,
}

impl Candidate {
    /// Returns whether the type of the account allows another organisation.
    fn has_room(&self, now: Timestamp) -> bool {
        let in_force = self.provisions.iter().filter(|one| one.is_in_force_at(now)).count();
        self.account.kind.has_capacity(in_force)
    }
}

impl FreeProvisions {
    /// Returns the accounts that the person manages, newest first, read under their locks. These are always taken in the
    /// same order.
    async fn candidates(&self, tx: &WriteTx, person: PersonId) -> Result<Vec<Candidate>, DbErr> {
        let mut candidates = Vec::new();
        for uid in store::account::managed_by(tx, person).await? {
            tx.lock(uid).await?;
            if let Some(account) = store::account::managed(tx, person, uid).await? {
                let provisions = store::provision::of_account(tx, uid).await?;
                candidates.push(Candidate { account, provisions });
            }
        }
        candidates.reverse();
        Ok(candidates)
    }

    /// Returns the account that pays for the organisation, or did last.
    async fn owner_of(&self, tx: &WriteTx, org: OrgId) -> Result<Option<AccountId>, DbErr> {
        let now = self.ambient.now();
        let paid = store::provision::of_orgs(tx, &[org]).await?;
        let in_force = paid.iter().find(|one| one.is_in_force_at(now));
        Ok(in_force.or(paid.first()).map(|one| one.account))
    }
}

/// Returns when the last of the organisation's purchases ended; `None` if one has not, or if there are none. `paid` is
/// ordered, newest first.
pub(crate) fn plan_end(org: OrgId, paid: &[Provision], now: Timestamp) -> Option<PlanEnd> {
    let own: Vec<_> = paid.iter().filter(|one| one.org == Some(org)).collect();
    if own.iter().any(|one| one.state_at(now) != ProvisionState::Ended) {
        return None;
    }
    let at = own.iter().map(|one| one.ended_at()).max()?;
    Some(PlanEnd { org, account: own.first()?.account, at })
}

/// Returns an active purchase that costs nothing.
pub(crate) fn free_provision(
    uid: ProvisionId,
    account: AccountId,
    buyer: PersonId,
    org: Option<OrgId>,
    now: Timestamp,
) -> Provision {
    let begun = Provision::begun(uid, account, buyer, None, now);
    Provision { org, activated_at: Some(now), recorded: ProvisionState::Active, ..begun }
}
