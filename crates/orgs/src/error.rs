//! The errors of this crate and their translation to [`Problem`].

use httpkit::ApiError;
use kernel::Problem;

use crate::staff_error::StaffError;

/// Any error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session has ended.
    #[error("signed out")]
    SignedOut,
    /// The caller is not a member of the organisation, or it does not exist.
    #[error("organisation not found")]
    NotFound,
    /// The caller's role lacks the right.
    #[error("forbidden")]
    Forbidden,
    /// The plan allows no more app users.
    #[error("the organisation is full")]
    Full,
    /// The plan is suspended, and the request would change something.
    #[error("suspended")]
    Suspended,
    /// The name is empty.
    #[error("name is required")]
    NameRequired,
    /// The website is not an http or https URL.
    #[error("invalid website")]
    InvalidWebsite,
    /// Not an IANA time zone.
    #[error("unknown time zone")]
    UnknownTimeZone,
    /// A colour is not of the form `#rrggbb`.
    #[error("{0} is not a colour")]
    InvalidColour(&'static str),
    /// The contact email is not an email address.
    #[error("invalid contact email")]
    InvalidEmail,
    /// The image was not uploaded for this organisation.
    #[error("{0} is a foreign image")]
    ForeignImage(&'static str),
    /// A text is too long.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// More than four pins.
    #[error("too many pins")]
    TooManyPins,
    /// The same playlist is pinned twice.
    #[error("duplicate pin")]
    DuplicatePin,
    /// A new pin is not a public playlist of this organisation.
    #[error("pin is not public")]
    PinNotPublic,
    /// The default playlist is not one of this organisation.
    #[error("unknown playlist")]
    UnknownPlaylist,
    /// Only public organisations have a joining link.
    #[error("not public")]
    NotPublic,
    /// The organisation has changed since the caller read it.
    #[error("changed since it was read")]
    Changed,
    /// The caller manages no unused plan to create an organisation on.
    #[error("no free provision")]
    NoFreeProvision,
    /// The name that confirms a deletion is not the organisation's.
    #[error("name differs")]
    NameDiffers,
    /// The caller has not finished another export.
    #[error("another export is running")]
    ExportRunning,
    /// A change of roles, or an invitation, is refused.
    #[error(transparent)]
    Staff(#[from] StaffError),
    /// No ids were requested.
    #[error("no ids")]
    NoIds,
    /// More than 50 ids were requested.
    #[error("too many ids")]
    TooManyIds,
    /// An error of the identity crate.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// An error with a ready-made response.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::SignedOut => Problem::unauthenticated(),
            Error::NotFound => Problem::not_found("Organisation"),
            Error::Forbidden => Problem::forbidden(),
            Error::Full => {
                Problem::conflict("organisation_full", "This organisation cannot take more people right now.")
            }
            Error::Suspended => Problem::new(
                403,
                "suspended",
                "The plan of this organization is suspended. Pay the outstanding bill to make changes.",
            ),
            Error::NameRequired => Problem::field("name", "name_required", "Name is required"),
            Error::InvalidWebsite => Problem::field("website", "invalid_url", "URL is invalid."),
            Error::UnknownTimeZone => Problem::field("timeZone", "unknown_time_zone", "Unknown time zone."),
            Error::InvalidColour(field) => {
                Problem::field(field, "invalid_colour", "Use a color of the form #rrggbb.")
            }
            Error::InvalidEmail => Problem::field("contact.email", "invalid_email", "Invalid email!"),
            Error::ForeignImage(field) => {
                Problem::field(field, "foreign_image", "Please upload the image here first.")
            }
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::TooManyPins => {
                Problem::field("pinnedPlaylists", "too_many_pins", "You cannot pin more than 4 playlists.")
            }
            Error::DuplicatePin => {
                Problem::field("pinnedPlaylists", "duplicate_pin", "A playlist can be pinned only once.")
            }
            Error::PinNotPublic => {
                Problem::field("pinnedPlaylists", "pin_not_public", "Only public playlists can be pinned.")
            }
            Error::UnknownPlaylist => {
                Problem::field("defaultPlaylist", "unknown_playlist", "Playlist not found")
            }
            Error::NotPublic => {
                Problem::conflict("not_public", "A joining link exists only for public organisations.")
            }
            Error::Changed => Problem::conflict(
                "organisation_changed",
                "Someone else changed these settings. Reload to see the changes.",
            ),
            Error::NoFreeProvision => {
                Problem::conflict("no_free_provision", "You have no unused plan for another organization.")
            }
            Error::NameDiffers => name_differs(),
            Error::ExportRunning => Problem::conflict(
                "export_running",
                "You are exporting already. Wait until that export has finished.",
            ),
            Error::Staff(error) => error.into(),
            Error::NoIds => Problem::bad_request("no_ids", "UsersService: must request at least one user."),
            Error::TooManyIds => Problem::bad_request("too_many_ids", "Request at most 50 users at a time."),
            Error::Identity(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}

fn name_differs() -> Problem {
    let message = "This is not the name of the organization. Type it exactly as it is shown.";
    Problem::conflict("name_differs", message)
}
