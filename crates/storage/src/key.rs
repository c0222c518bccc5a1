//! Names of stored objects. A key is built from ids and words of the program, never from a person's text.

use std::fmt;

use kernel::Uid;

/// The last part of a content's key: lower-case letters, digits, `-`, `_` and `.`, at most 80 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// A name the program made itself, such as a rendition's segment; `None` when it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
        let fits = (1..=80).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
    }

    /// `{what}-{uid}`: one version of a file, so that a new version never overwrites the one being served.
    pub fn version(what: Version, uid: Uid) -> Self {
        Self(format!("{}-{}", what.word(), uid.as_simple()))
    }
}

/// The files of a content that have versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The file as it was uploaded.
    Source,
    /// The generated still picture.
    Poster,
}

impl Version {
    fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Poster => "poster",
        }
    }
}

/// What an object belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the ids say what they are")]
pub enum Owner {
    /// A version of a content's file.
    Source { org: Uid, content: Uid, version: Uid },
    /// The generated still picture of a version.
    Poster { org: Uid, content: Uid, version: Uid },
    /// A version of captions.
    Captions { org: Uid, content: Uid, version: Uid },
    /// One of the files that were made together of a content's file.
    Rendition { org: Uid, content: Uid, set: Uid },
    /// A public picture.
    Image { name: String },
}

/// An id as keys write it.
fn simple(text: &str) -> Option<Uid> {
    let uid: Uid = text.parse().ok()?;
    (uid.as_simple().to_string() == text).then_some(uid)
}

/// Where an object lies. Displays as its path below the root of the storage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// A file of one content of one organisation.
    pub fn content(org: Uid, content: Uid, name: &Name) -> Self {
        Self(format!("{}/{}", Self::content_folder(org, content), name.0))
    }

    /// One of the files that were made of a content together, under the id of that making.
    pub fn rendition(org: Uid, content: Uid, set: Uid, name: &Name) -> Self {
        Self(format!("{}/{}", Self::rendition_folder(org, content, set), name.0))
    }

    /// What the keys of all files of one making begin with.
    pub fn rendition_folder(org: Uid, content: Uid, set: Uid) -> String {
        format!("{}/made-{}", Self::content_folder(org, content), set.as_simple())
    }

    /// What the keys of all files of one content begin with.
    pub(crate) fn content_folder(org: Uid, content: Uid) -> String {
        format!("content/{}/{}", org.as_simple(), content.as_simple())
    }

    /// A public picture under an unguessable name.
    pub fn image(random: [u8; 16]) -> Self {
        let hex = format!("{:032x}", u128::from_be_bytes(random));
        Self(format!("images/{}/{hex}", &hex[..2]))
    }

    /// Reads a path below the root of the storage; `None` if no object of ours can have it.
    pub fn parse(path: &str) -> Option<Self> {
        Self::owner_of(path).map(|_| Self(path.to_owned()))
    }

    /// Returns what the object belongs to.
    pub fn owner(&self) -> Option<Owner> {
        Self::owner_of(&self.0)
    }

    fn owner_of(path: &str) -> Option<Owner> {
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            ["content", org, content, name] => {
                let (org, content) = (simple(org)?, simple(content)?);
                let Name(name) = Name::parse(name)?;
                let (what, version) = name.rsplit_once('-')?;
                let version = simple(version)?;
                Some(match what {
                    "source" => Owner::Source { org, content, version },
                    "poster" => Owner::Poster { org, content, version },
                    "captions" => Owner::Captions { org, content, version },
                    _ => return None,
                })
            }
            ["content", org, content, set, name] => {
                Name::parse(name)?;
                let set = simple(set.strip_prefix("made-")?)?;
                Some(Owner::Rendition { org: simple(org)?, content: simple(content)?, set })
            }
            ["images", folder, name] => {
                let digits = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                let fits = name.len() == 32 && name.bytes().all(digits) && &name[..2] == folder;
                fits.then(|| Owner::Image { name: name.to_owned() })
            }
            _ => None,
        }
    }

    /// The path below the root of the storage: plain words and ids between slashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_folder() {
        assert!(Name::parse("seg_00012.m4s").is_some());
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "A", "a b", "a\0", "ä", &"a".repeat(81)] {
            assert!(Name::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_key_says_what_it_belongs_to_and_other_paths_are_none_of_ours() {
        let [org, content, version] = [1, 2, 3].map(Uid::from_u128);
        let key = Key::content(org, content, &Name::version(Version::Poster, version));
        assert_eq!(Key::parse(key.as_str()), Some(key.clone()));
        assert_eq!(key.owner(), Some(Owner::Poster { org, content, version }));
        let key = Key::rendition(org, content, version, &Name::parse("720-0.m4s").unwrap());
        assert_eq!(key.owner(), Some(Owner::Rendition { org, content, set: version }));
        let key = Key::image([0xab; 16]);
        assert_eq!(key.owner(), Some(Owner::Image { name: "ab".repeat(16) }));
        let ids = format!("{}/{}", org.as_simple(), content.as_simple());
        for foreign in [
            "ready".to_owned(),
            format!("staging/{version}"),
            format!("content/{ids}/notes.txt"),
            format!("content/{org}/{content}/source-{}", version.as_simple()),
            format!("content/{ids}/source-{version}"),
            format!("content/{ids}/../source-{}", version.as_simple()),
            format!("images/cd/{}", "ab".repeat(16)),
            format!("images/ab/{}.jpg", "ab".repeat(16)),
        ] {
            assert_eq!(Key::parse(&foreign), None, "{foreign}");
        }
    }

    #[test]
    fn keys_hold_ids_and_fixed_words_only() {
        let (org, content) = (Uid::from_u128(1), Uid::from_u128(2));
        let key = Key::content(org, content, &Name::version(Version::Source, Uid::from_u128(3)));
        assert_eq!(
            key.as_str(),
            "content/00000000000000000000000000000001/00000000000000000000000000000002/\
             source-00000000000000000000000000000003"
        );
        assert_eq!(Key::image([0xab; 16]).as_str(), "images/ab/abababababababababababababababab");
    }
}
