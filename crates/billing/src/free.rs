//! Organisations created without a checkout: on a plan whose organisation was deleted, or with payment off.

use db::WriteTx;
use kernel::{AccountId, Ambient, Keyset, OrgId, PAGE_MAX, PersonId, ProvisionId, Timestamp};
use orgs::Provisions;
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::ProvisionState;
use crate::plans::Limits;
use crate::provision::Provision;
use crate::{Sales, store};

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

/// Decides for orgs who may create an organisation: a manager of an account with an active plan that has
/// none, or of any account while the free plan allows another.
pub struct FreeProvisions {
    ambient: Ambient,
    /// `None` if plans are paid.
    free_plan: Option<FreePlan>,
}

impl FreeProvisions {
    /// Creates the port. The free plan applies on top of purchased plans.
    pub fn new(ambient: Ambient, sales: &Sales) -> Self {
        Self { ambient, free_plan: sales.free_plan() }
    }
}

#[async_trait::async_trait]
impl Provisions for FreeProvisions {
    async fn assign(&self, tx: &WriteTx, person: PersonId, org: OrgId) -> Result<bool, DbErr> {
        let all = Keyset { start_after: None, limit: PAGE_MAX };
        let accounts = store::account::page(tx, person, all).await?;
        let now = self.ambient.now();
        for account in &accounts {
            tx.lock(account.uid).await?;
            let paid = store::provision::of_account(tx, account.uid).await?;
            let is_free = |one: &Provision| one.org.is_none() && one.state_at(now) == ProvisionState::Active;
            if let Some(mut provision) = paid.into_iter().rfind(is_free) {
                provision.org = Some(org);
                store::provision::update(tx, &provision, now).await?;
                return Ok(true);
            }
        }
        // Another person's account is used only by those who have none of their own.
        let own = accounts.iter().find(|account| account.managers.first() == Some(&person));
        let (Some(free_plan), Some(account)) = (&self.free_plan, own.or(accounts.first())) else {
            return Ok(false);
        };
        if !free_plan.has_capacity(tx, person, now).await? {
            return Ok(false);
        }
        let uid = self.ambient.uid();
        store::provision::insert(tx, &free_provision(uid, account.uid, person, Some(org), now)).await?;
        Ok(true)
    }
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
