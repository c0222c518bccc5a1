//! The errors of this crate and their translation to [`Problem`].

use httpkit::ApiError;
use kernel::Problem;

use crate::login_throttle::ThrottleError;
use crate::openid::ProviderName;

/// Any error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not an email address.
    #[error("invalid email")]
    InvalidEmail,
    /// The magic link was used, has expired, or was sent to another address.
    #[error("dead link")]
    DeadLink,
    /// The digits are wrong, and more tries are left.
    #[error("wrong digits")]
    WrongDigits,
    /// There are no digits to enter: they were used, have expired, were wrong too often, or belong to another browser.
    #[error("dead digits")]
    DeadDigits,
    /// The reset link was used or has expired.
    #[error("dead reset link")]
    DeadReset,
    /// The confirmation link was used, has expired, or belongs to someone else.
    #[error("dead confirmation link")]
    DeadConfirmation,
    /// The provider sign-in was redeemed, has expired, or belongs to another window.
    #[error("dead provider sign-in")]
    DeadSignIn,
    /// The password is wrong, or the address has none.
    #[error("wrong password")]
    WrongPassword,
    /// Too many passwords are being processed.
    #[error("busy")]
    Busy,
    /// Too many wrong passwords; holds the seconds to wait.
    #[error("too many attempts")]
    TooManyAttempts(u32),
    /// Too many wrong passwords for one account, which now requires a magic link.
    #[error("link required")]
    LinkRequired,
    /// The address of a sign-up belongs to an existing account.
    #[error("email in use")]
    EmailInUse,
    /// The address is verified already.
    #[error("already confirmed")]
    AlreadyConfirmed,
    /// The provider did not share an address.
    #[error("no address")]
    NoAddress(ProviderName),
    /// The provider has not verified the address, and it belongs to an account here.
    #[error("unverified address")]
    UnverifiedByProvider(ProviderName),
    /// The action requires a verified address.
    #[error("email not verified")]
    EmailUnverified,
    /// Too many emails to one address; holds the seconds to wait.
    #[error("too many emails")]
    TooManyEmails(u32),
    /// There is no session, or it has ended.
    #[error("signed out")]
    SignedOut,
    /// A required profile field is empty.
    #[error("{0} is required")]
    Required(&'static str, &'static str),
    /// A profile field is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// A profile field is not an https URL.
    #[error("{0} is not an https URL")]
    InvalidLink(&'static str),
    /// The address that confirms the erasure is not that of the account.
    #[error("email differs")]
    EmailDiffers,
    /// The image was not uploaded here by the person.
    #[error("foreign image")]
    ForeignImage,
    /// An error with a ready-made response.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
    /// A token could not be signed.
    #[error(transparent)]
    Token(#[from] jsonwebtoken::errors::Error),
}

impl From<ThrottleError> for Error {
    fn from(error: ThrottleError) -> Self {
        match error {
            ThrottleError::Wait(seconds) => Self::TooManyAttempts(seconds),
            ThrottleError::LinkRequired => Self::LinkRequired,
        }
    }
}

fn dead(sentence: &'static str) -> Problem {
    Problem::bad_request("dead_link", sentence)
}

fn wrong_digits() -> Problem {
    let sentence = "This code is not right. Check the newest email we sent you.";
    Problem::field("code", "wrong_code", sentence)
}

fn dead_digits() -> Problem {
    let sentence = "This code no longer works here. Open the link in the email, or request a new code.";
    Problem::field("code", "dead_code", sentence)
}

fn busy() -> Problem {
    let sentence = "Too many people are signing in. Please try again in a moment.";
    Problem { retry_after: Some(2), ..Problem::new(503, "busy", sentence) }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidEmail => Problem::field("email", "invalid_email", "Invalid email!"),
            Error::DeadLink => dead("The sign-in link is invalid or has expired."),
            Error::WrongDigits => wrong_digits(),
            Error::DeadDigits => dead_digits(),
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
                "There were too many wrong passwords. Please sign in with a link we send you by email.",
            ),
            Error::EmailInUse => {
                Problem::conflict("email_in_use", "This email address is already in use.")
            }
            Error::AlreadyConfirmed => {
                Problem::conflict("already_verified", "This email address is already confirmed.")
            }
            Error::NoAddress(provider) => Problem::conflict(
                "email_missing",
                format!("{} did not share an email address. Please sign in by email.", provider.title()),
            ),
            Error::UnverifiedByProvider(provider) => Problem::conflict(
                "email_unverified",
                format!(
                    "{} has not confirmed this email address, and it belongs to an account here. Please sign in by \
                     email.",
                    provider.title()
                ),
            ),
            Error::EmailUnverified => Problem::new(
                403,
                "email_unproved",
                "Please confirm your email address first. Open the link we sent you, or request a new one in Settings.",
            ),
            Error::TooManyEmails(wait) | Error::TooManyAttempts(wait) => Problem::too_many(wait),
            Error::SignedOut => Problem::unauthenticated(),
            Error::EmailDiffers => {
                Problem::field("email", "email_differs", "This is not the email address of your account.")
            }
            Error::Required(field, message) => Problem::field(field, "required", message),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::InvalidLink(field) => {
                Problem::field(field, "invalid_url", "Use an address that begins with https://.")
            }
            Error::ForeignImage => {
                Problem::field("photoURL", "foreign_image", "Please upload the image here first.")
            }
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
            Error::Token(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
