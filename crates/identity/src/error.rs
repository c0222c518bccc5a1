//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

use crate::ladder::Refused;
use crate::openid::ProviderName;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not an e-mail address.
    #[error("invalid e-mail")]
    InvalidEmail,
    /// Wrong e-mail, or a link that was used or is too old.
    #[error("dead link")]
    DeadLink,
    /// A reset link that was used or is too old.
    #[error("dead reset link")]
    DeadReset,
    /// A confirmation link that was used, is too old, or is somebody else's.
    #[error("dead confirmation link")]
    DeadConfirmation,
    /// A sign-in at a provider that was picked up, is too old, or belongs to another window.
    #[error("dead provider sign-in")]
    DeadSignIn,
    /// A wrong password, or an address without one.
    #[error("wrong password")]
    WrongPassword,
    /// Too many passwords are being looked at.
    #[error("busy")]
    Busy,
    /// Too many wrong passwords; seconds to wait.
    #[error("too many tries")]
    TooManyTries(u32),
    /// Too many wrong passwords of one account: it takes a mailed link only.
    #[error("link required")]
    LinkRequired,
    /// A sign-up with an address somebody has.
    #[error("e-mail in use")]
    EmailInUse,
    /// The address needs no further proof.
    #[error("already confirmed")]
    AlreadyConfirmed,
    /// The provider did not tell the address.
    #[error("no address")]
    NoAddress(ProviderName),
    /// The provider has not proved the address, and somebody here has it.
    #[error("unproved address")]
    AddressUnproved(ProviderName),
    /// Something that only the proved owner of an address may do.
    #[error("e-mail not proved")]
    EmailUnproved,
    /// Too many mails to one address.
    #[error("too many mails")]
    TooManyMails(u32),
    /// No session, or one that ended.
    #[error("signed out")]
    SignedOut,
    /// A required profile field was sent empty.
    #[error("{0} is required")]
    Required(&'static str, &'static str),
    /// A profile field that is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// A profile field that is no https address.
    #[error("{0} is no https address")]
    InvalidLink(&'static str),
    /// A picture that is not one of ours.
    #[error("foreign picture")]
    ForeignPicture,
    /// A ready-made refusal.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
    /// A token could not be signed.
    #[error(transparent)]
    Token(#[from] jsonwebtoken::errors::Error),
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Wait(seconds) => Self::TooManyTries(seconds),
            Refused::LinkRequired => Self::LinkRequired,
        }
    }
}

fn dead(sentence: &'static str) -> Problem {
    Problem::bad_request("dead_link", sentence)
}

fn busy() -> Problem {
    let sentence = "Too many people are signing in. Please try again in a moment.";
    Problem { retry_after: Some(2), ..Problem::new(503, "busy", sentence) }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidEmail => Problem::field("email", "invalid_email", "Invalid email!"),
            Error::DeadLink => dead("The sign-in link is invalid or has expired."),
            Error::DeadReset => dead("The reset link is invalid or has expired."),
            Error::DeadConfirmation => dead("The confirmation link is invalid or has expired."),
            Error::DeadSignIn => dead("This sign-in has expired. Please try again."),
            Error::Busy => busy(),
            Error::WrongPassword => {
                Problem::new(401, "wrong_password", "The e-mail or password is wrong.")
            }
            Error::LinkRequired => Problem::new(
                403,
                "link_required",
                "There were too many wrong passwords. Please sign in with a link we send you by e-mail.",
            ),
            Error::EmailInUse => {
                Problem::conflict("email_in_use", "This e-mail address is already in use.")
            }
            Error::AlreadyConfirmed => {
                Problem::conflict("already_verified", "This e-mail address is confirmed already.")
            }
            Error::NoAddress(provider) => Problem::conflict(
                "email_missing",
                format!("{} did not share an e-mail address. Please sign in by e-mail.", provider.title()),
            ),
            Error::AddressUnproved(provider) => Problem::conflict(
                "email_unverified",
                format!(
                    "{} has not confirmed this e-mail address, and it belongs to an account here. Please sign in by \
                     e-mail.",
                    provider.title()
                ),
            ),
            Error::EmailUnproved => Problem::new(
                403,
                "email_unproved",
                "Please confirm your e-mail address first. Open the link we sent you, or request a new one in Settings.",
            ),
            Error::TooManyMails(wait) | Error::TooManyTries(wait) => Problem::too_many(wait),
            Error::SignedOut => Problem::unauthenticated(),
            Error::Required(field, message) => Problem::field(field, "required", message),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::InvalidLink(field) => {
                Problem::field(field, "invalid_url", "Use an address that begins with https://.")
            }
            Error::ForeignPicture => {
                Problem::field("photoURL", "foreign_image", "Please upload the picture here first.")
            }
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
            Error::Token(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
