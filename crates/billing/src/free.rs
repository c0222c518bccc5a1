//! Organisations made without a checkout: on a plan whose organisation was deleted, or where payment is off.

use db::WriteTx;
use kernel::{Ambient, Keyset, PAGE_MAX, Uid};
use orgs::Provisions;
use sea_orm::DbErr;

use crate::model::{Provision, ProvisionState};
use crate::store;

/// Answers orgs' question who may make an organisation (C-07).
pub struct FreeProvisions {
    ambient: Ambient,
    billing_off: bool,
}

impl FreeProvisions {
    /// With `billing_off` everybody may, without limit (G-28).
    pub fn new(ambient: Ambient, billing_off: bool) -> Self {
        Self { ambient, billing_off }
    }
}

#[async_trait::async_trait]
impl Provisions for FreeProvisions {
    async fn take(&self, tx: &WriteTx, person: Uid, org: Uid) -> Result<bool, DbErr> {
        let all = Keyset { start_after: None, limit: PAGE_MAX };
        let accounts = store::account::page(tx, person, all).await?;
        let now = self.ambient.now();
        for account in &accounts {
            tx.lock(account.uid).await?;
            if let Some(mut provision) = store::provision::free(tx, account.uid).await? {
                provision.org = Some(org);
                store::provision::change(tx, &provision, now).await?;
                return Ok(true);
            }
        }
        if self.billing_off
            && let Some(account) = accounts.first()
        {
            let uid = self.ambient.uid();
            store::provision::insert(tx, &unlimited(uid, account.uid, person, Some(org), now)).await?;
        }
        Ok(self.billing_off)
    }
}

/// A purchase that costs nothing and has no limit.
pub(crate) fn unlimited(uid: Uid, account: Uid, buyer: Uid, org: Option<Uid>, now: i64) -> Provision {
    Provision {
        uid,
        account,
        buyer,
        org,
        plan: None,
        state: ProvisionState::Active,
        state_since: now,
        session: None,
        session_url: None,
        session_expires: now,
        subscription: None,
        synced_at: now,
        created_at: now,
    }
}
