//! Playlists and the rules for their fields. No async, no SQL, no HTTP.

use std::collections::HashSet;

use kernel::{ContentId, DAY, Millis, OrgId, Patch, PlaylistId, Privacy, PublicUrl, Timestamp, WebUrl};

use content::{PlaylistAccess, Schedule, ScheduleChange};

use crate::Error;

const TITLE_MAX: usize = 500;
const DESCRIPTION_MAX: usize = 10_000;
const PHONE_MAX: usize = 40;
/// How long a deleted playlist can be restored.
pub const DELETED_LIFETIME: Millis = 30 * DAY;
/// Most items a playlist can hold.
pub const ITEMS_MAX: usize = 500;

/// A playlist with the ids of its items, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playlist {
    /// Identifies the playlist on the wire and in URLs.
    pub uid: PlaylistId,
    /// Owning organization.
    pub org: OrgId,
    /// Never blank.
    pub title: String,
    /// May be empty.
    pub description: String,
    /// Path of the thumbnail.
    pub preview: Option<String>,
    /// Public: listed; unlisted: by link only; private: staff only.
    pub privacy: Privacy,
    /// When app users may see it.
    pub schedule: Schedule,
    /// Contact email.
    pub contact_email: Option<String>,
    /// Contact phone, as typed.
    pub contact_phone: Option<String>,
    /// Ids of the content items, in order.
    pub items: Vec<ContentId>,
    /// Total watch time of all viewers.
    pub watch_ms: Millis,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change; strictly increases.
    pub modified_at: Timestamp,
}

impl Playlist {
    /// Returns what decides who may open it.
    pub fn access(&self) -> PlaylistAccess {
        PlaylistAccess { privacy: self.privacy, schedule: self.schedule }
    }
}

/// The fields of a new playlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub title: String,
    pub description: String,
    pub preview: Option<String>,
    pub privacy: Privacy,
    pub schedule: Schedule,
    pub contact_email: Option<String>,
    pub contact_phone: Option<String>,
    pub items: Vec<ContentId>,
}

/// A change to a playlist; `None` and `Patch::Absent` leave a field as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub title: Option<String>,
    pub description: Option<String>,
    pub preview: Patch<String>,
    pub privacy: Option<Privacy>,
    pub schedule: ScheduleChange,
    pub contact_email: Patch<String>,
    pub contact_phone: Patch<String>,
    pub items: Option<Vec<ContentId>>,
    /// The `modified_at` the editor saw; any other value is a conflict.
    pub expected_modified_at: Option<Timestamp>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// Newest first.
    #[default]
    New,
    /// By title, A to Z.
    Title,
    /// Most watched first.
    Watched,
}

/// Checks a title: not blank and not too long.
pub fn title(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(title) if title.trim().is_empty() => Err(Error::TitleRequired),
        Some(title) if title.chars().count() > TITLE_MAX => Err(Error::TooLong("title")),
        other => Ok(other),
    }
}

/// Checks a description, which may be empty.
pub fn description(value: Patch<String>) -> Result<Option<String>, Error> {
    match value.or_null(String::new()) {
        Some(text) if text.chars().count() > DESCRIPTION_MAX => Err(Error::TooLong("description")),
        other => Ok(other),
    }
}

/// Checks a contact phone number, which is kept as typed. An empty one clears it, as null does.
pub fn contact_phone(value: Patch<String>) -> Result<Patch<String>, Error> {
    match value.null_if_empty() {
        Patch::Value(text) if text.chars().count() > PHONE_MAX => Err(Error::TooLong("contact.phoneNumber")),
        other => Ok(other),
    }
}

/// Returns the path of a thumbnail. An empty one clears it, as null does. Only addresses of this server are
/// accepted, and they are stored as paths. Whether the image belongs to the organisation is checked by the
/// content crate.
pub fn preview(public: &PublicUrl, value: Patch<String>) -> Result<Patch<String>, Error> {
    value.null_if_empty().try_map(|text| match public.image_path(&text) {
        Some(path) => Ok(path.to_owned()),
        None if text.starts_with('/') || WebUrl::parse(&text).is_some() => Err(Error::ForeignImage),
        None => Err(Error::InvalidPreview),
    })
}

/// Parses the `timeModified` that an editor sent, if any.
pub fn expected_modified_at(time_modified: Option<&str>) -> Result<Option<Timestamp>, Error> {
    match time_modified {
        None => Ok(None),
        Some(text) => kernel::from_iso(text).map(Some).ok_or(Error::InvalidTime),
    }
}

/// Checks that the items are distinct and not too many. Whether they belong to the organisation is checked by
/// the content crate.
pub fn items(value: Patch<Vec<ContentId>>) -> Result<Option<Vec<ContentId>>, Error> {
    let items = value.or_null(Vec::new());
    if let Some(items) = &items {
        if items.len() > ITEMS_MAX {
            return Err(Error::TooManyItems);
        }
        if items.iter().collect::<HashSet<_>>().len() < items.len() {
            return Err(Error::DuplicateItem);
        }
    }
    Ok(items)
}

/// Returns the items of `sent` that may be stored: those that are `known`. An item that was deleted while in
/// the list is dropped silently; an unknown item that was never in the list is refused.
pub fn retain_existing(
    sent: &[ContentId],
    known: &[ContentId],
    stored: &[ContentId],
) -> Result<Vec<ContentId>, Error> {
    let (known, stored): (HashSet<_>, HashSet<_>) = (known.iter().collect(), stored.iter().collect());
    if sent.iter().any(|item| !known.contains(item) && !stored.contains(item)) {
        return Err(Error::ForeignItems);
    }
    Ok(sent.iter().filter(|item| known.contains(item)).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_needs_a_visible_character() {
        for blank in [Patch::Null, Patch::Value(String::new()), Patch::Value(" \t".into())] {
            assert!(matches!(title(blank), Err(Error::TitleRequired)));
        }
        assert_eq!(title(Patch::Value("A".into())).unwrap().as_deref(), Some("A"));
        assert_eq!(title(Patch::Absent).unwrap(), None);
    }

    #[test]
    fn an_empty_text_clears_a_field_as_null_does() {
        let public = PublicUrl::parse("http://v.example").unwrap();
        let empty = Patch::Value(String::new());
        for (value, expected) in
            [(Patch::Absent, Patch::Absent), (Patch::Null, Patch::Null), (empty, Patch::Null)]
        {
            assert_eq!(preview(&public, value.clone()).unwrap(), expected);
            assert_eq!(contact_phone(value).unwrap(), expected);
        }
        assert_eq!(contact_phone(Patch::Value("1".into())).unwrap(), Patch::Value("1".to_owned()));
    }

    #[test]
    fn an_item_can_be_listed_only_once() {
        assert!(matches!(items(Patch::Value(vec![ContentId::nil(); 2])), Err(Error::DuplicateItem)));
        assert_eq!(items(Patch::Null).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn deleted_items_are_dropped_and_unknown_ones_refused() {
        let [kept, gone, foreign] = [1, 2, 3].map(ContentId::from_u128);
        assert_eq!(retain_existing(&[gone, kept], &[kept], &[kept, gone]).unwrap(), [kept]);
        assert!(matches!(retain_existing(&[kept, foreign], &[kept], &[kept]), Err(Error::ForeignItems)));
    }
}
