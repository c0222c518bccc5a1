//! The errors of billing and their HTTP answers.

use httpkit::ApiError;
use kernel::{GENERIC_MESSAGE, Problem};
use payments::{PaymentError, WebhookError};
use sea_orm::ActiveEnum as _;

use crate::AccountType;
use crate::purchase_error::PurchaseError;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The person has no billing account.
    #[error("no billing account")]
    NoAccounts,
    /// No such account, or the caller does not manage it.
    #[error("billing account not found")]
    NotFound,
    /// The account has no such purchase.
    #[error("purchase not found")]
    PurchaseNotFound,
    /// The text is no email address.
    #[error("invalid email address")]
    InvalidEmail,
    /// No member of the account's staff has this address.
    #[error("no member of staff with this address")]
    PersonUnknown,
    /// The last manager of an account cannot be removed.
    #[error("last manager")]
    LastManager,
    /// The provider rejected the billing details, with its message.
    #[error("the payment provider refused the billing details")]
    DetailsRefused(String),
    /// A field of the billing form is empty.
    #[error("{0} is required")]
    Required(&'static str, &'static str),
    /// A field of the billing form is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// Not individual, business or agency.
    #[error("unknown account type")]
    UnknownType,
    /// An account type can only be widened.
    #[error("narrower account type")]
    NarrowerType,
    /// No plan was named, or an unknown one.
    #[error("no plan")]
    PlanMissing,
    /// The account holds all the organisations its type allows.
    #[error("account is full")]
    AccountFull(AccountType),
    /// The purchase is impossible.
    #[error(transparent)]
    Purchase(#[from] PurchaseError),
    /// Payment is off.
    #[error("payment is off")]
    PaymentOff,
    /// A webhook without a valid signature, or without a readable event.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// The provider did not answer, or rejected the call.
    #[error(transparent)]
    Provider(#[from] PaymentError),
    /// Orgs rejected the operation.
    #[error(transparent)]
    Org(#[from] orgs::Error),
    /// Identity rejected the operation.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// An answer built elsewhere.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoAccounts => Problem::new(404, "no_billing_account", "No billing account found"),
            Error::NotFound => Problem::not_found("Billing account"),
            Error::PurchaseNotFound => Problem::not_found("Purchase"),
            Error::InvalidEmail => Problem::field("email", "invalid_email", "Invalid email!"),
            Error::PersonUnknown => {
                let message = "No staff member of this account's organizations has this email address.";
                Problem::new(404, "person_unknown", message)
            }
            Error::LastManager => {
                Problem::conflict("last_manager", "A billing account needs at least one manager.")
            }
            Error::DetailsRefused(words) => Problem::conflict(
                "details_refused",
                format!("The payment provider did not accept the billing details: {words}"),
            ),
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
            Error::AccountFull(kind) => account_full(kind),
            Error::Purchase(error) => error.into(),
            Error::PaymentOff => Problem::conflict("billing_off", "Payment is turned off on this server."),
            Error::Webhook(WebhookError::Signature(_)) => {
                Problem::bad_request("bad_signature", "The webhook signature is invalid.")
            }
            Error::Webhook(WebhookError::Unreadable) => {
                Problem::bad_request("unreadable_event", "The webhook body is not an event.")
            }
            Error::Provider(error) => {
                tracing::error!(%error, "request to the payment provider failed");
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

/// Says that the type of an account allows no other organisation.
pub fn account_full(kind: AccountType) -> Problem {
    let kind = kind.to_value();
    let message = format!(
        "This {kind} account can have one organization. To add another, change it to an agency account."
    );
    Problem::conflict("account_full", message)
}
