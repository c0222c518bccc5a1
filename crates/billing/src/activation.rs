//! Brings a purchase up to date with the provider, the same way for webhooks and polling.
//!
//! The provider is called outside any transaction; its answer is applied in one, under the account's lock. An
//! answer whose question is older than the one already stored is dropped, so the order of arrival does not
//! matter.

use db::{WriteTx, none_if_empty};
use kernel::{OrgId, ProvisionId, Timestamp};
use orgs::{AuditAction, AuditRecord, AuditSubject, NewOrg, Standing};
use payments::{Checkout, CheckoutStatus, PaymentError, Provider, Subscription};
use sea_orm::ActiveEnum as _;
use serde_json::json;

use crate::jobs::refund_purchase::RefundPurchase;
use crate::model::{Account, Plan, Provision, ProvisionState};
use crate::{Billing, Error, store};

/// The provider's view of one purchase.
#[derive(Debug)]
pub struct ProviderState {
    provision: ProvisionId,
    checkout: Option<Checkout>,
    subscription: Option<Subscription>,
    /// When the provider was asked.
    fetched_at: Timestamp,
}

impl Billing {
    /// Fetches a purchase from the provider. The ids in a webhook are hints: a record counts only if it names
    /// this purchase itself.
    pub(crate) async fn fetch_state(
        &self,
        provider: &Provider,
        provision: &Provision,
        session: Option<&str>,
        subscription: Option<&str>,
    ) -> Result<ProviderState, PaymentError> {
        let fetched_at = self.ambient.now();
        let session = provision.session.as_deref().or(session);
        let checkout = match session {
            Some(id) if !provision.state.is_live() => optional(provider.checkout(id).await)?,
            _ => None,
        };
        let checkout = checkout.filter(|checkout| checkout.provision == Some(provision.uid));
        let id = provision
            .subscription
            .as_deref()
            .or(checkout.as_ref().and_then(|checkout| checkout.subscription.as_deref()))
            .or(subscription);
        let subscription = match id {
            Some(id) => optional(provider.subscription(id).await)?,
            None => None,
        };
        let subscription = subscription.filter(|one| one.provision == Some(provision.uid));
        Ok(ProviderState { provision: provision.uid, checkout, subscription, fetched_at })
    }

    /// Applies the provider's answer as part of `tx`.
    pub(crate) async fn apply(&self, tx: &WriteTx, provider_state: ProviderState) -> Result<(), Error> {
        let Some(unlocked) = store::provision::by_uid(tx, provider_state.provision).await? else {
            return Ok(());
        };
        tx.lock(unlocked.account).await?;
        // Read again under the lock.
        let Some(mut provision) = store::provision::by_uid(tx, provider_state.provision).await? else {
            return Ok(());
        };
        if provider_state.fetched_at < provision.synced_at {
            return Ok(());
        }
        let before = provision.state;
        if let Some(checkout) = &provider_state.checkout {
            provision.session.get_or_insert_with(|| checkout.id.clone());
            if checkout.status == CheckoutStatus::Expired && before == ProvisionState::Open {
                provision.state = ProvisionState::Expired;
            }
        }
        if let Some(subscription) = provider_state.subscription {
            provision.state = provision.state.after(subscription.status);
            provision.subscription = Some(subscription.id);
        }
        if provision.state.is_live() && provision.org.is_none() && !before.is_live() {
            self.activate(tx, &mut provision).await?;
        } else if provision.state != before
            && let (Some(org), Some(standing)) = (provision.org, provision.state.standing())
        {
            self.orgs.set_standing(tx, org, standing).await?;
        }
        if provision.state != before {
            provision.state_since = self.ambient.now();
            let (provision, from, to) = (provision.uid, before.to_value(), provision.state.to_value());
            tracing::info!(%provision, from, to, "purchase changed state");
        }
        provision.synced_at = provider_state.fetched_at;
        store::provision::update(tx, &provision, self.ambient.now()).await?;
        Ok(())
    }

    /// Gives a paid purchase its organisation: the account's most recently ended one, or else a new one. If
    /// the account is full, the purchase is refunded instead.
    pub(crate) async fn activate(&self, tx: &WriteTx, provision: &mut Provision) -> Result<(), Error> {
        let account = store::account::by_uid(tx, provision.account).await?.ok_or(Error::NotFound)?;
        let live = store::provision::count_live(tx, account.uid, Some(provision.uid)).await?;
        if !account.kind.has_capacity(live) {
            provision.state = ProvisionState::Failed;
            self.jobs.enqueue(tx, &RefundPurchase { provision: provision.uid }).await?;
            return Ok(());
        }
        provision.org = Some(match self.reactivate(tx, &account).await? {
            Some(org) => org,
            None => self.create_org(tx, &account, provision).await?,
        });
        let subject = AuditSubject::Account(account.uid);
        let bought =
            AuditRecord::new(subject, Some(provision.buyer), AuditAction::PlanBought, account.uid.uid());
        let plan = json!({ "plan": provision.plan.map(Plan::title) });
        self.orgs.record(tx, bought.named(&account.friendly_name).change(json!({}), plan)).await?;
        Ok(())
    }

    async fn reactivate(&self, tx: &WriteTx, account: &Account) -> Result<Option<OrgId>, Error> {
        for org in store::provision::ended_orgs(tx, account.uid).await? {
            let ended =
                self.orgs.organisation(tx, org).await?.is_some_and(|org| org.standing == Standing::Ended);
            if ended && store::provision::live_of_org(tx, org).await?.is_none() {
                self.orgs.set_standing(tx, org, Standing::Active).await?;
                return Ok(Some(org));
            }
        }
        Ok(None)
    }

    async fn create_org(
        &self,
        tx: &WriteTx,
        account: &Account,
        provision: &Provision,
    ) -> Result<OrgId, Error> {
        let new_org = NewOrg {
            name: account.friendly_name.clone(),
            owner: provision.buyer,
            contact_email: none_if_empty(account.billing_email.clone()),
            contact_phone: none_if_empty(account.billing_phone.clone()),
            time_zone: provision.time_zone.clone(),
        };
        Ok(self.orgs.create(tx, &new_org).await?.uid)
    }
}

/// Turns "no such record" into `None`.
fn optional<T>(result: Result<T, PaymentError>) -> Result<Option<T>, PaymentError> {
    match result {
        Ok(record) => Ok(Some(record)),
        Err(PaymentError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
