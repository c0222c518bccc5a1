//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No organisation named.
    #[error("no organisation")]
    NoOrg,
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
            Error::NoOrg => Problem::field("orgId", "no_org", "No orgId"),
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
