//! A purchase for which a page waits while its buyer pays.

use std::time::Duration;

use kernel::{AccountId, Millis, ProvisionId, SECOND};
use payments::Provider;

use crate::activation::{Hints, Trigger};
use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::{Billing, Error, store};

/// The provider is asked about one purchase at most this often, however many pages wait for it.
const ASK_EVERY: Millis = 3 * SECOND;
/// How long a page waits for the provider before it gets what is stored.
const PATIENCE: Duration = Duration::from_secs(2);

impl Billing {
    /// Returns a purchase of the account, or `None` if the account has no such purchase. While its buyer pays, the
    /// provider is asked first.
    pub(crate) async fn awaited(
        &self,
        account: AccountId,
        uid: ProvisionId,
    ) -> Result<Option<Provision>, Error> {
        let Some(provision) = self.purchase(account, uid).await? else { return Ok(None) };
        if let Some(provider) = &self.provider
            && provision.state_at(self.ambient.now()) == ProvisionState::Open
            && self.ask(provider, &provision).await?
        {
            return self.purchase(account, uid).await;
        }
        Ok(Some(provision))
    }

    async fn purchase(&self, account: AccountId, uid: ProvisionId) -> Result<Option<Provision>, Error> {
        let found = store::provision::by_uid(self.db.read(), uid).await?;
        Ok(found.filter(|provision| provision.account == account))
    }

    /// Asks the provider, unless another page has just done so. Returns whether it answered; if it did not, what is
    /// stored counts, and the purchase is looked up later.
    async fn ask(&self, provider: &Provider, provision: &Provision) -> Result<bool, Error> {
        let now = self.ambient.now();
        if store::provision::was_asked_after(self.db.read(), provision.uid, now - ASK_EVERY).await? {
            return Ok(false);
        }
        let tx = self.db.write_tx().await?;
        if !store::provision::claim_asking(&tx, provision.uid, now, now - ASK_EVERY).await? {
            return Ok(false);
        }
        tx.commit().await?;
        let answer = self.refresh(provider, provision, Hints::default(), Trigger::CHECK);
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(())) => Ok(true),
            Ok(Err(Error::Provider(error))) => {
                tracing::warn!(provision = %provision.uid, %error, "failed to look up a purchase at the payment provider");
                Ok(false)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}
