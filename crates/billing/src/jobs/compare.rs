//! Compares the subscriptions at the provider with the purchases here, in both directions. What is paid and missing
//! here is rebuilt from its metadata; what cannot be brought into order is reported by log, metric and a row that the
//! operator's check reads.

use std::collections::HashSet;

use payments::{Provider, Subscription};

use crate::activation::{Hints, Trigger};
use crate::comparison::{Comparison, Finding, FindingKind};
use crate::jobs::end_subscription::EndSubscription;
use crate::jobs::refund_purchase::RefundPurchase;
use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::{Billing, Error, store};

pub async fn run(billing: &Billing) -> Result<(), Error> {
    let Some(provider) = &billing.provider else { return Ok(()) };
    let at = billing.ambient.now();
    let (mut listed, mut findings) = (HashSet::new(), Vec::new());
    let mut after = None;
    loop {
        let page = provider.subscriptions(after.as_deref()).await?;
        for subscription in page.data {
            // Of another product that uses the same account of the provider.
            if subscription.account.is_none() && subscription.provision.is_none() {
                continue;
            }
            listed.insert(subscription.id.clone());
            findings.extend(check_subscription(billing, provider, subscription).await?);
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    findings.extend(check_purchases(billing, provider, &listed).await?);
    report(billing, Comparison { at, subscriptions: listed.len() as u64, findings }).await
}

async fn report(billing: &Billing, comparison: Comparison) -> Result<(), Error> {
    for Finding { kind, subscription, provision } in &comparison.findings {
        let kind = kind.as_str();
        tracing::error!(kind, subscription, ?provision, "the payment provider and the purchases here differ");
    }
    metrics::gauge!("vitrine_billing_orphans").set(comparison.orphans() as f64);
    metrics::gauge!("vitrine_billing_mismatches").set(comparison.mismatches() as f64);
    let tx = billing.db.write_tx().await?;
    store::comparison::store(&tx, &comparison).await?;
    Ok(tx.commit().await?)
}

/// Looks for the purchase of a subscription that has not ended. Returns what does not fit.
async fn check_subscription(
    billing: &Billing,
    provider: &Provider,
    subscription: Subscription,
) -> Result<Option<Finding>, Error> {
    let (id, named) = (subscription.id.clone(), subscription.provision);
    let finding = |kind, provision| Some(Finding { kind, subscription: Some(id.clone()), provision });
    let found = match named {
        Some(uid) => store::provision::by_uid(billing.db.read(), uid).await,
        None => store::provision::by_provider_id(billing.db.read(), Some(&id), None).await,
    };
    // One that cannot be read was logged, and must not keep the others from being checked.
    let Ok(found) = found else { return Ok(finding(FindingKind::Unreadable, named)) };
    let provision = match (found, named) {
        (Some(found), _) => found,
        (None, None) => return Ok(finding(FindingKind::Orphan, None)),
        (None, Some(uid)) => match billing.rebuild_purchase(provider, uid, subscription, None).await? {
            Some(rebuilt) => rebuilt,
            None => return Ok(finding(FindingKind::Orphan, named)),
        },
    };
    let uid = Some(provision.uid);
    if is_foreign(provider, &provision).await? {
        return Ok(finding(FindingKind::OtherSource, uid));
    }
    if provision.subscription.as_ref().is_some_and(|own| *own != id) {
        return Ok(finding(FindingKind::SecondSubscription, uid));
    }
    if provision.answer.is_some() && provision.recorded.is_live() {
        return Ok(None);
    }
    // Not known to be paid yet, or over here: the provider's answer decides.
    let hints = Hints { session: None, subscription: Some(&id) };
    let Some(current) = refreshed(billing, provider, &provision, hints).await? else { return Ok(None) };
    let is_over = matches!(current.recorded, ProvisionState::Ended | ProvisionState::Failed);
    if is_over && current.has_open_subscription() {
        finish(billing, &current).await?;
        return Ok(finding(FindingKind::NotEnded, uid));
    }
    Ok(None)
}

/// Ends the subscription of a purchase that is over once more: the job that was to do it may have been given up.
async fn finish(billing: &Billing, provision: &Provision) -> Result<(), Error> {
    let tx = billing.db.write_tx().await?;
    if provision.refused_at.is_some() {
        billing.jobs.enqueue(&tx, &RefundPurchase { provision: provision.uid }).await?;
    } else {
        billing.jobs.enqueue(&tx, &EndSubscription { provision: provision.uid }).await?;
    }
    Ok(tx.commit().await?)
}

/// Looks for the subscriptions of the purchases that are in force. Returns what does not fit.
async fn check_purchases(
    billing: &Billing,
    provider: &Provider,
    listed: &HashSet<String>,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for (uid, row) in store::provision::all_recorded_live(billing.db.read()).await? {
        let Ok(provision) = row else {
            findings.push(Finding {
                kind: FindingKind::Unreadable,
                subscription: None,
                provision: Some(uid),
            });
            continue;
        };
        let Some(id) = provision.subscription.clone().filter(|id| !listed.contains(id)) else { continue };
        let finding = |kind| findings.push(Finding { kind, subscription: Some(id), provision: Some(uid) });
        if is_foreign(provider, &provision).await? {
            finding(FindingKind::OtherSource);
            continue;
        }
        if !provision.has_open_subscription() {
            continue;
        }
        // It may have ended since the purchase was last looked at.
        let current = refreshed(billing, provider, &provision, Hints::default()).await?;
        if current.is_some_and(|one| one.recorded.is_live() && one.has_open_subscription()) {
            finding(FindingKind::Missing);
        }
    }
    Ok(findings)
}

/// Returns whether a purchase was made in another account or mode of the provider.
async fn is_foreign(provider: &Provider, provision: &Provision) -> Result<bool, Error> {
    let source = provider.source().await?.map(|source| source.to_string());
    let other_mode = provision.answer.as_ref().is_some_and(|answer| answer.live_mode != provider.live_mode());
    Ok(other_mode || provision.is_foreign_to(source.as_deref()))
}

async fn refreshed(
    billing: &Billing,
    provider: &Provider,
    provision: &Provision,
    hints: Hints<'_>,
) -> Result<Option<Provision>, Error> {
    billing.refresh(provider, provision, hints, Trigger::CHECK).await?;
    Ok(store::provision::by_uid(billing.db.read(), provision.uid).await?)
}
