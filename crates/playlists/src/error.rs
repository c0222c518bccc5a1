//! Errors of this crate and their translation to HTTP problems.

use httpkit::ApiError;
use kernel::Problem;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The title is empty.
    #[error("title is required")]
    TitleRequired,
    /// A text is too long; holds the name of its field.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// More items than a playlist can hold.
    #[error("too many items")]
    TooManyItems,
    /// The thumbnail is not an image uploaded for the organisation.
    #[error("foreign image")]
    ForeignImage,
    /// The thumbnail's address is not a URL.
    #[error("the thumbnail's address is invalid")]
    InvalidPreview,
    /// An item is listed more than once.
    #[error("duplicate item")]
    DuplicateItem,
    /// An item that does not exist or belongs to another organisation.
    #[error("foreign items")]
    ForeignItems,
    /// The playlist does not exist, or the caller may not see it.
    #[error("playlist not found")]
    NotFound,
    /// The playlist changed after the state the editor saw.
    #[error("conflict")]
    Conflict,
    /// `timeModified` is not a valid time.
    #[error("timeModified is invalid")]
    InvalidTime,
    /// The dates are invalid.
    #[error(transparent)]
    Schedule(#[from] content::ScheduleError),
    /// Access to the organisation was refused.
    #[error(transparent)]
    Orgs(#[from] orgs::Error),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

/// States the limit [`ITEMS_MAX`](crate::model::ITEMS_MAX).
const PLAYLIST_FULL: &str = "A playlist can hold up to 500 items.";

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::TitleRequired => Problem::field("title", "title_required", "Title is required"),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::TooManyItems => Problem::field("items", "playlist_full", PLAYLIST_FULL),
            Error::ForeignImage => {
                Problem::field("previewUrl", "foreign_image", "Please upload the image here first.")
            }
            Error::InvalidPreview => Problem::field("previewUrl", "invalid_url", "URL is invalid."),
            Error::DuplicateItem => {
                Problem::field("items", "duplicate_item", "An item can be in a playlist only once.")
            }
            Error::ForeignItems => {
                Problem::field("items", "foreign_items", "Some of the content was not found.")
            }
            Error::NotFound => Problem::not_found("Playlist"),
            Error::Conflict => Problem::conflict(
                "playlist_changed",
                "Someone else changed this playlist. Reload to see the latest version.",
            ),
            Error::InvalidTime => {
                Problem::field("timeModified", "invalid_time", "timeModified must be an ISO 8601 time.")
            }
            Error::Schedule(error) => error.into(),
            Error::Orgs(error) => return error.into(),
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
