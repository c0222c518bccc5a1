//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An empty title.
    #[error("title is required")]
    TitleRequired,
    /// A text or list that is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// More items than a playlist holds.
    #[error("too many items")]
    TooManyItems,
    /// A thumbnail that is not one of ours.
    #[error("foreign image")]
    ForeignImage,
    /// A thumbnail's address that is no address.
    #[error("the thumbnail's address is none")]
    InvalidPreview,
    /// The same item twice.
    #[error("an item twice")]
    DuplicateItem,
    /// Content of somewhere else, or none at all.
    #[error("foreign items")]
    ForeignItems,
    /// No such playlist for this caller.
    #[error("playlist not found")]
    NotFound,
    /// Somebody else changed it meanwhile.
    #[error("conflict")]
    Conflict,
    /// A time that is none.
    #[error("timeModified is no time")]
    InvalidTime,
    /// No organisation named.
    #[error("no organisation")]
    NoOrg,
    /// The door of the organisation stayed shut.
    #[error(transparent)]
    Orgs(#[from] orgs::Error),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

/// Names [`ITEMS_MAX`](crate::model::ITEMS_MAX).
const PLAYLIST_FULL: &str = "A playlist can hold up to 500 items.";

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::TitleRequired => Problem::field("title", "title_required", "Title is required"),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::TooManyItems => Problem::field("items", "playlist_full", PLAYLIST_FULL),
            Error::ForeignImage => {
                Problem::field("previewUrl", "foreign_image", "Please upload the picture here first.")
            }
            Error::InvalidPreview => Problem::field("previewUrl", "invalid_url", "URL is invalid."),
            Error::DuplicateItem => {
                Problem::field("items", "duplicate_item", "A content can stand in a playlist only once.")
            }
            Error::ForeignItems => {
                Problem::field("items", "foreign_items", "Some of the content was not found.")
            }
            Error::NotFound => Problem::not_found("Playlist"),
            Error::Conflict => Problem::conflict(
                "playlist_changed",
                "Somebody else changed this playlist meanwhile. Please reload it.",
            ),
            Error::InvalidTime => {
                Problem::field("timeModified", "invalid_time", "timeModified must be an ISO 8601 time.")
            }
            Error::NoOrg => Problem::field("orgId", "no_org", "No orgId"),
            Error::Orgs(error) => return error.into(),
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
