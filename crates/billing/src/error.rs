//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::{GENERIC_MESSAGE, Problem};
use payments::{PaymentError, WebhookError};

use crate::AccountType;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The person has no billing account (C-28).
    #[error("no billing account")]
    NoAccounts,
    /// No such account, or not the caller's.
    #[error("billing account not found")]
    NotFound,
    /// A field of the billing form is empty.
    #[error("{0} is required")]
    Required(&'static str, &'static str),
    /// A field of the billing form is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// Not individual, business or agency.
    #[error("unknown account type")]
    UnknownType,
    /// An account type can only be widened (C-13).
    #[error("narrower account type")]
    NarrowerType,
    /// No plan, or one we do not sell (C-27, G-20).
    #[error("no plan")]
    PlanMissing,
    /// The account holds all the organisations its type allows (C-13).
    #[error("account is full")]
    Full(AccountType),
    /// Payment is switched off.
    #[error("payment is switched off")]
    Off,
    /// A webhook that is not the provider's.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// The provider did not answer, or refused.
    #[error(transparent)]
    Provider(#[from] PaymentError),
    /// The organisation could not be made.
    #[error(transparent)]
    Org(#[from] orgs::Error),
    /// Identity refused.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// A ready-made refusal.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::NoAccounts => Problem::new(404, "no_billing_account", "No billing account found"),
            Error::NotFound => Problem::not_found("Billing account"),
            Error::Required(field, message) => Problem::field(field, "required", message),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::UnknownType => {
                Problem::field("type", "unknown_type", "type must be individual, business or agency.")
            }
            Error::NarrowerType => {
                Problem::conflict("narrower_type", "An account type can be widened, not narrowed.")
            }
            Error::PlanMissing => {
                Problem::field("planId", "plan_missing", "Please select the plan to proceed!")
            }
            Error::Full(kind) => Problem::conflict(
                "account_full",
                format!(
                    "An account of the type {} holds one organisation. Change its type to agency to add another.",
                    kind.as_str()
                ),
            ),
            Error::Off => Problem::conflict("billing_off", "Payment is switched off here."),
            Error::Webhook(WebhookError::Signature(_)) => {
                Problem::bad_request("bad_signature", "The signature of the webhook is not valid.")
            }
            Error::Webhook(WebhookError::Unreadable) => {
                Problem::bad_request("unreadable_event", "The body of the webhook is not an event.")
            }
            Error::Provider(error) => {
                tracing::error!(%error, "the payment provider failed a request");
                Problem::new(502, "payment_provider", GENERIC_MESSAGE)
            }
            Error::Org(error) => return error.into(),
            Error::Identity(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
