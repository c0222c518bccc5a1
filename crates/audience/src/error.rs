//! The errors of this crate and their translation to API errors.

use httpkit::ApiError;
use kernel::Problem;

/// An error of an audience operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The joining link was rotated, or its organisation is not public or its plan has lapsed.
    #[error("joining link is not valid")]
    InvalidLink,
    /// The organisation keeps the person from rejoining.
    #[error("blocked by the organisation")]
    Blocked,
    /// A yes does not name the notice that was shown.
    #[error("no version of the notice")]
    NoticeMissing,
    /// The answer refers to an older version of the notice.
    #[error("the notice changed")]
    NoticeChanged,
    /// The identity check failed, for example because the address is not verified.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// Access to the organisation was denied, or its check failed.
    #[error(transparent)]
    Orgs(#[from] orgs::Error),
    /// An error that is already in its API form.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// A database operation failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidLink => Problem::new(404, "invalid_join_link", "This joining link is not valid."),
            Error::Blocked => Problem::new(
                403,
                "blocked",
                "You cannot join this organization. Please contact it if you think this is a mistake.",
            ),
            Error::NoticeMissing => Problem::field(
                "noticeVersion",
                "notice_version_required",
                "A yes needs the version of the notice that was shown.",
            ),
            Error::NoticeChanged => {
                Problem::conflict("notice_changed", "The notice has changed. Please read it again.")
            }
            Error::Identity(error) => return error.into(),
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
