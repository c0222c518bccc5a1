//! Emails about a purchase to those who pay for it. Each is enqueued once, in the transaction of what it is about.

use db::WriteTx;
use kernel::{Timestamp, iso};
use mail::{EmailMessage, PlanEmail, PlanNotice, Remedy};
use payments::SubscriptionPrice;

use crate::model::{Account, ProvisionState};
use crate::money;
use crate::provision::Provision;
use crate::store::billing_notice::NoticeKind;
use crate::{Billing, Error, store};

/// An email that is due.
struct Due {
    kind: NoticeKind,
    /// Tells it apart from others of its kind.
    about: String,
    notice: PlanNotice,
}

impl Billing {
    /// Enqueues the emails that the step from one state to another demands, and those about failed payments. Nothing is
    /// written about a purchase without an organisation, about a free one, or about one that another has replaced.
    pub(crate) async fn notify(
        &self,
        tx: &WriteTx,
        provision: &Provision,
        from: ProvisionState,
        to: ProvisionState,
    ) -> Result<(), Error> {
        let Some(org) = provision.org.filter(|_| provision.plan.is_some()) else { return Ok(()) };
        for due in due(provision, from, to) {
            if !store::billing_notice::add(tx, provision.uid, due.kind, &due.about).await? {
                continue;
            }
            let account = store::account::by_uid(tx, provision.account).await?.ok_or(Error::NotFound)?;
            // One that was deleted is not suspended or closed for those who pay.
            let Some(organisation) = self.orgs.organisation(tx, org).await? else { continue };
            let path = match due.kind {
                NoticeKind::Bought => format!("/org/{org}/home"),
                _ => "/billing".to_owned(),
            };
            let email = PlanEmail {
                notice: due.notice,
                plan: provision.plan.as_deref().map_or("", |id| self.plans.title(id)).to_owned(),
                organisation: organisation.name,
                account: account.friendly_name.clone(),
                link: self.public.at(&path),
            };
            self.send_notice(tx, &account, email).await?;
        }
        Ok(())
    }

    /// Enqueues an email to the payee of the account, or to its managers.
    pub(crate) async fn send_notice(
        &self,
        tx: &WriteTx,
        account: &Account,
        email: PlanEmail,
    ) -> Result<(), Error> {
        let message = EmailMessage::Plan(Box::new(email));
        for payee in self.payees(tx, account).await? {
            self.mailer.enqueue(tx, &payee, &message).await?;
        }
        Ok(())
    }
}

/// Returns the emails that are due when a purchase goes from one state to another, or stays in it.
fn due(provision: &Provision, from: ProvisionState, to: ProvisionState) -> Vec<Due> {
    use ProvisionState as State;
    let mut all = Vec::new();
    if to.is_live() && matches!(from, State::Open | State::Expired) {
        all.extend(bought(provision));
    }
    match to {
        State::PastDue => all.extend(payment_failed(provision)),
        State::Suspended if from != to => {
            all.extend(given_up(provision));
            all.extend(suspended(provision));
        }
        State::Ended if from.is_live() => {
            let ended_at = provision.ended_at();
            let notice = PlanNotice::Ended { removed: orgs::removed_at(ended_at) };
            all.push(Due { kind: NoticeKind::Ended, about: iso(ended_at), notice });
        }
        _ => {}
    }
    all
}

fn bought(provision: &Provision) -> Option<Due> {
    let answer = provision.answer.as_ref()?;
    let price = answer.price.as_ref().map(per_period);
    let notice = PlanNotice::Bought { price, renews: answer.period_end };
    Some(Due { kind: NoticeKind::Bought, about: String::new(), notice })
}

/// Writes what a period costs: `$49 per month`.
fn per_period(price: &SubscriptionPrice) -> String {
    let amount = money::DEFAULT.money(price.amount, &price.currency);
    match &price.interval {
        Some(interval) => format!("{amount} per {interval}"),
        None => amount,
    }
}

/// Returns the email about a payment that is missing: one if the provider tries again, and one if it does not.
fn payment_failed(provision: &Provision) -> Option<Due> {
    let answer = provision.answer.as_ref()?;
    let suspends = provision.suspends_at()?;
    let (kind, notice) = match answer.next_attempt_at {
        Some(next_attempt) => {
            (NoticeKind::PaymentFailed, PlanNotice::PaymentFailed { next_attempt, suspends })
        }
        None => (NoticeKind::LastPaymentFailed, PlanNotice::LastPaymentFailed { suspends, remedy: None }),
    };
    Some(Due { kind, about: arrear(provision), notice })
}

/// Returns the email about the last attempt to take a payment, if it is what suspends the organisation. One before that
/// was written about already.
fn given_up(provision: &Provision) -> Option<Due> {
    provision.given_up_at?;
    let notice =
        PlanNotice::LastPaymentFailed { suspends: provision.suspends_at()?, remedy: Some(remedy(provision)) };
    Some(Due { kind: NoticeKind::LastPaymentFailed, about: arrear(provision), notice })
}

fn suspended(provision: &Provision) -> Option<Due> {
    let notice = PlanNotice::Suspended { ends: provision.planned_end()?, remedy: remedy(provision) };
    Some(Due { kind: NoticeKind::Suspended, about: arrear(provision), notice })
}

fn remedy(provision: &Provision) -> Remedy {
    if provision.has_open_subscription() { Remedy::PayInvoice } else { Remedy::BuyPlan }
}

/// Names the payment that is missing, by the time since when it is.
fn arrear(provision: &Provision) -> String {
    let since: Option<Timestamp> = provision.answer.as_ref().and_then(|answer| answer.unpaid_since);
    iso(since.unwrap_or(provision.synced_at))
}
