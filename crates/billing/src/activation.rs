//! Brings a purchase up to date with the provider, the same way for webhooks and polling.
//!
//! The provider is called outside any transaction; its answer is applied in one, under the account's lock. An
//! answer whose question is older than the one already stored is dropped, so the order of arrival does not
//! matter.

use db::{WriteTx, none_if_empty};
use kernel::{HOUR, OrgId, ProvisionId, Timestamp};
use orgs::{AuditAction, AuditRecord, AuditSubject, NewOrg, PlanStanding, Standing};
use payments::{Checkout, PaymentError, Provider, Subscription};
use sea_orm::ActiveEnum as _;
use serde_json::json;

use crate::jobs::end_subscription::EndSubscription;
use crate::jobs::refund_purchase::RefundPurchase;
use crate::model::{Account, Cause, ProvisionState};
use crate::provision::Provision;
use crate::store::provision_change::Change;
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

/// What made a purchase change, for its journal.
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'a> {
    pub cause: Cause,
    /// Id of the provider's event, or of the person.
    pub id: Option<&'a str>,
}

/// Ids of the provider that may belong to a purchase, from an event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    pub session: Option<&'a str>,
    pub subscription: Option<&'a str>,
}

impl Trigger<'_> {
    pub const CHECK: Self = Self { cause: Cause::Check, id: None };
    pub const CLOCK: Self = Self { cause: Cause::Clock, id: None };
}

impl Billing {
    /// Fetches a purchase from the provider and applies the answer. The provider is asked before the transaction
    /// starts: a write transaction must not wait on the network.
    pub(crate) async fn refresh(
        &self,
        provider: &Provider,
        provision: &Provision,
        hints: Hints<'_>,
        trigger: Trigger<'_>,
    ) -> Result<(), Error> {
        let provider_state = self.fetch_state(provider, provision, hints).await?;
        let tx = self.db.write_tx_on(provision.account).await?;
        self.apply(&tx, provider_state, trigger).await?;
        Ok(tx.commit().await?)
    }

    /// Fetches a purchase from the provider. A record counts only if it names this purchase itself.
    async fn fetch_state(
        &self,
        provider: &Provider,
        provision: &Provision,
        hints: Hints<'_>,
    ) -> Result<ProviderState, PaymentError> {
        let fetched_at = self.ambient.now();
        let session = provision.session.as_deref().or(hints.session);
        let checkout = match session {
            Some(id) if provision.answer.is_none() => optional(provider.checkout(id).await)?,
            _ => None,
        };
        let checkout = checkout.filter(|checkout| checkout.provision == Some(provision.uid));
        let id = provision
            .subscription
            .as_deref()
            .or(checkout.as_ref().and_then(|checkout| checkout.subscription.as_deref()))
            .or(hints.subscription);
        let subscription = match id {
            Some(id) => optional(provider.subscription(id).await)?,
            None => None,
        };
        let subscription = subscription.filter(|one| one.provision == Some(provision.uid));
        Ok(ProviderState { provision: provision.uid, checkout, subscription, fetched_at })
    }

    /// Applies the provider's answer as part of `tx`.
    async fn apply(
        &self,
        tx: &WriteTx,
        provider_state: ProviderState,
        trigger: Trigger<'_>,
    ) -> Result<(), Error> {
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
        let now = self.ambient.now();
        if provision.answer.is_some() && provider_state.subscription.is_none() {
            // Happens with another account's keys; treated as unanswered.
            tracing::error!(provision = %provision.uid, "the payment provider does not know a subscription it had");
            return Ok(store::provision::postpone_sync(tx, provision.uid, now + HOUR).await?);
        }
        if let Some(checkout) = provider_state.checkout {
            provision.checkout = Some(checkout.status);
            provision.session.get_or_insert(checkout.id);
        }
        provision.synced_at = provider_state.fetched_at;
        if let Some(subscription) = provider_state.subscription {
            provision.subscription = Some(subscription.id);
            provision.accept(subscription.state);
        }
        self.follow_price(&mut provision);
        if provision.is_in_force_at(now) && !provision.recorded.is_live() {
            self.activate(tx, &mut provision).await?;
        }
        if !self.is_superseded(tx, &provision).await?
            && let (Some(org), Some(standing)) = (provision.org, provision.plan_standing())
        {
            self.orgs.set_standing(tx, org, standing).await?;
        }
        self.record_state(tx, &mut provision, trigger).await?;
        Ok(store::provision::update(tx, &provision, now).await?)
    }

    fn follow_price(&self, provision: &mut Provision) {
        let was_known = provision.price_unknown_since.is_none();
        provision.follow_price(&self.plans);
        if was_known && provision.price_unknown_since.is_some() {
            let price = provision.answer.as_ref().and_then(|answer| answer.price_key.as_deref());
            let (provision, plan) = (provision.uid, provision.plan.as_deref());
            tracing::error!(%provision, plan, price, "the provider names a price of no plan; the last known plan counts for 14 days");
        }
    }

    /// Adds an entry to the journal if the state is not the recorded one, and does what the change demands. The caller
    /// stores the purchase.
    pub(crate) async fn record_state(
        &self,
        tx: &WriteTx,
        provision: &mut Provision,
        trigger: Trigger<'_>,
    ) -> Result<(), Error> {
        let now = self.ambient.now();
        let (from, to) = (provision.recorded, provision.state_at(now));
        if from == to {
            return Ok(());
        }
        provision.recorded = to;
        let change =
            Change { provision: provision.uid, from, to, cause: trigger.cause, cause_id: trigger.id };
        store::provision_change::add(tx, self.ambient.uid(), change, now).await?;
        if !self.is_superseded(tx, provision).await?
            && let (Some(org), Some(before), Some(after)) = (provision.org, from.standing(), to.standing())
        {
            self.orgs.record_standing(tx, org, before, after).await?;
        }
        match to {
            ProvisionState::Failed if provision.refused_at.is_some() => {
                self.jobs.enqueue(tx, &RefundPurchase { provision: provision.uid }).await?;
            }
            ProvisionState::Ended if provision.has_open_subscription() => {
                self.jobs.enqueue(tx, &EndSubscription { provision: provision.uid }).await?;
            }
            _ => {}
        }
        let (provision, from, to, cause) =
            (provision.uid, from.to_value(), to.to_value(), trigger.cause.to_value());
        tracing::info!(%provision, from, to, cause, "purchase changed state");
        Ok(())
    }

    /// Returns whether another purchase pays for the organisation, as after buying again.
    async fn is_superseded(&self, tx: &WriteTx, provision: &Provision) -> Result<bool, Error> {
        let now = self.ambient.now();
        let Some(org) = provision.org.filter(|_| !provision.is_in_force_at(now)) else { return Ok(false) };
        let live = store::provision::live_of_org(tx, org, now).await?;
        Ok(live.is_some_and(|live| live.uid != provision.uid && live.is_in_force_at(now)))
    }

    /// Gives a paid purchase its organisation: the account's most recently ended one, or else a new one. One that had
    /// ended and is paid after all keeps its own. If the account is full, the purchase is refused instead.
    pub(crate) async fn activate(&self, tx: &WriteTx, provision: &mut Provision) -> Result<(), Error> {
        let account = store::account::by_uid(tx, provision.account).await?.ok_or(Error::NotFound)?;
        let now = self.ambient.now();
        let paid = store::provision::of_account(tx, account.uid).await?;
        let others = paid.into_iter().filter(|other| other.uid != provision.uid);
        let (in_force, past): (Vec<_>, Vec<_>) = others.partition(|other| other.is_in_force_at(now));
        let taken: Vec<OrgId> = in_force.iter().filter_map(|other| other.org).collect();
        if provision.org.is_some_and(|org| taken.contains(&org)) || !account.kind.has_capacity(in_force.len())
        {
            provision.refused_at = Some(now);
            return Ok(());
        }
        if provision.activated_at.is_some() {
            return Ok(());
        }
        provision.activated_at = Some(now);
        provision.org = Some(match self.reactivate(tx, past, &taken).await? {
            Some(org) => org,
            None => self.create_org(tx, &account, provision).await?,
        });
        let subject = AuditSubject::Account(account.uid);
        let bought =
            AuditRecord::new(subject, Some(provision.buyer), AuditAction::PlanBought, account.uid.uid());
        let plan = json!({ "plan": provision.plan.as_deref().map(|id| self.plans.title(id)) });
        self.orgs.record(tx, bought.named(&account.friendly_name).change(json!({}), plan)).await?;
        Ok(())
    }

    /// Revives the organisation that ended last among those of past purchases, unless another purchase has taken it.
    async fn reactivate(
        &self,
        tx: &WriteTx,
        mut past: Vec<Provision>,
        taken: &[OrgId],
    ) -> Result<Option<OrgId>, Error> {
        past.sort_by_key(|one| std::cmp::Reverse(one.ended_at()));
        for org in past.iter().filter_map(|one| one.org).filter(|org| !taken.contains(org)) {
            let Some(found) = self.orgs.organisation(tx, org).await? else { continue };
            self.orgs.set_standing(tx, org, PlanStanding::from(Standing::Active)).await?;
            self.orgs.record_standing(tx, org, found.standing, Standing::Active).await?;
            return Ok(Some(org));
        }
        Ok(None)
    }

    async fn create_org(
        &self,
        tx: &WriteTx,
        account: &Account,
        provision: &Provision,
    ) -> Result<OrgId, Error> {
        // A buyer who was removed from the account while paying gets nothing.
        let is_manager = account.managers.contains(&provision.buyer);
        let owner = account.managers.first().filter(|_| !is_manager).copied().unwrap_or(provision.buyer);
        let new_org = NewOrg {
            name: account.friendly_name.clone(),
            owner,
            contact_email: none_if_empty(account.billing_email.clone()),
            contact_phone: none_if_empty(account.billing_phone.clone()),
            time_zone: provision.time_zone.clone(),
        };
        Ok(self.orgs.create(tx, &new_org).await?.uid)
    }
}

/// Turns "no such record" into `None`.
pub(crate) fn optional<T>(result: Result<T, PaymentError>) -> Result<Option<T>, PaymentError> {
    match result {
        Ok(record) => Ok(Some(record)),
        Err(PaymentError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
