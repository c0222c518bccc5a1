//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No organisation named.
    #[error("no organisation")]
    NoOrg,
    /// No person named where one is needed.
    #[error("no person")]
    NoPerson,
    /// A person of somewhere else.
    #[error("person not found")]
    PersonNotFound,
    /// A time that is none.
    #[error("{0} is no time")]
    InvalidTime(&'static str),
    /// The end does not lie behind the beginning.
    #[error("the range is empty")]
    EmptyRange(&'static str),
    /// A range of more than 366 days.
    #[error("the range is too long")]
    LongRange(&'static str),
    /// No time zone of this name.
    #[error("unknown time zone")]
    UnknownZone,
    /// More events than a request may have.
    #[error("too many events")]
    TooManyEvents,
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
            Error::NoPerson => Problem::field("userId", "no_user", "No userId"),
            Error::PersonNotFound => Problem::not_found("User"),
            Error::InvalidTime(field) => {
                Problem::field(field, "invalid_time", format!("{field} must be an ISO 8601 time."))
            }
            Error::EmptyRange(field) => {
                Problem::field(field, "empty_range", "The end must be later than the beginning.")
            }
            Error::LongRange(field) => {
                Problem::field(field, "range_too_long", "A range has at most 366 days.")
            }
            Error::UnknownZone => Problem::field("tz", "unknown_time_zone", "There is no such time zone."),
            Error::TooManyEvents => {
                Problem::field("events", "too_many_events", "At most 100 events at once.")
            }
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
