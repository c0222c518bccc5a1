//! One content as the room knows it.

use kernel::{Millis, Privacy, Uid};
use storage::{Key, Name, Version};

use crate::model::{ContentKind, Fault, Origin, Processing};
use crate::visibility::State;

/// A content of an organisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub uid: Uid,
    /// Whose it is.
    pub org: Uid,
    /// Title.
    pub title: String,
    /// Description, or empty.
    pub description: String,
    /// Path of the chosen thumbnail, or empty.
    pub preview: String,
    /// Public or private.
    pub privacy: Privacy,
    /// Where it comes from.
    pub origin: Origin,
    /// What people call it.
    pub kind: ContentKind,
    /// Address of an embedded film, or empty.
    pub link: String,
    /// The file as announced; `None` for an embedded film.
    pub file: Option<FileFacts>,
    /// The stored bytes; `None` until they have come.
    pub source: Option<Source>,
    /// Length, once known.
    pub duration_ms: Option<Millis>,
    /// Names of the codecs of picture and sound, such as `h264, aac`, once known.
    pub codecs: Option<String>,
    /// The source the generated picture was taken from.
    pub poster: Option<Uid>,
    /// What was made of the file to be played.
    pub rendition: Option<Rendition>,
    /// How far length, poster and renditions are.
    pub processing: Processing,
    /// Hundredths of the making under way, while a worker is at it.
    pub progress: Option<u8>,
    /// Seconds of work that are left, as far as can be told.
    pub seconds_left: Option<i64>,
    /// Why processing failed.
    pub failure: Option<Fault>,
    /// The making under way, or what an interrupted one left.
    pub making: Option<Uid>,
    /// Captions, by language.
    pub captions: Vec<Captions>,
    /// Counted views.
    pub views: i64,
    /// Credited watch time.
    pub watch_ms: Millis,
    /// When it was made.
    pub created_at: Millis,
    /// When it was changed last.
    pub modified_at: Millis,
    /// When it was deleted.
    pub deleted_at: Option<Millis>,
}

/// A file as its sender announced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Its name on the sender's machine.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Declared type.
    pub mime: String,
    /// When it was last changed on the sender's machine.
    pub modified: Option<Millis>,
    /// MD5 in base64.
    pub checksum: String,
}

/// The bytes that are served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The upload they came by.
    pub version: Uid,
    /// The type they are served as.
    pub media_type: String,
    /// SHA-256.
    pub sha256: Vec<u8>,
}

/// What was made of a file, all at once: its files are served under their names and never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendition {
    /// The making.
    pub set: Uid,
    /// Whether there is a stream in pieces.
    pub hls: bool,
    /// Whether there are small pictures for the seek bar.
    pub storyboard: bool,
    /// Whether there is a waveform.
    pub waveform: bool,
}

impl Rendition {
    /// What it holds, as stored.
    pub fn words(&self) -> String {
        let all = [(self.hls, "hls"), (self.storyboard, "storyboard"), (self.waveform, "waveform")];
        all.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    }

    /// Reads what is stored.
    pub fn read(set: Uid, words: &str) -> Self {
        let has = |wanted| words.split(' ').any(|word| word == wanted);
        Self { set, hls: has("hls"), storyboard: has("storyboard"), waveform: has("waveform") }
    }

    /// Tells this making's addresses from those of any other: the part of its id that is chance.
    pub fn tag(set: Uid) -> String {
        let mut digits = set.as_simple().to_string();
        digits.split_off(20)
    }
}

/// Captions in one language.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Captions {
    /// BCP 47.
    pub language: String,
    /// As a person reads it.
    pub label: String,
    /// The file they lie in.
    pub version: Uid,
}

impl Captions {
    /// Where the captions of one version lie.
    pub fn key(org: Uid, content: Uid, version: Uid) -> Option<Key> {
        let name = Name::parse(&format!("captions-{}", version.as_simple()))?;
        Some(Key::content(org, content, &name))
    }
}

impl Item {
    /// The renditions that are shown: those of what it is. After the file was replaced by one of another kind, those
    /// of the file before are none.
    pub fn shown_rendition(&self) -> Option<&Rendition> {
        let played = matches!(self.kind, ContentKind::Video | ContentKind::Audio);
        self.rendition.as_ref().filter(|_| played)
    }

    /// Where it is in its life.
    pub fn state(&self) -> State {
        match (self.deleted_at, self.origin) {
            (Some(_), _) => State::Deleted,
            (None, Origin::Draft) => State::Draft,
            (None, Origin::Native | Origin::Integration) => State::Available,
        }
    }

    /// Where one version of its file lies.
    pub fn source_key(&self, version: Uid) -> Key {
        Key::content(self.org, self.uid, &Name::version(Version::Source, version))
    }

    /// Where the picture taken from one version lies.
    pub fn poster_key(&self, version: Uid) -> Key {
        Key::content(self.org, self.uid, &Name::version(Version::Poster, version))
    }
}
