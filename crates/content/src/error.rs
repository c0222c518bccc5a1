//! Errors of this crate and their translation to HTTP problems.

use httpkit::ApiError;
use kernel::{PlaylistId, Problem};

use crate::captions::CaptionsError;
use crate::quota::OverPlan;
use crate::reject_reason::RejectReason;
use crate::schedule::ScheduleError;
use crate::tus_error::TusError;
use crate::upload_slots::RETRY_SECONDS;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The title is blank.
    #[error("title is required")]
    TitleRequired,
    /// A text is too long; holds the name of its field.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// Items cannot be unlisted; only playlists can.
    #[error("content cannot be unlisted")]
    NoUnlisted,
    /// The URL is not a video of a supported host.
    #[error("not a video of a supported host")]
    InvalidLink,
    /// A URL was sent for an item that is not an embedded video.
    #[error("only embedded videos have a URL")]
    NoLink,
    /// The thumbnail is not an image uploaded for the organisation.
    #[error("foreign image")]
    ForeignImage,
    /// The thumbnail's address is not a URL.
    #[error("the thumbnail's address is invalid")]
    InvalidPreview,
    /// A property of the announced file is missing or invalid; holds its name.
    #[error("the file's {0} is invalid")]
    InvalidFile(&'static str),
    /// The file has 0 bytes.
    #[error("empty file")]
    EmptyFile,
    /// The file is larger than this server allows, whatever the plan.
    #[error("file too large")]
    FileTooLarge,
    /// An image of more than 5 MB.
    #[error("image too large")]
    ImageTooLarge,
    /// The daily limit of image uploads is reached; holds the seconds until the next one is allowed.
    #[error("too many images")]
    TooManyImages(u32),
    /// Not an image, or of a type that is not supported.
    #[error("not an image")]
    NotAnImage,
    /// The image exceeds a limit of decoding.
    #[error("{0}")]
    Image(ImageDecodeError),
    /// Other images of this person took too long to decode.
    #[error("the image could not be decoded in time")]
    ImageBusy,
    /// The plan does not allow the file.
    #[error(transparent)]
    OverPlan(#[from] OverPlan),
    /// The person has too many drafts without a file.
    #[error("too many drafts")]
    TooManyDrafts,
    /// The item does not exist, or the caller may not see it.
    #[error("content not found")]
    NotFound,
    /// The upload does not exist, or the caller may not see it.
    #[error("upload not found")]
    NoUpload,
    /// A new file was announced for an embedded video.
    #[error("an embedded video has no file")]
    NotNative,
    /// The item's file or captions do not allow the operation.
    #[error(transparent)]
    ProcessingState(#[from] ProcessingStateError),
    /// The item changed after the state the editor saw.
    #[error("conflict")]
    Changed,
    /// `timeModified` is not a valid time.
    #[error("timeModified is invalid")]
    InvalidTime,
    /// The dates are invalid.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The item is still in these playlists.
    #[error("in use")]
    InUse(Vec<PlaylistId>),
    /// The ingest address is forged or expired.
    #[error("invalid or expired ingest address")]
    IngestExpired,
    /// The file of this ingest address was uploaded already.
    #[error("ingest address used")]
    IngestUsed,
    /// The file of this ingest address was rejected.
    #[error("ingest address rejected")]
    IngestRejected,
    /// The person who began the upload no longer has the right to.
    #[error("the right was withdrawn")]
    RightWithdrawn,
    /// The bytes are not what was announced, which ends the upload.
    #[error("{0}")]
    Mismatch(MismatchError),
    /// More bytes than declared, which ends the upload.
    #[error("more bytes than declared")]
    TooManyBytes,
    /// The sender disconnected or stalled; the upload can be retried.
    #[error("the upload was interrupted: {0}")]
    BrokenOff(String),
    /// An error specific to resumable uploads.
    #[error(transparent)]
    Tus(#[from] TusError),
    /// Staff do not allow app users to download the file.
    #[error("the file is not offered as a download")]
    NotDownloadable,
    /// The playback address is forged or expired.
    #[error("invalid or expired playback address")]
    GrantExpired,
    /// The range begins after the end of the file, which has this many bytes.
    #[error("range outside the file")]
    RangeOutside(u64),
    /// Access to the organisation was refused.
    #[error(transparent)]
    Org(#[from] orgs::Error),
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] storage::StorageError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

impl Error {
    /// Returns why this error ends an upload; `None` if the same file may be sent again.
    pub(crate) fn reject_reason(&self) -> Option<RejectReason> {
        match self {
            Self::Mismatch(mismatch) => Some(mismatch.reject_reason()),
            Self::TooManyBytes => Some(RejectReason::TooManyBytes),
            Self::FileTooLarge => Some(RejectReason::AboveServerLimit),
            Self::OverPlan(over) => Some(over.reject_reason()),
            Self::NotAnImage => Some(RejectReason::NotAnImage),
            Self::Image(error) => Some(error.reject_reason()),
            Self::NotFound => Some(RejectReason::ContentDeleted),
            Self::RightWithdrawn => Some(RejectReason::RightWithdrawn),
            _ => None,
        }
    }
}

/// How a file differs from what was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MismatchError {
    /// A complete request had fewer bytes.
    #[error("length differs")]
    Length,
    /// The Content-Type of the request is a different one.
    #[error("type differs")]
    Type,
    /// The MD5 is a different one.
    #[error("checksum differs")]
    Checksum,
    /// The bytes are of another kind than the type or the name suggests.
    #[error("content differs")]
    Content,
}

impl MismatchError {
    /// Returns the reason to reject the upload.
    pub(crate) fn reject_reason(self) -> RejectReason {
        match self {
            Self::Length => RejectReason::LengthMismatch,
            Self::Type => RejectReason::TypeMismatch,
            Self::Checksum => RejectReason::ChecksumMismatch,
            Self::Content => RejectReason::ContentMismatch,
        }
    }
}

/// Why a possible image is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageDecodeError {
    /// More than 50 megapixels.
    #[error("too many pixels")]
    TooManyPixels,
    /// More than 1 MiB of color profiles and texts besides the pixels.
    #[error("embedded data too large")]
    LargeProfile,
    /// Decoding exceeded the limits of memory or time.
    #[error("too costly to decode")]
    TooCostly,
}

impl ImageDecodeError {
    /// Returns the reason to reject the upload.
    pub(crate) fn reject_reason(self) -> RejectReason {
        match self {
            Self::TooManyPixels => RejectReason::ImageTooManyPixels,
            Self::LargeProfile => RejectReason::ImageProfileTooLarge,
            Self::TooCostly => RejectReason::ImageTooComplex,
        }
    }
}

/// Why an item's file or captions do not allow an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessingStateError {
    /// The file is being processed or waits for it.
    #[error("processing is under way")]
    UnderWay,
    /// The file needs no processing, or it is complete.
    #[error("nothing to process")]
    Nothing,
    /// Only video and audio files can have captions.
    #[error("neither video nor audio")]
    NotAudioOrVideo,
    /// The language is not a valid tag.
    #[error("invalid language")]
    NoLanguage,
    /// There are no captions in that language.
    #[error("captions not found")]
    NoCaptions,
    /// The captions file is refused.
    #[error(transparent)]
    Captions(#[from] CaptionsError),
}

impl ProcessingStateError {
    fn problem(self) -> Problem {
        match self {
            Self::UnderWay => Problem::conflict("already_processing", "The file is already being processed."),
            Self::Nothing => Problem::conflict("nothing_to_process", "There is nothing left to process."),
            Self::NotAudioOrVideo => {
                Problem::conflict("captions_unsupported", "Only video and audio can have captions.")
            }
            Self::NoLanguage => {
                Problem::field("language", "invalid_language", "Please enter a language such as en or pt-BR.")
            }
            Self::NoCaptions => Problem::not_found("Captions"),
            Self::Captions(error) => Problem::new(error.status(), error.code(), error.to_string()),
        }
    }
}

impl From<CaptionsError> for Error {
    fn from(error: CaptionsError) -> Self {
        Self::ProcessingState(error.into())
    }
}

/// The portal shows this sentence as it is.
const IN_USE: &str = "Failed to delete content. Make sure it has been removed from all playlists.";
/// The same sentence as the portal's own check.
const IMAGE_TOO_LARGE: &str = "File size too large. Maximum file size should be within 5mb.";

/// States the limit [`DRAFTS_MAX`](crate::model::DRAFTS_MAX).
const TOO_MANY_DRAFTS: &str =
    "100 of your files are still waiting to be uploaded. Finish or delete some of them first.";

const GRANT_EXPIRED: &str = "This address is not valid or has expired.";
const NO_UNLISTED: &str = "Content is either public or private.";
const FOREIGN_IMAGE: &str = "Please upload the image here first.";
const CHANGED: &str = "Someone else changed this content. Reload to see the latest version.";
const INVALID_TIME: &str = "timeModified must be an ISO 8601 time.";

impl From<Error> for ApiError {
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
                Problem::field(field, "invalid_file", format!("The file's {field} is missing or invalid."))
            }
            Error::EmptyFile => Problem::field("size", "empty_file", "The file is empty."),
            Error::FileTooLarge => rejection(413, RejectReason::AboveServerLimit),
            Error::ImageTooLarge => Problem::new(413, "image_too_large", IMAGE_TOO_LARGE),
            Error::TooManyImages(wait) => Problem::too_many(wait),
            Error::NotAnImage => {
                let reason = RejectReason::NotAnImage;
                Problem::field("type", reason.as_str(), reason.message())
            }
            Error::Image(error) => rejection(400, error.reject_reason()),
            Error::ImageBusy => Problem::too_many(RETRY_SECONDS),
            Error::OverPlan(over) => over.problem(),
            Error::TooManyDrafts => Problem::conflict("too_many_drafts", TOO_MANY_DRAFTS),
            Error::NotFound => Problem::not_found("Content"),
            Error::NoUpload => Problem::not_found("Upload"),
            Error::NotNative => Problem::conflict("not_native", "An embedded video has no file to replace."),
            Error::ProcessingState(error) => error.problem(),
            Error::Changed => Problem::conflict("content_changed", CHANGED),
            Error::InvalidTime => Problem::field("timeModified", "invalid_time", INVALID_TIME),
            Error::Schedule(error) => error.into(),
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
            Error::RightWithdrawn => rejection(403, RejectReason::RightWithdrawn),
            Error::Mismatch(mismatch) => rejection(400, mismatch.reject_reason()),
            Error::TooManyBytes => rejection(413, RejectReason::TooManyBytes),
            Error::BrokenOff(_) => {
                Problem::new(408, "broken_off", "The upload was interrupted. Please send the file again.")
            }
            Error::Tus(error) => error.into(),
            Error::GrantExpired => Problem::new(403, "grant_expired", GRANT_EXPIRED),
            Error::NotDownloadable => {
                Problem::new(403, "not_downloadable", "This file is not offered as a download.")
            }
            Error::RangeOutside(_) => Problem::new(416, "range_outside", "The range is outside the file."),
            Error::Org(error) => return error.into(),
            Error::Storage(error) => storage(&error),
            Error::Db(error) => httpkit::unexpected(&error),
        }
        .into()
    }
}

/// Describes an error with which an upload is rejected.
fn rejection(status: u16, reason: RejectReason) -> Problem {
    Problem::new(status, reason.as_str(), reason.message())
}

/// Reports a failure of the storage as temporary, since it ends once the operator or the network has fixed
/// it.
fn storage(error: &storage::StorageError) -> Problem {
    if !error.is_transient() {
        return httpkit::unexpected(error);
    }
    tracing::error!(%error, "the storage failed");
    match error {
        storage::StorageError::Full => Problem::storage_full(),
        _ => Problem::unavailable(),
    }
}

fn in_use(playlists: &[PlaylistId]) -> Problem {
    let ids: Vec<String> = playlists.iter().map(PlaylistId::to_string).collect();
    let mut problem = Problem::conflict("content_in_use", IN_USE);
    problem.fields.insert("playlists".into(), ids.join(";"));
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sender_gets_the_code_and_the_sentence_of_the_stored_reason() {
        let mismatches =
            [MismatchError::Length, MismatchError::Type, MismatchError::Checksum, MismatchError::Content];
        let images =
            [ImageDecodeError::TooManyPixels, ImageDecodeError::LargeProfile, ImageDecodeError::TooCostly];
        let others = [Error::TooManyBytes, Error::FileTooLarge, Error::NotAnImage, Error::RightWithdrawn];
        let all = mismatches.map(Error::Mismatch).into_iter().chain(images.map(Error::Image)).chain(others);
        for error in all {
            let reason = error.reject_reason().unwrap();
            let ApiError(problem) = error.into();
            assert_eq!((&*problem.code, &*problem.message), (reason.as_str(), reason.message()));
        }
        assert_eq!(Error::NotFound.reject_reason(), Some(RejectReason::ContentDeleted));
        assert_eq!(Error::BrokenOff("reset".into()).reject_reason(), None);
    }
}
