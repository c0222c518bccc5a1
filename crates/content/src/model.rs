//! Values of a content item and the pure rules about them.

use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{Privacy, PublicUrl, Timestamp, WebUrl};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::Error;

/// Characters of a title; far above what the form suggests.
pub const TITLE_MAX: usize = 1_000;
const FILE_NAME_MAX: usize = 255;
const DESCRIPTION_MAX: usize = 20_000;
/// Maximum size of an image in bytes, inclusive.
pub const IMAGE_MAX: u64 = 5 * 1024 * 1024;
/// Plausible numbers of pages of a document.
pub const PAGES: RangeInclusive<i64> = 1..=20_000;
/// Maximum number of drafts without a file that one person may have at a time.
pub const DRAFTS_MAX: u64 = 100;
/// The type of a file whose type the browser does not know and sends as empty.
pub const UNKNOWN_TYPE: &str = "application/octet-stream";

/// Where a content item comes from.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Origin {
    /// An uploaded file.
    #[sea_orm(string_value = "native")]
    Native,
    /// A video embedded from a video host.
    #[sea_orm(string_value = "integration")]
    Integration,
    /// An item whose file has not been uploaded yet.
    #[sea_orm(string_value = "draft")]
    Draft,
}

/// Kind of a content item, detected from its file.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ContentKind {
    /// A video file.
    #[sea_orm(string_value = "video")]
    Video,
    /// An audio file.
    #[sea_orm(string_value = "audio")]
    Audio,
    /// An image file.
    #[sea_orm(string_value = "image")]
    Image,
    /// A PDF document.
    #[sea_orm(string_value = "pdf")]
    Pdf,
    /// Any other file.
    #[sea_orm(string_value = "file")]
    File,
    /// A video embedded from a video host.
    #[sea_orm(string_value = "embed")]
    Embed,
}

/// Status of processing, which determines the length and makes poster and renditions.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Processing {
    /// Nothing to process.
    #[sea_orm(string_value = "none")]
    None,
    /// Waiting for a worker.
    #[sea_orm(string_value = "queued")]
    Queued,
    /// In progress.
    #[sea_orm(string_value = "running")]
    Running,
    /// Complete: length, poster and renditions are available where the file allows them.
    #[sea_orm(string_value = "done")]
    Done,
    /// The file could not be read, is incomplete, or processing was interrupted.
    #[sea_orm(string_value = "failed")]
    Failed,
}

/// Status of an upload.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum UploadStatus {
    /// Waiting for the file.
    #[sea_orm(string_value = "pending")]
    Pending,
    /// The file is verified and stored.
    #[sea_orm(string_value = "available")]
    Available,
    /// The file was refused, or the upload was cancelled.
    #[sea_orm(string_value = "rejected")]
    Rejected,
}

/// Why a file could not be processed.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ProcessingFailure {
    /// Less data than its header says, or much of it cannot be decoded.
    #[sea_orm(string_value = "damaged")]
    Damaged,
    /// It cannot be decoded at all.
    #[sea_orm(string_value = "unreadable")]
    Unreadable,
    /// Processing exceeded the limits of time or space.
    #[sea_orm(string_value = "excessive")]
    Excessive,
    /// Processing stopped for a reason unrelated to the file.
    #[sea_orm(string_value = "interrupted")]
    Interrupted,
}

impl ProcessingFailure {
    /// Returns the message for the uploader.
    pub fn message(self) -> &'static str {
        match self {
            Self::Damaged => "The file is damaged or was cut off: it contains less than its header says.",
            Self::Unreadable => {
                "The file could not be read: it is damaged, or its format is one that is not supported."
            }
            Self::Excessive => "Processing the file took more time or space than allowed.",
            Self::Interrupted => "Processing was interrupted. Please try again.",
        }
    }
}

impl ContentKind {
    /// Returns whether such files are processed after the upload.
    pub fn is_processed(self) -> bool {
        matches!(self, Self::Video | Self::Audio | Self::Image | Self::Pdf)
    }
}

impl From<media::Kind> for ContentKind {
    fn from(kind: media::Kind) -> Self {
        match kind {
            media::Kind::Video => Self::Video,
            media::Kind::Audio => Self::Audio,
            media::Kind::Image => Self::Image,
            media::Kind::Pdf => Self::Pdf,
            media::Kind::File => Self::File,
        }
    }
}

/// Checks a title: not blank and not too long. It is kept as typed.
pub fn title(text: String) -> Result<String, Error> {
    match text.trim().is_empty() {
        true => Err(Error::TitleRequired),
        false if text.chars().count() > TITLE_MAX => Err(Error::TooLong("title")),
        false => Ok(text),
    }
}

/// Checks a description, which is kept as typed and may be empty.
pub fn description(text: String) -> Result<String, Error> {
    if text.chars().count() > DESCRIPTION_MAX { Err(Error::TooLong("description")) } else { Ok(text) }
}

/// Refuses unlisted, which only playlists can be.
pub fn privacy(privacy: Privacy) -> Result<Privacy, Error> {
    if privacy == Privacy::Unlisted { Err(Error::NoUnlisted) } else { Ok(privacy) }
}

/// YouTube hosts whose addresses are accepted.
const YOUTUBE: [&str; 6] = [
    "youtube.com",
    "www.youtube.com",
    "m.youtube.com",
    "youtu.be",
    "youtube-nocookie.com",
    "www.youtube-nocookie.com",
];
const LINK_MAX: usize = 2_000;

/// Returns the address of an embedded video as it is stored: a web address of YouTube, or one that contains
/// 'vimeo'. Hosts are compared in lower case. The portal applies the same rule;
/// `testdata/video-addresses.json` holds the cases that both are tested with.
pub fn link(text: &str) -> Result<String, Error> {
    let url = WebUrl::parse(text).ok_or(Error::InvalidLink)?;
    let host = url.url().host_str().unwrap_or_default();
    let known = YOUTUBE.contains(&host) || url.as_str().contains("vimeo");
    if known && url.as_str().len() <= LINK_MAX {
        Ok(url.as_str().to_owned())
    } else {
        Err(Error::InvalidLink)
    }
}

/// Returns the path of a thumbnail; an empty address means no thumbnail. Only addresses of this server are accepted, and
/// they are stored as paths. Whether the image belongs to the organisation is checked when the item is stored.
pub fn preview(public: &PublicUrl, address: &str) -> Result<Option<String>, Error> {
    match address {
        "" => Ok(None),
        _ => match public.image_path(address) {
            Some(path) => Ok(Some(path.to_owned())),
            None if address.starts_with('/') || WebUrl::parse(address).is_some() => Err(Error::ForeignImage),
            None => Err(Error::InvalidPreview),
        },
    }
}

/// A file as declared by its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncedFile {
    /// Name on the sender's device; a label, never a path.
    pub name: String,
    /// In bytes; `None` if a new version was announced without a size.
    pub size: Option<u64>,
    /// Media type in lower case; `None` if a new version was announced without a type.
    pub mime: Option<String>,
    /// Last change on the sender's device.
    pub modified: Option<Timestamp>,
    /// MD5 of the whole file.
    pub md5: [u8; 16],
}

impl AnnouncedFile {
    /// Returns the MD5 in base64, as stored and on the wire.
    pub fn checksum(&self) -> String {
        STANDARD.encode(self.md5)
    }
}

/// Checks a file name: not blank, not too long, no control characters.
pub fn file_name(text: String) -> Result<String, Error> {
    let is_invalid = text.trim().is_empty() || text.chars().any(char::is_control);
    if is_invalid || text.chars().count() > FILE_NAME_MAX {
        Err(Error::InvalidFile("name"))
    } else {
        Ok(text)
    }
}

/// Parses the `timeModified` that an editor sent, if any.
pub fn expected_modified_at(time_modified: Option<&str>) -> Result<Option<Timestamp>, Error> {
    match time_modified {
        None => Ok(None),
        Some(text) => kernel::from_iso(text).map(Some).ok_or(Error::InvalidTime),
    }
}

/// Returns a media type in lower case. An empty one, which browsers send for unknown types, becomes
/// [`UNKNOWN_TYPE`].
pub fn file_type(text: &str) -> Result<String, Error> {
    let text = text.trim().to_ascii_lowercase();
    let plain = text.len() <= 127 && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    match text.as_str() {
        "" => Ok(UNKNOWN_TYPE.to_owned()),
        _ if plain && text.split_once('/').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty()) => Ok(text),
        _ => Err(Error::InvalidFile("type")),
    }
}

/// Decodes an MD5 from base64: 24 characters for 16 bytes.
pub fn checksum(text: &str) -> Result<[u8; 16], Error> {
    STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(Error::InvalidFile("checksum"))
}

/// Checks a size in bytes: not zero, and at most `max`.
pub fn size(size: u64, max: u64) -> Result<u64, Error> {
    match size {
        0 => Err(Error::EmptyFile),
        _ if size > max => Err(Error::FileTooLarge),
        _ => Ok(size),
    }
}

/// Checks the type of an image. Vector formats are refused because they can contain scripts.
pub fn image_type(text: &str) -> Result<String, Error> {
    let mime = file_type(text)?;
    let known = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&mime.as_str());
    if known { Ok(mime) } else { Err(Error::NotAnImage) }
}

/// Returns whether two Content-Type values name the same type, ignoring their parameters.
pub fn same_type(one: &str, other: &str) -> bool {
    let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence(one) == essence(other)
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum;

    use super::*;

    #[test]
    fn a_title_may_not_be_blank_and_is_kept_as_typed() {
        assert!(matches!(title("  ".into()), Err(Error::TitleRequired)));
        assert_eq!(title(" A talk ".into()).unwrap(), " A talk ");
        assert!(title("x".repeat(1_001)).is_err());
    }

    #[test]
    fn server_and_portal_accept_the_same_video_addresses() {
        #[derive(serde::Deserialize)]
        struct Case {
            address: String,
            accepted: bool,
        }
        let cases = include_str!("../../../testdata/video-addresses.json");
        for case in serde_json::from_str::<Vec<Case>>(cases).unwrap() {
            match link(&case.address) {
                Ok(_) => assert!(case.accepted, "{}", case.address),
                Err(error) => {
                    assert!(matches!(error, Error::InvalidLink) && !case.accepted, "{}", case.address);
                }
            }
        }
        let long = format!("https://vimeo.com/{}", "1".repeat(2_000 - 18));
        assert!(link(&long).is_ok() && link(&format!("{long}1")).is_err());
    }

    #[test]
    fn only_images_of_this_server_are_thumbnails() {
        let public = PublicUrl::parse("https://v.example").unwrap();
        let path = "/images/0123456789abcdef0123456789abcdef";
        assert_eq!(preview(&public, &format!("https://v.example{path}")).unwrap().as_deref(), Some(path));
        assert_eq!(preview(&public, "").unwrap(), None);
        assert!(matches!(preview(&public, "https://evil.example/a.png"), Err(Error::ForeignImage)));
        assert!(matches!(preview(&public, "picture.png"), Err(Error::InvalidPreview)));
    }

    #[test]
    fn a_checksum_is_sixteen_bytes_in_base64() {
        assert_eq!(checksum("1B2M2Y8AsgTpgAmY7PhCfg==").unwrap()[0], 0xd4);
        for bad in ["", "d41d8cd98f00b204e9800998ecf8427e", "1B2M2Y8AsgTpgAmY7PhCfg", "AAAA"] {
            assert!(checksum(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_and_types_at_their_borders() {
        assert!(matches!(size(0, 10), Err(Error::EmptyFile)));
        assert!(size(10, 10).is_ok() && matches!(size(11, 10), Err(Error::FileTooLarge)));
        assert_eq!(file_type("").unwrap(), UNKNOWN_TYPE);
        assert_eq!(file_type("Video/MP4").unwrap(), "video/mp4");
        assert!(file_type("a/b\r\nx: y").is_err() && file_type("video").is_err());
        assert!(image_type("image/png").is_ok() && image_type("image/svg+xml").is_err());
        assert!(same_type("video/mp4; codecs=x", "VIDEO/mp4") && !same_type("video/mp4", "video/webm"));
    }

    /// Fails unless the words on the wire are the stored ones.
    fn wire_words_are_stored<E: ActiveEnum<Value = String> + Copy + serde::Serialize>() {
        assert!(E::iter().all(|variant| serde_json::json!(variant) == variant.to_value()));
    }

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        assert_eq!(Origin::values(), ["native", "integration", "draft"]);
        assert_eq!(ContentKind::values(), ["video", "audio", "image", "pdf", "file", "embed"]);
        assert_eq!(Processing::values(), ["none", "queued", "running", "done", "failed"]);
        assert_eq!(UploadStatus::values(), ["pending", "available", "rejected"]);
        assert_eq!(ProcessingFailure::values(), ["damaged", "unreadable", "excessive", "interrupted"]);
        wire_words_are_stored::<Origin>();
        wire_words_are_stored::<ContentKind>();
        wire_words_are_stored::<Processing>();
        wire_words_are_stored::<UploadStatus>();
        wire_words_are_stored::<ProcessingFailure>();
        assert!(ContentKind::try_from_value(&"tune".to_owned()).is_err());
    }
}
