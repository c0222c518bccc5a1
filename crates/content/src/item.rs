//! One content as the room knows it.

use kernel::{Millis, Privacy, Uid};
use storage::{Key, Name, Version};

use crate::model::{ContentKind, Origin, Processing};
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
    /// The source the generated picture was taken from.
    pub poster: Option<Uid>,
    /// How far length and poster are.
    pub processing: Processing,
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

impl Item {
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
