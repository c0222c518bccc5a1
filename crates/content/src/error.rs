//! What this room refuses, and its one translation.

use httpkit::Refusal;
use kernel::{Problem, Uid};

use crate::captions::Flaw;
use crate::ops::RETRY_SECONDS;

/// Why a call of this room was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A blank title.
    #[error("title is required")]
    TitleRequired,
    /// A text longer than anybody needs.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// Content is public or private.
    #[error("content cannot be unlisted")]
    NoUnlisted,
    /// An address that is no film of a video host.
    #[error("no film of a video host")]
    InvalidLink,
    /// Only embedded films have an address.
    #[error("a file has no address of its own")]
    NoLink,
    /// A thumbnail that is not one of the organisation's pictures.
    #[error("foreign picture")]
    ForeignImage,
    /// A thumbnail's address that is no address.
    #[error("the thumbnail's address is none")]
    InvalidPreview,
    /// A part of the announced file that makes no sense.
    #[error("the file's {0} is wrong")]
    InvalidFile(&'static str),
    /// A file of 0 bytes.
    #[error("empty file")]
    EmptyFile,
    /// A file larger than the plan, or this server, takes.
    #[error("file too large")]
    FileTooLarge,
    /// A picture of more than 5 MB.
    #[error("picture too large")]
    ImageTooLarge,
    /// More pictures in a day than one person needs; seconds until the next may be announced.
    #[error("too many pictures")]
    TooManyPictures(u32),
    /// A picture that is none, or of a type that is not taken.
    #[error("not an image")]
    NotAnImage,
    /// An image that is not decoded.
    #[error("{0}")]
    Image(ImageFault),
    /// Other images of this person take too long.
    #[error("the image could not be decoded in time")]
    ImageBusy,
    /// No room left in the plan.
    #[error("storage quota exceeded")]
    QuotaExceeded,
    /// More drafts than one person may have without a file.
    #[error("too many drafts")]
    TooManyDrafts,
    /// No organisation asked for.
    #[error("no orgId")]
    NoOrgId,
    /// No such content, or none of the caller's.
    #[error("content not found")]
    NotFound,
    /// No such upload, or none of the caller's.
    #[error("upload not found")]
    NoUpload,
    /// A new file for an embedded film.
    #[error("an embedded film has no file")]
    NotNative,
    /// Something that the file, or captions for it, do not allow.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// Somebody else was quicker.
    #[error("conflict")]
    Changed,
    /// A `timeModified` that is no time.
    #[error("timeModified is no time")]
    InvalidTime,
    /// Still in a playlist.
    #[error("in use")]
    InUse(Vec<Uid>),
    /// An ingest address that nobody made, or that is too old.
    #[error("dead ingest address")]
    IngestExpired,
    /// An ingest address whose file has come.
    #[error("ingest address used")]
    IngestUsed,
    /// An ingest address whose file was turned away.
    #[error("ingest address rejected")]
    IngestRejected,
    /// Whoever began the upload lost the right meanwhile.
    #[error("the right was withdrawn")]
    RightWithdrawn,
    /// The bytes are not what was announced; the upload is over.
    #[error("{0}")]
    Mismatch(Mismatch),
    /// More bytes than announced.
    #[error("more bytes than announced")]
    TooManyBytes,
    /// The sender went away or fell silent; the upload still waits.
    #[error("the upload broke off: {0}")]
    BrokenOff(String),
    /// Something about a resumable upload.
    #[error(transparent)]
    Tus(#[from] crate::ops::Wrong),
    /// A playback address that does not hold, or no longer.
    #[error("dead playback address")]
    GrantExpired,
    /// A range behind the end of the file.
    #[error("range outside the file")]
    RangeOutside(u64),
    /// The door of the organisation stayed shut.
    #[error(transparent)]
    Org(#[from] orgs::Error),
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] storage::StorageError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

/// In which way bytes are not what was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// Fewer bytes came, in a request that was whole.
    #[error("length differs")]
    Length,
    /// Another Content-Type was sent.
    #[error("type differs")]
    Type,
    /// Another MD5 was found.
    #[error("checksum differs")]
    Checksum,
    /// The bytes are of another kind than the type or the name promises.
    #[error("content differs")]
    Content,
}

impl Mismatch {
    /// The code of the problem, kept as the upload's reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::Length => "length_mismatch",
            Self::Type => "type_mismatch",
            Self::Checksum => "checksum_mismatch",
            Self::Content => "content_mismatch",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Length => "The file that came is shorter than announced.",
            Self::Type => "The file was sent with another type than announced.",
            Self::Checksum => "The file that came is not the one announced: its checksum differs.",
            Self::Content => "The file is not what its type and name say.",
        }
    }
}

/// Why an image is not decoded, although it may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageFault {
    /// More than 50 megapixels.
    #[error("too many pixels")]
    TooManyPixels,
    /// More than 1 MiB of profiles and texts beside the pixels.
    #[error("too large a profile")]
    LargeProfile,
    /// It went over the limits of memory and time.
    #[error("too costly to decode")]
    TooCostly,
}

impl ImageFault {
    /// The code of the problem, kept as the upload's reason.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooManyPixels => "image_too_many_pixels",
            Self::LargeProfile => "image_profile_too_large",
            Self::TooCostly => "image_too_complex",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::TooManyPixels => "The image has more than 50 megapixels. Please upload a smaller one.",
            Self::LargeProfile => {
                "The image carries more than 1 MB of embedded data, such as a color profile. Please export it \
                 without."
            }
            Self::TooCostly => {
                "The image takes too much memory or time to open. Please upload a smaller one."
            }
        }
    }
}

/// What a content's file, or captions for it, do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The file is being worked on, or waits for it.
    #[error("processing is under way")]
    UnderWay,
    /// Nothing is to be made of it, or everything has been.
    #[error("nothing to process")]
    Nothing,
    /// Only films and sounds have captions.
    #[error("neither film nor sound")]
    NoFilm,
    /// A language that is none.
    #[error("no language")]
    NoLanguage,
    /// No captions in that language.
    #[error("captions not found")]
    NoCaptions,
    /// Captions that are not taken.
    #[error(transparent)]
    Captions(#[from] Flaw),
}

impl Unfit {
    fn problem(self) -> Problem {
        match self {
            Self::UnderWay => Problem::conflict("already_processing", "The file is being processed already."),
            Self::Nothing => Problem::conflict("nothing_to_process", "There is nothing left to process."),
            Self::NoFilm => Problem::conflict("no_film", "Only videos and sounds have captions."),
            Self::NoLanguage => {
                Problem::field("language", "invalid_language", "Please give a language such as en or pt-BR.")
            }
            Self::NoCaptions => Problem::not_found("Captions"),
            Self::Captions(flaw) => Problem::new(flaw.status(), flaw.code(), flaw.to_string()),
        }
    }
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        Self::Unfit(flaw.into())
    }
}

/// The spec's sentence for content that cannot be deleted (section 8).
const IN_USE: &str = "Failed to delete content. Make sure it has been removed from all playlists.";
/// The spec's sentence for pictures (section 5).
const IMAGE_TOO_LARGE: &str = "File size too large. Maximum file size should be within 5mb.";

/// Names [`DRAFTS_MAX`](crate::model::DRAFTS_MAX).
const TOO_MANY_DRAFTS: &str =
    "100 of your files are still waiting to be uploaded. Finish or delete some of them first.";

const GRANT_EXPIRED: &str = "This address is not valid or has expired.";
const QUOTA_EXCEEDED: &str = "There is no room left in your plan for this file.";
const NO_UNLISTED: &str = "Content is either public or private.";
const FOREIGN_IMAGE: &str = "Please upload the picture here first.";
const CHANGED: &str = "Somebody else changed this content meanwhile. Please reload it.";
const INVALID_TIME: &str = "timeModified must be an ISO 8601 time.";

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::TitleRequired => Problem::field("title", "title_required", "Title is required"),
            Error::TooLong(field) => Problem::field(field, "too_long", format!("{field} is too long.")),
            Error::NoUnlisted => Problem::field("privacy", "invalid_privacy", NO_UNLISTED),
            Error::InvalidLink => Problem::field("url", "invalid_url", "URL is invalid."),
            Error::NoLink => Problem::field("url", "not_integration", "Only embedded videos have a URL."),
            Error::ForeignImage => Problem::field("previewUrl", "foreign_image", FOREIGN_IMAGE),
            Error::InvalidPreview => Problem::field("previewUrl", "invalid_url", "URL is invalid."),
            Error::InvalidFile(field) => {
                Problem::field(field, "invalid_file", format!("The file's {field} is missing or wrong."))
            }
            Error::EmptyFile => Problem::field("size", "empty_file", "The file is empty."),
            Error::FileTooLarge => {
                Problem::new(413, "file_too_large", "The file is larger than your plan allows.")
            }
            Error::ImageTooLarge => Problem::new(413, "image_too_large", IMAGE_TOO_LARGE),
            Error::TooManyPictures(wait) => Problem::too_many(wait),
            Error::NotAnImage => Problem::field("type", "not_an_image", "File type is not supported."),
            Error::Image(fault) => Problem::bad_request(fault.code(), fault.sentence()),
            Error::ImageBusy => Problem::too_many(RETRY_SECONDS),
            Error::QuotaExceeded => Problem::new(402, "quota_exceeded", QUOTA_EXCEEDED),
            Error::TooManyDrafts => Problem::conflict("too_many_drafts", TOO_MANY_DRAFTS),
            Error::NoOrgId => Problem::bad_request("no_org_id", "No orgId"),
            Error::NotFound => Problem::not_found("Content"),
            Error::NoUpload => Problem::not_found("Upload"),
            Error::NotNative => Problem::conflict("not_native", "An embedded video has no file to replace."),
            Error::Unfit(unfit) => unfit.problem(),
            Error::Changed => Problem::conflict("content_changed", CHANGED),
            Error::InvalidTime => Problem::field("timeModified", "invalid_time", INVALID_TIME),
            Error::InUse(playlists) => in_use(&playlists),
            Error::IngestExpired => {
                Problem::new(403, "ingest_expired", "This upload address is not valid or has expired.")
            }
            Error::IngestUsed => {
                Problem::conflict("already_available", "This file has already been uploaded.")
            }
            Error::IngestRejected => {
                Problem::conflict("already_rejected", "This upload was rejected. Please start a new one.")
            }
            Error::RightWithdrawn => {
                Problem::new(403, "right_withdrawn", "You may no longer upload files for this organisation.")
            }
            Error::Mismatch(mismatch) => Problem::bad_request(mismatch.code(), mismatch.sentence()),
            Error::TooManyBytes => Problem::new(413, "too_many_bytes", "More bytes came than announced."),
            Error::BrokenOff(_) => {
                Problem::new(408, "broken_off", "The upload broke off. Please send the file again.")
            }
            Error::Tus(wrong) => wrong.into(),
            Error::GrantExpired => Problem::new(403, "grant_expired", GRANT_EXPIRED),
            Error::RangeOutside(_) => Problem::new(416, "range_outside", "The range lies outside the file."),
            Error::Org(error) => return error.into(),
            Error::Storage(error) => storage(&error),
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}

/// The storage failed: not the caller's fault, and over as soon as the operator, or the network, has mended it.
fn storage(error: &storage::StorageError) -> Problem {
    if !error.is_trouble() {
        return httpkit::unexpected(error);
    }
    tracing::error!(%error, "the storage failed");
    match error {
        storage::StorageError::Full => Problem::storage_full(),
        _ => Problem::unavailable(),
    }
}

fn in_use(playlists: &[Uid]) -> Problem {
    let ids: Vec<String> = playlists.iter().map(Uid::to_string).collect();
    let mut problem = Problem::conflict("content_in_use", IN_USE);
    problem.fields.insert("playlists".into(), ids.join(";"));
    problem
}
