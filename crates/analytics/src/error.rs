//! The errors of this crate and their translation to API errors.

use httpkit::ApiError;
use kernel::Problem;

/// An error of an analytics operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `userId` is missing where it is required.
    #[error("userId is missing")]
    NoPerson,
    /// The organisation does not know the person.
    #[error("person not found")]
    PersonNotFound,
    /// The named field is not a valid time.
    #[error("{0} is not a valid time")]
    InvalidTime(&'static str),
    /// The range does not end after it starts; holds the name of the end field.
    #[error("the range is empty")]
    EmptyRange(&'static str),
    /// The range exceeds 366 days and an hour; holds the name of the end field.
    #[error("the range is too long")]
    LongRange(&'static str),
    /// The content item does not exist.
    #[error("content not found")]
    ContentNotFound,
    /// The playlist does not exist.
    #[error("playlist not found")]
    PlaylistNotFound,
    /// The request has more than the maximum number of events.
    #[error("too many events")]
    TooManyEvents,
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
            Error::NoPerson => Problem::field("userId", "no_user", "No userId"),
            Error::PersonNotFound => Problem::not_found("User"),
            Error::InvalidTime(field) => {
                Problem::field(field, "invalid_time", format!("{field} must be an ISO 8601 time."))
            }
            Error::EmptyRange(field) => {
                Problem::field(field, "empty_range", "The end must be after the start.")
            }
            Error::LongRange(field) => {
                Problem::field(field, "range_too_long", "A range can be at most 366 days.")
            }
            Error::ContentNotFound => Problem::not_found("Content"),
            Error::PlaylistNotFound => Problem::not_found("Playlist"),
            Error::TooManyEvents => {
                Problem::field("events", "too_many_events", "At most 100 events per request.")
            }
            Error::Orgs(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
