//! Expires the checkout sessions that were left open when another purchase took the last place of an account, so that
//! they cannot be paid in vain.

use ::jobs::{Job, JobError};
use kernel::AccountId;
use payments::Provider;
use serde::{Deserialize, Serialize};

use crate::activation::{Hints, Trigger};
use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::{Billing, Error, store};

/// Expires the open sessions of this account.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExpireSessions {
    /// The account that is full.
    pub account: AccountId,
}

impl Job for ExpireSessions {
    const KIND: &'static str = "expire_sessions";
}

pub async fn run(billing: &Billing, job: ExpireSessions) -> Result<(), JobError> {
    let Some(provider) = &billing.provider else { return Ok(()) };
    for provision in store::provision::open_of_account(billing.db.read(), job.account).await? {
        if billing.expire_leftover(provider, &provision).await? {
            billing.refresh(provider, &provision, Hints::default(), Trigger::CHECK).await?;
        }
    }
    Ok(())
}

impl Billing {
    /// Expires the session of an open purchase for which its account has no room. Returns whether it was asked to.
    pub(crate) async fn expire_leftover(
        &self,
        provider: &Provider,
        provision: &Provision,
    ) -> Result<bool, Error> {
        let now = self.ambient.now();
        let is_open = provision.state_at(now) == ProvisionState::Open && provision.answer.is_none();
        let Some(session) = provision.session.as_deref().filter(|_| is_open) else { return Ok(false) };
        let Some(account) = store::account::by_uid(self.db.read(), provision.account).await? else {
            return Ok(false);
        };
        let paid = store::provision::of_account(self.db.read(), account.uid).await?;
        if account.kind.has_capacity(paid.iter().filter(|one| one.is_in_force_at(now)).count()) {
            return Ok(false);
        }
        // Stored first, as the provider's event may arrive before its answer.
        let tx = self.db.write_tx_on(account.uid).await?;
        store::provision::set_replaced(&tx, provision.uid, now).await?;
        tx.commit().await?;
        provider.expire_checkout(session).await?;
        Ok(true)
    }
}
