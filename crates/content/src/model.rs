//! Values of a content and the pure rules about them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{Millis, Privacy, PublicUrl, WebUrl};

use crate::Error;

/// The longest title and file name; far above what the form suggests.
const TITLE_MAX: usize = 1_000;
const FILE_NAME_MAX: usize = 255;
const DESCRIPTION_MAX: usize = 20_000;
/// Bytes of a picture (spec section 5); exactly this many still pass.
pub const IMAGE_MAX: u64 = 5 * 1024 * 1024;
/// Drafts without a file that one person may have at a time.
pub const DRAFTS_MAX: u64 = 100;
/// Stands for a file whose type the browser does not know.
pub const UNKNOWN_TYPE: &str = "application/octet-stream";

/// A set of words that are stored and sent as they are.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// As stored and on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Reads a stored word.
            pub fn read(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// Where a content comes from (spec section 3, `type`).
    Origin {
        /// A file stored here.
        Native = "native",
        /// A film that lies with a video host.
        Integration = "integration",
        /// A native content whose file has not come yet (G-77).
        Draft = "draft",
    }
}

words! {
    /// What people call a content.
    ContentKind {
        /// Moving pictures.
        Video = "video",
        /// Sound.
        Audio = "audio",
        /// A picture.
        Image = "image",
        /// A PDF document.
        Pdf = "pdf",
        /// Any other file.
        File = "file",
        /// A film of a video host.
        Embed = "embed",
    }
}

words! {
    /// How far length, poster and renditions are.
    Processing {
        /// Nothing to do.
        None = "none",
        /// Waits for a worker.
        Queued = "queued",
        /// A worker is at it.
        Running = "running",
        /// Length, poster and renditions are there, as far as the file has them.
        Done = "done",
        /// The file could not be read, was cut before it came to us, or the work on it broke off.
        Failed = "failed",
    }
}

words! {
    /// How far an upload is (S-27).
    UploadStatus {
        /// The file is expected.
        Pending = "pending",
        /// The file is stored and verified.
        Available = "available",
        /// The file was not what was announced.
        Rejected = "rejected",
    }
}

words! {
    /// Why a file could not be processed.
    Fault {
        /// It holds less than it says, or much of it cannot be decoded.
        Damaged = "damaged",
        /// It cannot be read at all.
        Unreadable = "unreadable",
        /// It took more time or room than a file may.
        Excessive = "excessive",
        /// This machine's fault.
        Interrupted = "interrupted",
    }
}

impl Fault {
    /// For whoever uploaded it.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Damaged => "The file is damaged or was cut off: there is less in it than it says.",
            Self::Unreadable => {
                "The file could not be read: it is damaged, or of a format that is not supported."
            }
            Self::Excessive => "Processing the file took more time or room than is allowed.",
            Self::Interrupted => "Processing was interrupted. Please try again.",
        }
    }
}

impl ContentKind {
    /// Whether something is made of such files after they came: a length, a picture, a stream.
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

/// A title: not blank, kept as typed.
pub fn title(text: String) -> Result<String, Error> {
    match text.trim().is_empty() {
        true => Err(Error::TitleRequired),
        false if text.chars().count() > TITLE_MAX => Err(Error::TooLong("title")),
        false => Ok(text),
    }
}

/// A description, kept as typed.
pub fn description(text: String) -> Result<String, Error> {
    if text.chars().count() > DESCRIPTION_MAX { Err(Error::TooLong("description")) } else { Ok(text) }
}

/// Content is public or private; unlisted is for playlists.
pub fn privacy(privacy: Privacy) -> Result<Privacy, Error> {
    if privacy == Privacy::Unlisted { Err(Error::NoUnlisted) } else { Ok(privacy) }
}

/// Hosts of YouTube whose addresses are accepted; those that can be framed.
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
/// 'vimeo'. Hosts are compared in lower case. The portal applies the same rule; `testdata/video-addresses.json`
/// holds the cases that both are tested with.
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

/// A thumbnail: the path of a picture here, or nothing. Whose it is is seen when it is stored.
pub fn preview(public: &PublicUrl, address: &str) -> Result<String, Error> {
    match address {
        "" => Ok(String::new()),
        _ => match public.image_path(address) {
            Some(path) => Ok(path.to_owned()),
            None if address.starts_with('/') || WebUrl::parse(address).is_some() => Err(Error::ForeignImage),
            None => Err(Error::InvalidPreview),
        },
    }
}

/// A file as its sender announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Its name on the sender's machine; a label, never a path.
    pub name: String,
    /// Bytes; `None` when a new version was announced without.
    pub size: Option<u64>,
    /// Its type, in lower case; `None` when a new version was announced without.
    pub mime: Option<String>,
    /// When it was last changed on the sender's machine.
    pub modified: Option<Millis>,
    /// MD5 of all of it.
    pub md5: [u8; 16],
}

impl Announced {
    /// The sum as it stands in records and on the wire.
    pub fn checksum(&self) -> String {
        STANDARD.encode(self.md5)
    }
}

/// A file's name: not blank, without control characters.
pub fn file_name(text: String) -> Result<String, Error> {
    let wrong = text.trim().is_empty() || text.chars().any(char::is_control);
    if wrong || text.chars().count() > FILE_NAME_MAX { Err(Error::InvalidFile("name")) } else { Ok(text) }
}

/// The state an editor saw, if it was sent along.
pub fn seen(time_modified: Option<&str>) -> Result<Option<Millis>, Error> {
    match time_modified {
        None => Ok(None),
        Some(text) => kernel::ms_from_iso(text).map(Some).ok_or(Error::InvalidTime),
    }
}

/// A type as in a Content-Type header, in lower case; empty for one the browser does not know.
pub fn file_type(text: &str) -> Result<String, Error> {
    let text = text.trim().to_ascii_lowercase();
    let plain = text.len() <= 127 && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    match text.as_str() {
        "" => Ok(UNKNOWN_TYPE.to_owned()),
        _ if plain && text.split_once('/').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty()) => Ok(text),
        _ => Err(Error::InvalidFile("type")),
    }
}

/// An MD5 in base64: 24 characters for 16 bytes.
pub fn checksum(text: &str) -> Result<[u8; 16], Error> {
    STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(Error::InvalidFile("checksum"))
}

/// A size in bytes: something, and not more than a file may have.
pub fn size(size: u64, max: u64) -> Result<u64, Error> {
    match size {
        0 => Err(Error::EmptyFile),
        _ if size > max => Err(Error::FileTooLarge),
        _ => Ok(size),
    }
}

/// The types a picture may have (S-25); vector pictures can hold scripts and are none of them.
pub fn image_type(text: &str) -> Result<String, Error> {
    let mime = file_type(text)?;
    let known = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&mime.as_str());
    if known { Ok(mime) } else { Err(Error::NotAnImage) }
}

/// Whether two Content-Type values name the same type, whatever their parameters.
pub fn same_type(one: &str, other: &str) -> bool {
    let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence(one) == essence(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_may_not_be_blank_and_is_kept_as_typed() {
        assert!(matches!(title("  ".into()), Err(Error::TitleRequired)));
        assert_eq!(title(" A film ".into()).unwrap(), " A film ");
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
                    assert!(matches!(error, Error::InvalidLink) && !case.accepted, "{}", case.address)
                }
            }
        }
        let long = format!("https://vimeo.com/{}", "1".repeat(2_000 - 18));
        assert!(link(&long).is_ok() && link(&format!("{long}1")).is_err());
    }

    #[test]
    fn only_pictures_of_ours_are_thumbnails() {
        let public = PublicUrl::parse("https://v.example").unwrap();
        let path = "/images/0123456789abcdef0123456789abcdef";
        assert_eq!(preview(&public, &format!("https://v.example{path}")).unwrap(), path);
        assert_eq!(preview(&public, "").unwrap(), "");
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

    #[test]
    fn stored_words_are_read_back() {
        for origin in [Origin::Native, Origin::Integration, Origin::Draft] {
            assert_eq!(Origin::read(origin.as_str()), Some(origin));
            assert_eq!(serde_json::to_value(origin).unwrap(), origin.as_str());
        }
        assert_eq!(ContentKind::read("tune"), None);
    }
}
