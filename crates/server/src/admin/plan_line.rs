//! Lines of `vitrine admin org plan`.
#![allow(missing_docs)] // Fields whose names say everything; they are printed under these names.

use std::fmt::{Display, Formatter, Result};

use kernel::{AccountId, OrgId, ProvisionId};
use serde::{Deserialize, Serialize};

/// A purchase, or a plan granted while payment was off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseLine {
    pub uid: ProvisionId,
    /// The billing account that pays.
    pub account: AccountId,
    /// The organisation it pays for or did.
    pub org: Option<OrgId>,
    /// Id of the plan; `None` if it costs nothing.
    pub plan: Option<String>,
    /// Its state now.
    pub state: String,
    /// Why it is in that state; `None` while its buyer has not paid.
    pub reason: Option<String>,
    /// Since when the invoice is unpaid that is the reason.
    pub unpaid_since: Option<String>,
    /// What the payment provider last said about the subscription, in its own word.
    pub status: Option<String>,
    /// When the payment provider was last asked.
    pub asked: String,
    /// When the checkout was started.
    pub created: String,
}

/// A change of a purchase's state, from its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseChangeLine {
    pub purchase: ProvisionId,
    /// When it was recorded.
    pub time: String,
    /// The state before.
    pub from: String,
    /// The state after.
    pub to: String,
    /// Why it is in the state after; `None` in entries of older versions.
    pub reason: Option<String>,
    /// `event`, `check`, `person` or `clock`.
    pub cause: String,
    /// The payment provider's id of the event, or the id of the person.
    pub cause_id: Option<String>,
    /// The payment provider's name of the event, kept for 30 days.
    pub event: Option<String>,
}

impl Display for PurchaseLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { uid, account, org, plan, state, reason, unpaid_since, status, asked, created } = self;
        let plan = plan.as_deref().unwrap_or("free");
        write!(f, "{uid} {plan}, started {created}, account {account}")?;
        match org {
            Some(org) => write!(f, ", organisation {org}")?,
            None => write!(f, ", without organisation")?,
        }
        write!(f, "\n  now {state}")?;
        if let Some(reason) = reason {
            write!(f, ": {}", words(reason))?;
        }
        if let Some(since) = unpaid_since {
            write!(f, ", unpaid since {since}")?;
        }
        match status {
            Some(status) => write!(f, "; the payment provider said {status} at {asked}"),
            None => Ok(()),
        }
    }
}

impl Display for PurchaseChangeLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { time, from, to, reason, cause, cause_id, event, .. } = self;
        write!(f, "  {time} {from} -> {to}")?;
        if let Some(reason) = reason {
            write!(f, ": {}", words(reason))?;
        }
        let id = cause_id.as_deref().unwrap_or("-");
        match (cause.as_str(), event) {
            ("event", Some(event)) => write!(f, "; by the event {event} ({id})"),
            ("event", None) => write!(f, "; by the event {id}"),
            ("check", _) => write!(f, "; by asking the payment provider"),
            ("person", _) => write!(f, "; by the person {id}"),
            ("clock", _) => write!(f, "; by the time that passed"),
            (other, _) => write!(f, "; by {other}"),
        }
    }
}

fn words(reason: &str) -> &str {
    match reason {
        "paid" => "it is paid",
        "free" => "granted while payment was off",
        "paymentFailed" => "a payment failed",
        "givenUp" => "the payment provider gave up the payment",
        "unpaid" => "the invoice was not paid in time",
        "canceled" => "the subscription was canceled at the payment provider",
        "accountFull" => "the account was full, so the payment was sent back",
        "notConfirmed" => "the first payment was not confirmed",
        "sessionExpired" => "the payment page was open for too long",
        "replaced" => "another purchase of the account took its place",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(cause: &str, event: Option<&str>) -> PurchaseChangeLine {
        PurchaseChangeLine {
            purchase: ProvisionId::from_u128(1),
            time: "2026-11-25T10:00:00.000Z".to_owned(),
            from: "suspended".to_owned(),
            to: "ended".to_owned(),
            reason: Some("unpaid".to_owned()),
            cause: cause.to_owned(),
            cause_id: (cause == "event").then(|| "evt_1".to_owned()),
            event: event.map(str::to_owned),
        }
    }

    #[test]
    fn a_change_says_why_it_happened_and_what_caused_it() {
        let why = "  2026-11-25T10:00:00.000Z suspended -> ended: the invoice was not paid in time; by ";
        for (cause, event, by) in [
            ("event", Some("invoice.voided"), "the event invoice.voided (evt_1)"),
            ("event", None, "the event evt_1"),
            ("check", None, "asking the payment provider"),
            ("clock", None, "the time that passed"),
        ] {
            assert_eq!(change(cause, event).to_string(), format!("{why}{by}"));
        }
    }
}
