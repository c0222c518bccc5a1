//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not an e-mail address.
    #[error("invalid e-mail")]
    InvalidEmail,
    /// Wrong e-mail, or a link that was used or is too old.
    #[error("dead link")]
    DeadLink,
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

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidEmail => Problem::field("email", "invalid_email", "Invalid email!"),
            Error::DeadLink => {
                Problem::bad_request("dead_link", "The sign-in link is invalid or has expired.")
            }
            Error::TooManyMails(wait) => Problem::too_many(wait),
            Error::SignedOut => Problem::unauthenticated(),
            Error::Required(field, message) => Problem::field(field, "required", message),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
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
