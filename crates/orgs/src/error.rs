//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::Problem;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session ended.
    #[error("signed out")]
    SignedOut,
    /// Not an organisation of the caller's.
    #[error("organisation not found")]
    NotFound,
    /// A member without the right.
    #[error("forbidden")]
    Forbidden,
    /// A change while the plan is long unpaid.
    #[error("suspended")]
    Suspended,
    /// A name that is empty.
    #[error("name is required")]
    NameRequired,
    /// A website that is no address.
    #[error("website is no address")]
    InvalidWebsite,
    /// A colour that is not `#rrggbb`.
    #[error("{0} is no colour")]
    InvalidColour(&'static str),
    /// A contact e-mail that is none.
    #[error("contact e-mail is none")]
    InvalidEmail,
    /// A picture that is not one of ours.
    #[error("{0} is a foreign picture")]
    ForeignImage(&'static str),
    /// A text longer than the column's meaning.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// More than four pins (spec section 5).
    #[error("too many pins")]
    TooManyPins,
    /// The same pin twice.
    #[error("a pin twice")]
    DuplicatePin,
    /// A new pin that is not a public playlist of this organisation.
    #[error("pin is not public")]
    PinNotPublic,
    /// A default playlist of somewhere else.
    #[error("unknown playlist")]
    UnknownPlaylist,
    /// A joining link for an organisation that is not public.
    #[error("not public")]
    NotPublic,
    /// The organisation changed after the caller read it.
    #[error("changed meanwhile")]
    Changed,
    /// No free plan to make an organisation with.
    #[error("no free provision")]
    NoFreeProvision,
    /// No ids asked for.
    #[error("no ids")]
    NoIds,
    /// Too many ids asked for.
    #[error("too many ids")]
    TooManyIds,
    /// Identity refused.
    #[error(transparent)]
    Identity(#[from] identity::Error),
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
            Error::SignedOut => Problem::unauthenticated(),
            Error::NotFound => Problem::not_found("Organisation"),
            Error::Forbidden => Problem::forbidden(),
            Error::Suspended => Problem::new(
                403,
                "suspended",
                "The plan of this organisation is suspended. Please settle the bill to make changes.",
            ),
            Error::NameRequired => Problem::field("name", "name_required", "Name is required"),
            Error::InvalidWebsite => Problem::field("website", "invalid_url", "URL is invalid."),
            Error::InvalidColour(field) => {
                Problem::field(field, "invalid_colour", "A colour is written as #rrggbb.")
            }
            Error::InvalidEmail => Problem::field("contact.email", "invalid_email", "Invalid email!"),
            Error::ForeignImage(field) => {
                Problem::field(field, "foreign_image", "Please upload the picture here first.")
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
                Problem::conflict("no_free_provision", "There is no free plan for another organisation.")
            }
            Error::NoIds => Problem::bad_request("no_ids", "UsersService: must request at least one user."),
            Error::TooManyIds => Problem::bad_request("too_many_ids", "At most 50 users at once."),
            Error::Identity(error) => return error.into(),
            Error::Problem(problem) => problem,
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}
