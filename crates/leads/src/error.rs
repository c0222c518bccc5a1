//! The errors of this crate and their translation to API errors.

use httpkit::ApiError;
use kernel::Problem;

/// An error of a leads operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
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
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
