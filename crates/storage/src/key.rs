//! Names of stored objects. Keys consist of ids and fixed words, never of text a person entered.

use std::fmt;

use kernel::{ContentId, OrgId, RunId, Uid, VersionId};

/// First segment of the keys of backups.
pub(crate) const BACKUPS: &str = "backups";
/// First segment of the keys of archived events.
pub(crate) const EVENTS: &str = "events";

/// The last segment of a content item's key: 1 to 80 lower-case letters, digits, `-`, `_` and `.`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Accepts a name that the program generated, such as a rendition's segment. Returns `None` if it has
    /// another form.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
        let fits = (1..=80).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `poster-{uid}-{width}`, the name of a smaller version of a poster, by its width in pixels.
    pub fn poster_of_width(uid: VersionId, width: u32) -> Self {
        let Self(whole) = Self::version(Version::Poster, uid);
        Self(format!("{whole}-{width}"))
    }

    /// Returns `{what}-{uid}`, the name of one version of a file: a new version never overwrites the one
    /// being served.
    pub fn version(what: Version, uid: VersionId) -> Self {
        Self(format!("{}-{}", what.as_str(), uid.as_simple()))
    }
}

/// The files of a content item that have versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The uploaded file.
    Source,
    /// The generated poster image.
    Poster,
}

impl Version {
    fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Poster => "poster",
        }
    }
}

/// What an object belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named after the ids they hold")]
pub enum Owner {
    /// A version of a content item's file.
    Source { org: OrgId, content: ContentId, version: VersionId },
    /// The generated poster image of a version, or a smaller version of it.
    Poster { org: OrgId, content: ContentId, version: VersionId },
    /// A version of captions.
    Captions { org: OrgId, content: ContentId, version: VersionId },
    /// One of the files that a processing run produced from a content item's file.
    Rendition { org: OrgId, content: ContentId, rendition: RunId },
    /// A public image, or a smaller version of it.
    Image { name: String },
    /// A segment of the archive of events.
    Events { org: OrgId, number: i64 },
}

/// Parses an id in the form that keys use.
fn parse_simple<T: From<Uid>>(text: &str) -> Option<T> {
    let uid: Uid = text.parse().ok()?;
    (uid.as_simple().to_string() == text).then(|| uid.into())
}

/// Parses a number above zero in the form that keys use.
fn parse_number(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| *number > 0 && number.to_string() == text)
}

/// Returns whether a text has the form of a day, as in `2026-11-26`.
fn is_day(text: &str) -> bool {
    let is_digit =
        |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(is_digit)
}

/// Splits `{name}-{width}`, where the width may be missing. Returns `None` if it is not written as a number is.
fn without_width(name: &str) -> Option<(&str, Option<u32>)> {
    let Some((name, width)) = name.split_once('-') else { return Some((name, None)) };
    let parsed = width.parse::<u32>().ok().filter(|parsed| parsed.to_string() == width)?;
    Some((name, Some(parsed)))
}

/// The storage location of an object. Displays as its path below the root of the storage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// Returns the key of the object that holds the id of the storage. It belongs to nothing.
    pub(crate) fn storage_id() -> Self {
        Self(".vitrine".to_owned())
    }

    /// Returns the key of the object that marks a folder or prefix as one of backups, and names whose they are.
    pub fn backups_identity() -> Self {
        Self(".vitrine-backups".to_owned())
    }

    /// Returns the key of the list of what people had removed, which is kept beside backups.
    pub fn backups_removals() -> Self {
        Self("removals.jsonl".to_owned())
    }

    /// Returns the key of an object that is written and removed again, to see whether backups can be made.
    pub fn backups_probe() -> Self {
        Self(".vitrine-probe".to_owned())
    }

    /// Returns the key of a part of a backup, or `None` if a name has another form. A part may be in one folder, as in
    /// `tables/job.jsonl.zst`.
    pub fn backup_part(backup: &str, part: &str) -> Option<Self> {
        Self::parse_backup_part(&format!("{BACKUPS}/{backup}/{part}")).map(|(key, ..)| key)
    }

    /// Returns the prefix of the keys of all parts of a backup.
    pub(crate) fn backup_folder(backup: &Name) -> String {
        format!("{BACKUPS}/{}", backup.0)
    }

    /// Parses the path of a part of a backup, and returns the names of both.
    pub(crate) fn parse_backup_part(path: &str) -> Option<(Self, Name, String)> {
        let (backup, part) = path.strip_prefix(BACKUPS)?.strip_prefix('/')?.split_once('/')?;
        let is_part = part.split('/').count() <= 2 && part.split('/').all(|name| Name::parse(name).is_some());
        let backup = Name::parse(backup)?;
        is_part.then(|| (Self(path.to_owned()), backup, part.to_owned()))
    }

    /// Returns the key of a file of a content item.
    pub fn content(org: OrgId, content: ContentId, name: &Name) -> Self {
        Self(format!("{}/{}", Self::content_folder(org, content), name.0))
    }

    /// Returns the key of a file that a processing run produced, with the id of that run.
    pub fn rendition(org: OrgId, content: ContentId, rendition: RunId, name: &Name) -> Self {
        Self(format!("{}/{}", Self::rendition_folder(org, content, rendition), name.0))
    }

    /// Returns the prefix of the keys of all files of one processing run.
    pub fn rendition_folder(org: OrgId, content: ContentId, rendition: RunId) -> String {
        format!("{}/made-{}", Self::content_folder(org, content), rendition.as_simple())
    }

    /// Returns the prefix of the keys of all files of a content item.
    pub(crate) fn content_folder(org: OrgId, content: ContentId) -> String {
        format!("content/{}/{}", org.as_simple(), content.as_simple())
    }

    /// Returns the key of a public image, whose name cannot be guessed.
    pub fn image(random: [u8; 16]) -> Self {
        let hex = hex::encode(random);
        Self(format!("images/{}/{hex}", &hex[..2]))
    }

    /// Returns the key of a smaller version of a public image, by its width in pixels.
    pub fn image_of_width(random: [u8; 16], width: u32) -> Self {
        let Self(whole) = Self::image(random);
        Self(format!("{whole}-{width}"))
    }

    /// Returns the key of a segment of the archive of events: `events/2026-11-26/{org}-{number}.jsonl.zst`. `number` is
    /// that of the segment's row. Returns `None` if `day` or the number has another form.
    pub fn events(day: &str, org: OrgId, number: i64) -> Option<Self> {
        Self::parse(&format!("{EVENTS}/{day}/{}-{number}.jsonl.zst", org.as_simple()))
    }

    /// Parses a path below the root of the storage. Returns `None` if it cannot be the path of one of our
    /// objects.
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
                let (org, content) = (parse_simple(org)?, parse_simple(content)?);
                let Name(name) = Name::parse(name)?;
                let (what, version) = name.split_once('-')?;
                let (version, width) = without_width(version)?;
                let version = parse_simple(version)?;
                Some(match (what, width) {
                    ("source", None) => Owner::Source { org, content, version },
                    ("poster", _) => Owner::Poster { org, content, version },
                    ("captions", None) => Owner::Captions { org, content, version },
                    _ => return None,
                })
            }
            ["content", org, content, rendition, name] => {
                Name::parse(name)?;
                let rendition = parse_simple(rendition.strip_prefix("made-")?)?;
                Some(Owner::Rendition { org: parse_simple(org)?, content: parse_simple(content)?, rendition })
            }
            ["images", folder, name] => {
                let (name, _) = without_width(name)?;
                let digits = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                let fits = name.len() == 32 && name.bytes().all(digits) && &name[..2] == folder;
                fits.then(|| Owner::Image { name: name.to_owned() })
            }
            [EVENTS, day, name] if is_day(day) => {
                let (org, number) = name.strip_suffix(".jsonl.zst")?.split_once('-')?;
                Some(Owner::Events { org: parse_simple(org)?, number: parse_number(number)? })
            }
            _ => None,
        }
    }

    /// Returns the path below the root of the storage: fixed words and ids, separated by slashes.
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
    fn a_key_names_its_owner_and_foreign_paths_are_rejected() {
        let (org, content) = (OrgId::from_u128(1), ContentId::from_u128(2));
        let (version, run) = (VersionId::from_u128(3), RunId::from_u128(3));
        let key = Key::content(org, content, &Name::version(Version::Poster, version));
        assert_eq!(Key::parse(key.as_str()), Some(key.clone()));
        assert_eq!(key.owner(), Some(Owner::Poster { org, content, version }));
        let key = Key::content(org, content, &Name::poster_of_width(version, 400));
        assert_eq!(Key::parse(key.as_str()), Some(key.clone()));
        assert_eq!(key.owner(), Some(Owner::Poster { org, content, version }));
        let key = Key::rendition(org, content, run, &Name::parse("720-0.m4s").unwrap());
        assert_eq!(key.owner(), Some(Owner::Rendition { org, content, rendition: run }));
        let key = Key::image([0xab; 16]);
        assert_eq!(key.owner(), Some(Owner::Image { name: "ab".repeat(16) }));
        let key = Key::image_of_width([0xab; 16], 400);
        assert_eq!(Key::parse(key.as_str()), Some(key.clone()));
        assert_eq!(key.owner(), Some(Owner::Image { name: "ab".repeat(16) }));
        let ids = format!("{}/{}", org.as_simple(), content.as_simple());
        for foreign in [
            "ready".to_owned(),
            format!("staging/{version}"),
            format!("content/{ids}/notes.txt"),
            format!("content/{org}/{content}/source-{}", version.as_simple()),
            format!("content/{ids}/source-{version}"),
            format!("content/{ids}/../source-{}", version.as_simple()),
            format!("content/{ids}/source-{}-400", version.as_simple()),
            format!("content/{ids}/poster-{}-0400", version.as_simple()),
            format!("images/cd/{}", "ab".repeat(16)),
            format!("images/ab/{}.jpg", "ab".repeat(16)),
            format!("images/ab/{}-", "ab".repeat(16)),
            format!("images/ab/{}-0400", "ab".repeat(16)),
            format!("images/ab/{}-400-1", "ab".repeat(16)),
        ] {
            assert_eq!(Key::parse(&foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_segment_of_events_is_named_by_day_organisation_and_number() {
        let org = OrgId::from_u128(1);
        let key = Key::events("2026-11-26", org, 17).unwrap();
        assert_eq!(key.as_str(), "events/2026-11-26/00000000000000000000000000000001-17.jsonl.zst");
        assert_eq!(key.owner(), Some(Owner::Events { org, number: 17 }));
        for (day, number) in
            [("2026-11-2", 1), ("2026/11/26", 1), ("..", 1), ("2026-11-26", 0), ("2026-11-26", -1)]
        {
            assert_eq!(Key::events(day, org, number), None, "{day} {number}");
        }
        for foreign in ["-017.jsonl.zst", "-17.jsonl", "-.jsonl.zst", ".jsonl.zst"] {
            assert_eq!(
                Key::parse(&format!("events/2026-11-26/{}{foreign}", org.as_simple())),
                None,
                "{foreign}"
            );
        }
    }

    #[test]
    fn parts_of_backups_are_no_objects() {
        for part in ["manifest.json", "tables/job.jsonl.zst"] {
            let key = Key::backup_part("000001-20261125-222212", part).unwrap();
            assert_eq!(key.as_str(), format!("backups/000001-20261125-222212/{part}"));
            assert_eq!((key.owner(), Key::parse(key.as_str())), (None, None));
            let (_, backup, found) = Key::parse_backup_part(key.as_str()).unwrap();
            assert_eq!((backup.as_str(), found.as_str()), ("000001-20261125-222212", part));
        }
        for (backup, part) in
            [("", "a"), ("..", "a"), ("a", ".."), ("a", "b/../c"), ("a", "b/c/d"), ("a/b", "")]
        {
            assert_eq!(Key::backup_part(backup, part), None, "{backup} {part}");
        }
    }

    #[test]
    fn keys_hold_ids_and_fixed_words_only() {
        let (org, content) = (OrgId::from_u128(1), ContentId::from_u128(2));
        let key = Key::content(org, content, &Name::version(Version::Source, VersionId::from_u128(3)));
        assert_eq!(
            key.as_str(),
            "content/00000000000000000000000000000001/00000000000000000000000000000002/\
             source-00000000000000000000000000000003"
        );
        let image = "images/ab/abababababababababababababababab";
        assert_eq!(Key::image([0xab; 16]).as_str(), image);
        assert_eq!(Key::image_of_width([0xab; 16], 400).as_str(), format!("{image}-400"));
    }
}
