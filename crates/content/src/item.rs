//! A content item as this crate sees it.

use kernel::{ContentId, Millis, OrgId, Privacy, RunId, Timestamp, UploadId, VersionId};
use storage::{Key, Name, Version};

use crate::delivery::is_inline;
use crate::model::{ContentKind, Origin, Processing, ProcessingFailure};
use crate::schedule::Schedule;
use crate::visibility::{State, Viewer};

/// A content item of an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub uid: ContentId,
    /// Owning organisation.
    pub org: OrgId,
    pub title: String,
    pub description: String,
    /// Path of the thumbnail that was chosen for it.
    pub preview: Option<String>,
    /// Public or private; items cannot be unlisted.
    pub privacy: Privacy,
    /// When app users may see it.
    pub schedule: Schedule,
    pub origin: Origin,
    pub kind: ContentKind,
    /// URL of an embedded video; `None` for a file.
    pub link: Option<String>,
    /// The file as declared by its sender; `None` for an embedded video.
    pub file: Option<DeclaredFile>,
    /// The stored bytes; `None` until they are received.
    pub source: Option<Source>,
    /// Length, if known.
    pub duration_ms: Option<Millis>,
    /// Number of pages of a document, if known.
    pub pages: Option<i64>,
    /// Names of the video and audio codecs, such as `h264, aac`, if known.
    pub codecs: Option<String>,
    pub poster: Option<Poster>,
    /// What the latest completed processing run produced for playback.
    pub rendition: Option<Rendition>,
    /// Status of determining the length, and of making poster and renditions.
    pub processing: Processing,
    /// Percentage of the current processing run that is done.
    pub progress: Option<u8>,
    /// Estimated seconds until the current processing run ends.
    pub seconds_left: Option<i64>,
    pub failure: Option<ProcessingFailure>,
    /// The current processing run, or an interrupted one whose files may remain.
    pub processing_run: Option<RunId>,
    /// One entry per language.
    pub captions: Vec<Captions>,
    /// Whether app users may download the file; `None` leaves it to its kind.
    pub downloadable: Option<bool>,
    pub views: i64,
    pub watch_ms: Millis,
    pub created_at: Timestamp,
    /// Time of the last change; strictly increases.
    pub modified_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}

/// A file as declared by its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredFile {
    /// Name on the sender's device.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// Declared media type, if there is one.
    pub mime: Option<String>,
    /// Last change on the sender's device.
    pub modified: Option<Timestamp>,
    /// MD5, in base64. Every file has one; `None` if the row lost it, which `vitrine verify` reports.
    pub checksum: Option<String>,
}

/// The version of the file that is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The upload that created it.
    pub version: VersionId,
    /// The media type it is served as. Every version has one, as it has a SHA-256; `None` if the row lost it.
    pub media_type: Option<String>,
    pub sha256: Option<Vec<u8>>,
}

/// One version of the file of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersion {
    pub org: OrgId,
    pub content: ContentId,
    pub version: VersionId,
}

/// The output of one processing run. Its files are served by name and never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendition {
    /// Id of the processing run.
    pub run: RunId,
    /// Whether there is an HLS stream.
    pub hls: bool,
    /// Whether there are preview images for the seek bar.
    pub storyboard: bool,
    /// Whether there is a waveform of the audio.
    pub waveform: bool,
}

impl Rendition {
    /// Returns the names of the parts it has, as stored.
    pub fn part_names(&self) -> String {
        let all = [(self.hls, "hls"), (self.storyboard, "storyboard"), (self.waveform, "waveform")];
        all.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    }

    /// Parses the stored names. Returns `None` if one of them is unknown.
    pub fn read(run: RunId, words: &str) -> Option<Self> {
        let mut read = Self { run, hls: false, storyboard: false, waveform: false };
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            match word {
                "hls" => read.hls = true,
                "storyboard" => read.storyboard = true,
                "waveform" => read.waveform = true,
                _ => return None,
            }
        }
        Some(read)
    }

    /// Returns a tag that distinguishes the addresses of this processing run from those of others: the random
    /// part of its id.
    pub fn tag(run: RunId) -> String {
        let mut digits = run.as_simple().to_string();
        digits.split_off(20)
    }
}

/// Captions in one language.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Captions {
    /// BCP 47 tag.
    pub language: String,
    /// Display name, such as `Deutsch`.
    pub label: String,
    /// Id of the file that holds them.
    pub version: VersionId,
}

/// Returns the version as which the file of an upload is stored: it has the id of the upload.
pub fn version_of(upload: UploadId) -> VersionId {
    upload.uid().into()
}

/// Returns the upload that created a version of a file.
pub fn upload_of(version: VersionId) -> UploadId {
    version.uid().into()
}

/// The generated poster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poster {
    /// The version of the file that it was made from.
    pub version: VersionId,
    /// Widths of its smaller versions in pixels, narrowest first.
    pub widths: Vec<u32>,
}

impl Poster {
    /// Returns the storage key of the poster, or of its smaller version of a width.
    pub fn key(&self, org: OrgId, content: ContentId, width: Option<u32>) -> Key {
        let whole = || Name::version(Version::Poster, self.version);
        let name = width.map_or_else(whole, |width| Name::poster_of_width(self.version, width));
        Key::content(org, content, &name)
    }

    /// Returns the width of the narrowest smaller version that is at least as wide as `wanted`, if there is one.
    pub fn width_for(&self, wanted: u32) -> Option<u32> {
        self.widths.iter().copied().find(|width| *width >= wanted)
    }
}

impl Captions {
    /// Returns the storage key of one version of captions.
    pub fn key(org: OrgId, content: ContentId, version: VersionId) -> Option<Key> {
        let name = Name::parse(&format!("captions-{}", version.as_simple()))?;
        Some(Key::content(org, content, &name))
    }
}

impl Item {
    /// Returns the renditions to show. There are none if the file was replaced by one of a kind that has
    /// none.
    pub fn shown_rendition(&self) -> Option<&Rendition> {
        let played = matches!(self.kind, ContentKind::Video | ContentKind::Audio);
        self.rendition.as_ref().filter(|_| played)
    }

    /// Returns the stage of its life cycle.
    pub fn state(&self) -> State {
        match (self.deleted_at, self.origin) {
            (Some(_), _) => State::Deleted,
            (None, Origin::Draft) => State::Draft,
            (None, Origin::Native | Origin::Integration) => State::Available,
        }
    }

    /// Returns when this viewer may no longer see it because of its dates, or of those of the playlist it is shown
    /// in. For staff, dates end nothing.
    pub fn closes_at(&self, viewer: Viewer, playlist_expires_at: Option<Timestamp>) -> Option<Timestamp> {
        let ends = [self.schedule.expire_at, playlist_expires_at].into_iter().flatten();
        ends.min().filter(|_| viewer != Viewer::Staff)
    }

    /// Returns whether app users may download the file. Unless staff decided, they may download what cannot be shown
    /// otherwise, and documents.
    pub fn is_downloadable(&self) -> bool {
        let Some(source) = &self.source else { return false };
        let is_shown = source.media_type.as_deref().is_some_and(is_inline) && self.kind != ContentKind::Pdf;
        self.downloadable.unwrap_or(!is_shown)
    }

    /// Returns the storage key of one version of its file.
    pub fn source_key(&self, version: VersionId) -> Key {
        Key::content(self.org, self.uid, &Name::version(Version::Source, version))
    }

    /// Returns the storage keys of the poster and of its smaller versions.
    pub fn poster_keys(&self) -> Vec<Key> {
        let Some(poster) = &self.poster else { return Vec::new() };
        let widths = poster.widths.iter().copied().map(Some);
        widths.chain([None]).map(|width| poster.key(self.org, self.uid, width)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_rendition_are_read_back_and_unknown_ones_are_not_ignored() {
        let run = RunId::from(kernel::Uid::nil());
        let all = Rendition { run, hls: true, storyboard: true, waveform: true };
        let none = Rendition { run, hls: false, storyboard: false, waveform: false };
        for rendition in [all.clone(), Rendition { hls: false, ..all }, none] {
            assert_eq!(Rendition::read(run, &rendition.part_names()), Some(rendition));
        }
        assert_eq!(Rendition::read(run, "hls hologram"), None);
    }
}
