//! Rebuilds a purchase that the provider has and the database has not, as after restoring a backup from before it.

use kernel::ProvisionId;
use payments::{Provider, Subscription};

use crate::activation::optional;
use crate::model::SESSION_LIFETIME;
use crate::provision::Provision;
use crate::store::webhook_event::StoredEvent;
use crate::{Billing, Error, store};

impl Billing {
    /// Stores the purchase that the event names. Returns `None` if nothing was paid or the account is unknown.
    pub(crate) async fn rebuild_from_event(
        &self,
        provider: &Provider,
        event: &StoredEvent,
    ) -> Result<Option<Provision>, Error> {
        let Some(uid) = event.provision else { return Ok(None) };
        let Some(subscription) = named_subscription(provider, event, uid).await? else { return Ok(None) };
        self.rebuild_purchase(provider, uid, subscription, event.checkout.clone()).await
    }

    /// Stores the purchase of a subscription, from the metadata that the checkout left at the provider. The first
    /// manager of the account counts as its buyer. Returns `None` if the account is unknown.
    pub(crate) async fn rebuild_purchase(
        &self,
        provider: &Provider,
        uid: ProvisionId,
        subscription: Subscription,
        session: Option<String>,
    ) -> Result<Option<Provision>, Error> {
        let Some(account) = subscription.account else { return Ok(None) };
        let source = provider.source().await?.map(|source| source.to_string());
        let now = self.ambient.now();
        let tx = self.db.write_tx_on(account).await?;
        if let Some(found) = store::provision::by_uid(&tx, uid).await? {
            return Ok(Some(found));
        }
        let Some(account) = store::account::by_uid(&tx, account).await? else { return Ok(None) };
        let Some(buyer) = account.managers.first().copied() else { return Ok(None) };
        let plan = self.plans.named(&subscription.plan_keys).cloned();
        let provision = Provision {
            session,
            session_expires: now + SESSION_LIFETIME,
            subscription: Some(subscription.id),
            source: source.clone(),
            ..Provision::begun(uid, account.uid, buyer, plan, now)
        };
        store::provision::insert(&tx, &provision).await?;
        if account.customer.is_none()
            && let Some(customer) = subscription.customer
        {
            store::account::set_customer(&tx, account.uid, &customer, source).await?;
        }
        tx.commit().await?;
        tracing::warn!(provision = %uid, account = %account.uid, "a purchase was missing and was rebuilt from the provider");
        Ok(Some(provision))
    }
}

/// Returns the subscription of the event, if it names the same purchase.
async fn named_subscription(
    provider: &Provider,
    event: &StoredEvent,
    uid: ProvisionId,
) -> Result<Option<Subscription>, Error> {
    let checkout = match &event.checkout {
        Some(id) => optional(provider.checkout(id).await)?,
        None => None,
    };
    let id = event.subscription.clone().or(checkout.and_then(|checkout| checkout.subscription));
    let subscription = match id {
        Some(id) => optional(provider.subscription(&id).await)?,
        None => None,
    };
    Ok(subscription.filter(|one| one.provision == Some(uid)))
}
