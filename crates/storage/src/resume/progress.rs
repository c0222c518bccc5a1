//! The progress of a resumable stream, in a form that can be saved as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};

use crate::Key;

/// Version of the saved form. Progress in another form is rejected, and the stream starts over.
const FORM: u8 = 1;

/// The progress of a resumable stream: the number of bytes kept and the state of its hashes at that point.
#[derive(Clone)]
pub struct Progress {
    /// Path the object will have.
    pub(crate) key: String,
    pub(crate) len: u64,
    pub(crate) md5: md5::Md5,
    pub(crate) sha256: Sha256,
    pub(crate) head: Vec<u8>,
    pub(crate) parts: UploadParts,
}

/// What the bucket holds of the stream. Empty for a folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UploadParts {
    /// Id of the multipart upload, once there is a part.
    pub(crate) upload: Option<String>,
    /// Content ids of the parts sent so far.
    pub(crate) done: Vec<String>,
    /// Name of the object that holds the bytes after the last part.
    pub(crate) tail: Option<String>,
    /// Name of the previous tail, which can be removed.
    pub(crate) stale: Option<String>,
    /// Lengths of `tail` and `stale`.
    #[serde(default)]
    pub(crate) tail_bytes: u64,
    #[serde(default)]
    pub(crate) stale_bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedProgress {
    form: u8,
    key: String,
    len: u64,
    md5: String,
    sha256: String,
    head: String,
    parts: UploadParts,
}

impl Progress {
    /// Returns the progress of a stream that has not started.
    pub fn new(key: &Key) -> Self {
        use sha2::Digest as _;
        Self {
            key: key.as_str().to_owned(),
            len: 0,
            md5: md5::Md5::new(),
            sha256: Sha256::new(),
            head: Vec::new(),
            parts: UploadParts::default(),
        }
    }

    /// Returns the number of bytes kept.
    pub fn offset(&self) -> u64 {
        self.len
    }

    /// Returns the number of bytes the stream occupies in the storage.
    pub fn stored_bytes(&self) -> u64 {
        self.len + self.parts.stale_bytes
    }

    /// Serializes the progress for [`Self::parse`].
    pub fn to_text(&self) -> String {
        let saved = SavedProgress {
            form: FORM,
            key: self.key.clone(),
            len: self.len,
            md5: state(&self.md5),
            sha256: state(&self.sha256),
            head: STANDARD_NO_PAD.encode(&self.head),
            parts: self.parts.clone(),
        };
        // Serializing strings, numbers and lists cannot fail, and `parse` rejects an empty text.
        serde_json::to_string(&saved).unwrap_or_default()
    }

    /// Parses the text of [`Self::to_text`]. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let saved: SavedProgress =
            serde_json::from_str(text).ok().filter(|found: &SavedProgress| found.form == FORM)?;
        Some(Self {
            key: saved.key,
            len: saved.len,
            md5: hash(&saved.md5)?,
            sha256: hash(&saved.sha256)?,
            head: STANDARD_NO_PAD.decode(saved.head).ok()?,
            parts: saved.parts,
        })
    }
}

fn state<H: SerializableState>(hash: &H) -> String {
    STANDARD_NO_PAD.encode(hash.serialize())
}

fn hash<H: SerializableState>(text: &str) -> Option<H> {
    let bytes = STANDARD_NO_PAD.decode(text).ok()?;
    H::deserialize(&SerializedState::<H>::try_from(&bytes[..]).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use kernel::{ContentId, OrgId, VersionId};
    use sha2::Digest as _;

    use super::*;
    use crate::{Name, Version};

    fn key() -> Key {
        Key::content(OrgId::nil(), ContentId::nil(), &Name::version(Version::Source, VersionId::nil()))
    }

    #[test]
    fn a_hash_continues_from_its_saved_state_at_every_byte_of_its_block() {
        let data: Vec<u8> = (0..300_u16).map(|n| (n * 7) as u8).collect();
        for cut in 0..data.len() {
            let mut progress = Progress::new(&key());
            progress.md5.update(&data[..cut]);
            progress.sha256.update(&data[..cut]);
            let mut again = Progress::parse(&progress.to_text()).unwrap();
            again.md5.update(&data[cut..]);
            again.sha256.update(&data[cut..]);
            assert_eq!(again.md5.finalize()[..], fast_md5::digest(&data)[..], "{cut}");
            assert_eq!(again.sha256.finalize(), Sha256::digest(&data), "{cut}");
        }
    }

    #[test]
    fn text_in_another_form_is_rejected() {
        let text = Progress::new(&key()).to_text();
        assert!(Progress::parse(&text).is_some());
        for other in [
            "",
            "{}",
            "null",
            &text.replace("\"form\":1", "\"form\":2"),
            &text.replace("md5\":\"", "md5\":\"AA"),
        ] {
            assert!(Progress::parse(other).is_none(), "{other}");
        }
    }
}
