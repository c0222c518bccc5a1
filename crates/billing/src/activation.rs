//! Brings a purchase up to date with the provider, the same way for webhooks and polling.
//!
//! The provider is called outside any transaction; its answer is applied in one, under the account's lock. The
//! database numbers the looks, and an answer to an older look than the one already stored is dropped, so that neither
//! the order of arrival nor the servers' clocks matter.

use db::WriteTx;
use kernel::{HOUR, OrgId, ProvisionId, Timestamp};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use payments::{Checkout, PaymentError, Provider, ScheduledChange, Subscription};
use sea_orm::ActiveEnum as _;
use serde_json::json;

use crate::jobs::end_subscription::EndSubscription;
use crate::jobs::expire_sessions::ExpireSessions;
use crate::jobs::refund_purchase::RefundPurchase;
use crate::model::{Cause, ProvisionState};
use crate::provision::{PendingPlan, Provision};
use crate::store::provision_change::Change;
use crate::{Billing, Error, store};

/// The provider's view of one purchase.
#[derive(Debug)]
pub struct ProviderState {
    provision: ProvisionId,
    checkout: Option<Checkout>,
    subscription: Option<Subscription>,
    /// The number of this look.
    ticket: i64,
    /// The provider's account and mode, if the key may read the account.
    source: Option<String>,
    /// Whether the provider's key takes real money.
    live_mode: bool,
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
        let source = provider.source().await?.map(|source| source.to_string());
        if provision.is_foreign_to(source.as_deref()) {
            // Another account has nothing to say about it, whatever its ids name there.
            return self.report_foreign(provision, source.as_deref()).await;
        }
        let tx = self.db.write_tx().await?;
        let Some(ticket) = store::provision::take_ticket(&tx, provision.uid).await? else { return Ok(()) };
        tx.commit().await?;
        let mut answer = self.fetch_state(provider, provision, hints).await?;
        (answer.ticket, answer.source) = (ticket, source);
        let tx = self.db.write_tx_on(provision.account).await?;
        self.apply(&tx, answer, trigger).await?;
        Ok(tx.commit().await?)
    }

    /// Reports a purchase that was made in another account or mode of the provider, and leaves it as it is.
    async fn report_foreign(&self, provision: &Provision, source: Option<&str>) -> Result<(), Error> {
        let (uid, made_in) = (provision.uid, provision.source.as_deref());
        tracing::error!(provision = %uid, made_in, source, "the purchase was made in another account or mode of the payment provider");
        let tx = self.db.write_tx().await?;
        store::provision::postpone_sync(&tx, uid, self.ambient.now() + HOUR).await?;
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
        Ok(ProviderState {
            provision: provision.uid,
            checkout,
            subscription,
            ticket: 0,
            source: None,
            live_mode: provider.live_mode(),
            fetched_at,
        })
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
        if provider_state.ticket < provision.applied_ticket {
            return Ok(());
        }
        let now = self.ambient.now();
        if provision.answer.is_some() && provider_state.subscription.is_none() {
            // Happens with another account's keys; treated as unanswered.
            tracing::error!(provision = %provision.uid, "the payment provider does not know a subscription it had");
            return Ok(store::provision::postpone_sync(tx, provision.uid, now + HOUR).await?);
        }
        if provider_state.is_of_another_mode_than(&provision) {
            tracing::error!(provision = %provision.uid, "refused an answer of another mode of the payment provider");
            return Ok(store::provision::postpone_sync(tx, provision.uid, now + HOUR).await?);
        }
        let plan_before = provision.plan.clone();
        self.take_answer(&mut provision, provider_state);
        self.record_plan_change(tx, &provision, plan_before.as_deref()).await?;
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

    fn take_answer(&self, provision: &mut Provision, answer: ProviderState) {
        let ProviderState { checkout, subscription, ticket, source, fetched_at, .. } = answer;
        (provision.applied_ticket, provision.synced_at) = (ticket, fetched_at);
        if checkout.is_some() || subscription.is_some() {
            provision.source = source.or(provision.source.take());
        }
        if let Some(checkout) = checkout {
            provision.checkout = Some(checkout.status);
            provision.session.get_or_insert(checkout.id);
        }
        let Some(Subscription { id, mut state, plan_keys, scheduled, .. }) = subscription else { return };
        provision.subscription = Some(id);
        if let Some(key) = self.plans.named(&plan_keys) {
            state.price_key = Some(key.clone());
        }
        provision.accept(state);
        self.follow_price(provision);
        self.follow_schedule(provision, scheduled);
    }

    /// Takes the plan to which the purchase changes later.
    fn follow_schedule(&self, provision: &mut Provision, scheduled: Option<ScheduledChange>) {
        provision.pending = scheduled.and_then(|ScheduledChange { plan_keys, at }| {
            let plan = self.plans.named(&plan_keys).cloned();
            if plan.is_none() {
                tracing::error!(provision = %provision.uid, ?plan_keys, "a change to a price of no plan is scheduled");
            }
            let changes = plan.filter(|plan| provision.plan.as_ref() != Some(plan));
            changes.map(|plan| PendingPlan { plan, at })
        });
    }

    fn follow_price(&self, provision: &mut Provision) {
        let was_known = provision.price_unknown_since.is_none();
        provision.follow_price(&self.plans);
        if was_known && provision.price_unknown_since.is_some() {
            let price = provision.answer.as_ref().and_then(|answer| answer.price_key.as_deref());
            let (provision, plan) = (provision.uid, provision.plan.as_deref());
            let limits = if plan.is_some() {
                "those of the last known plan for 14 days"
            } else {
                "those of the smallest plan"
            };
            tracing::error!(%provision, plan, price, limits, "the provider names a price of no plan");
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
        if !self.is_superseded(tx, provision).await? {
            self.notify(tx, provision, from, to).await?;
        }
        if from == to {
            return Ok(());
        }
        let (Trigger { cause, id: cause_id }, reason) = (trigger, provision.reason_at(now));
        (provision.recorded, provision.recorded_reason) = (to, reason);
        let change = Change { provision: provision.uid, from, to, cause, cause_id, reason };
        store::provision_change::add(tx, self.ambient.uid(), &change, now).await?;
        self.record_change(tx, provision, &change).await?;
        if !self.is_superseded(tx, provision).await?
            && let (Some(org), Some(before), Some(after)) = (provision.org, from.standing(), to.standing())
        {
            self.orgs.record_standing(tx, org, before, after).await?;
        }
        match to {
            ProvisionState::Failed if provision.refused_at.is_some() => {
                self.jobs.enqueue(tx, &RefundPurchase { provision: provision.uid }).await?;
            }
            ProvisionState::Ended if provision.has_open_subscription() || provision.is_unpaid() => {
                self.jobs.enqueue(tx, &EndSubscription { provision: provision.uid }).await?;
            }
            _ => {}
        }
        let (provision, from, to, cause) = (provision.uid, from.to_value(), to.to_value(), cause.to_value());
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

    /// Gives a paid purchase its organisation: an ended one of the account, or a new one. One that had ended and is paid
    /// after all keeps its own. If the account is full, the purchase is refused instead.
    pub(crate) async fn activate(&self, tx: &WriteTx, provision: &mut Provision) -> Result<(), Error> {
        let account = store::account::by_uid(tx, provision.account).await?.ok_or(Error::NotFound)?;
        let now = self.ambient.now();
        let paid = store::provision::of_account(tx, account.uid).await?;
        let in_force = || paid.iter().filter(|other| other.uid != provision.uid && other.is_in_force_at(now));
        let is_taken = |org: OrgId| in_force().any(|other| other.org == Some(org));
        let live = in_force().count();
        if provision.org.is_some_and(is_taken) || !account.kind.has_capacity(live) {
            provision.refused_at = Some(now);
            return Ok(());
        }
        if !account.kind.has_capacity(live + 1) && self.provider.is_some() {
            self.expire_other_sessions(tx, provision).await?;
        }
        if provision.activated_at.is_some() {
            return Ok(());
        }
        provision.activated_at = Some(now);
        provision.org = Some(self.organisation_for(tx, &account, provision).await?);
        let subject = AuditSubject::Account(account.uid);
        let bought =
            AuditRecord::new(subject, Some(provision.buyer), AuditAction::PlanBought, account.uid.uid());
        let plan = json!({ "plan": provision.plan.as_deref().map(|id| self.plans.title(id)) });
        self.orgs.record(tx, bought.named(&account.friendly_name).change(json!({}), plan)).await?;
        Ok(())
    }

    /// Expires the sessions that were left open, because the account has no room for another purchase now.
    async fn expire_other_sessions(&self, tx: &WriteTx, provision: &Provision) -> Result<(), Error> {
        let open = store::provision::open_of_account(tx, provision.account).await?;
        if open.iter().any(|other| other.uid != provision.uid) {
            self.jobs.enqueue(tx, &ExpireSessions { account: provision.account }).await?;
        }
        Ok(())
    }
}

impl ProviderState {
    /// Returns whether the answer is about test payments and the purchase about real ones, or the reverse.
    fn is_of_another_mode_than(&self, provision: &Provision) -> bool {
        let of_records = [
            self.checkout.as_ref().map(|checkout| checkout.live_mode),
            self.subscription.as_ref().map(|subscription| subscription.state.live_mode),
        ];
        let expected = provision.answer.as_ref().map_or(self.live_mode, |answer| answer.live_mode);
        of_records.into_iter().flatten().any(|live_mode| live_mode != expected || live_mode != self.live_mode)
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

#[cfg(test)]
#[path = "activation_tests.rs"]
mod tests;
