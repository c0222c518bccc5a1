//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A joining link that was rotated, or whose organisation is not public or has lapsed.
    #[error("joining link is not valid")]
    InvalidLink,
    /// An answer to a notice that is not shown any more.
    #[error("the notice changed")]
    NoticeChanged,
    /// Staff end their membership through the organisation's administrators.
    #[error("staff cannot leave by themselves")]
    StaffStays,
    /// Identity refused.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// The door of the organisation stayed shut.
    #[error(transparent)]
    Orgs(#[from] orgs::Error),
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
            Error::InvalidLink => Problem::new(404, "invalid_join_link", "This joining link is not valid."),
            Error::NoticeChanged => {
                Problem::conflict("notice_changed", "The notice has changed meanwhile. Please read it again.")
            }
            Error::StaffStays => Problem::forbidden(),
            Error::Identity(error) => return error.into(),
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
