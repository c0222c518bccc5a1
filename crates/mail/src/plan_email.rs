//! Emails about a plan to those who pay for it: purchase, missing payments, suspension, end, and the removal of the
//! data.

use kernel::{PRODUCT, Timestamp, long_date};
use minijinja::context;

use crate::brand::NAME_MAX;
use crate::texts::{Texts, sanitized, short};

/// An email about a plan.
#[derive(Clone, PartialEq, Eq)]
pub struct PlanEmail {
    /// What happened.
    pub notice: PlanNotice,
    /// The plan's title.
    pub plan: String,
    /// The organisation's name.
    pub organisation: String,
    /// The account's nickname.
    pub account: String,
    /// The page on which to continue.
    pub link: String,
}

/// What happened to a plan. Dates are written in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanNotice {
    /// It was paid for the first time.
    Bought {
        /// What it costs and how often, unless that is unknown.
        price: Option<String>,
        /// When the next payment is due.
        renews: Timestamp,
    },
    /// The payment of an invoice failed for the first time.
    PaymentFailed {
        /// When the provider tries again.
        next_attempt: Timestamp,
        /// When the organisation is suspended if nothing is paid.
        suspends: Timestamp,
    },
    /// The payment of an invoice failed, and the provider does not try again.
    LastPaymentFailed {
        /// When the organisation is suspended if nothing is paid, or was because of this.
        suspends: Timestamp,
        /// How it comes back, if it is suspended because of this.
        remedy: Option<Remedy>,
    },
    /// The organisation is suspended.
    Suspended {
        /// When the plan ends if nothing is paid.
        ends: Timestamp,
        /// How it comes back.
        remedy: Remedy,
    },
    /// The plan has ended, and the organisation is closed.
    Ended {
        /// When the organisation's data is removed.
        removed: Timestamp,
    },
    /// The data of an organisation is removed soon.
    DataRemoval {
        /// When it is removed.
        removed: Timestamp,
        /// Whether it was deleted, so that it can be restored; otherwise its plan has ended.
        restorable: bool,
    },
}

/// How a suspended organisation comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The open invoice is paid.
    PayInvoice,
    /// A plan is bought again: the provider has ended the subscription, so that its invoice is no longer collected.
    BuyPlan,
}

impl PlanNotice {
    /// Returns the name of the templates.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Bought { .. } => "plan_bought",
            Self::PaymentFailed { .. } => "payment_failed",
            Self::LastPaymentFailed { .. } => "last_payment_failed",
            Self::Suspended { .. } => "plan_suspended",
            Self::Ended { .. } => "plan_ended",
            Self::DataRemoval { .. } => "data_removal",
        }
    }

    /// Returns the date that matters most.
    fn date(&self) -> Timestamp {
        match *self {
            Self::Bought { renews, .. } => renews,
            Self::PaymentFailed { suspends, .. } | Self::LastPaymentFailed { suspends, .. } => suspends,
            Self::Suspended { ends, .. } => ends,
            Self::Ended { removed } | Self::DataRemoval { removed, .. } => removed,
        }
    }
}

pub(crate) fn texts(email: &PlanEmail) -> Texts {
    let (plan, organisation) = (short(&email.plan, NAME_MAX), short(&email.organisation, NAME_MAX));
    let date = long_date(email.notice.date());
    let (subject, lead) = match &email.notice {
        PlanNotice::Bought { .. } => (
            format!("Your plan for {organisation} is active"),
            format!("Thank you for your purchase. {organisation} now has the {plan} plan of {PRODUCT}."),
        ),
        PlanNotice::PaymentFailed { .. } => (
            format!("A payment for {organisation} failed"),
            format!("The payment for the {plan} plan of {organisation} failed."),
        ),
        PlanNotice::LastPaymentFailed { .. } => (
            format!("The last attempt to take a payment for {organisation} failed"),
            format!("The payment for the {plan} plan of {organisation} failed again."),
        ),
        PlanNotice::Suspended { .. } => (
            format!("{organisation} is suspended"),
            format!("{organisation} is suspended, because the {plan} plan was not paid."),
        ),
        PlanNotice::Ended { .. } => (
            format!("The plan of {organisation} has ended"),
            format!("The {plan} plan of {organisation} has ended, and {organisation} is closed."),
        ),
        PlanNotice::DataRemoval { .. } => (
            format!("{organisation} will be deleted on {date}"),
            format!("All files and data of {organisation} will be deleted on {date}."),
        ),
    };
    let price = match &email.notice {
        PlanNotice::Bought { price, .. } => price.as_deref().map(sanitized),
        _ => None,
    };
    let next = match email.notice {
        PlanNotice::PaymentFailed { next_attempt, .. } => Some(long_date(next_attempt)),
        _ => None,
    };
    let remedy = match email.notice {
        PlanNotice::LastPaymentFailed { remedy, .. } => remedy,
        PlanNotice::Suspended { remedy, .. } => Some(remedy),
        _ => None,
    };
    let (suspended, buys) = (remedy.is_some(), remedy == Some(Remedy::BuyPlan));
    let restorable = matches!(email.notice, PlanNotice::DataRemoval { restorable: true, .. });
    let account = short(&email.account, NAME_MAX);
    let link = email.link.as_str();
    let values =
        context! { link, plan, organisation, account, date, price, next, restorable, suspended, buys };
    Texts { subject, lead, values }
}
