//! JSON shapes used by more than one operation.

use content::{ContentOut, Schedule, ScheduleChange};
use kernel::{ContentId, Patch, Privacy, PublicUrl, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::model::{self, Changes, Draft, Playlist};

/// Statistics of a playlist.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistStatsOut {
    /// Total watch time of all viewers, in milliseconds.
    pub watch_time_ms: i64,
    /// Number of items.
    pub content_count: usize,
}

/// Contact for viewers.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistContactOut {
    /// Email, or empty.
    pub email: String,
    /// Phone number, or empty.
    pub phone_number: String,
}

/// An ordered list of content items.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistOut {
    /// Unique id.
    pub uid: Uuid,
    /// Same value as `uid`.
    pub id: Uuid,
    /// Owning organization.
    pub org_id: Uuid,
    /// Never blank.
    pub title: String,
    /// May be empty.
    pub description: String,
    /// Absolute URL of the thumbnail, or empty.
    pub preview_url: String,
    /// Without a thumbnail: URLs of the images of the first items that have one, at most four. Empty in the answers of
    /// writes.
    pub item_previews: Vec<String>,
    /// Public: listed; unlisted: by link only; private: staff only.
    pub privacy: Privacy,
    /// When app users can see it from; null for no beginning, and for app users.
    pub publish_at: Option<String>,
    /// When app users can no longer see it; null for no end, and for app users.
    pub expire_at: Option<String>,
    /// Contact for viewers.
    pub contact: PlaylistContactOut,
    /// Ids of the content items, in order.
    pub items: Vec<Uuid>,
    /// Watch time and number of items.
    pub stats: PlaylistStatsOut,
    /// Time of creation.
    pub time_created: String,
    /// Time of the last change.
    pub time_modified: String,
}

impl PlaylistOut {
    /// Converts a playlist to its JSON shape for staff.
    pub fn of(playlist: Playlist, public: &PublicUrl) -> Self {
        Self {
            uid: playlist.uid.into(),
            id: playlist.uid.into(),
            org_id: playlist.org.into(),
            title: playlist.title,
            description: playlist.description,
            preview_url: playlist.preview.map(|path| public.at(&path)).unwrap_or_default(),
            item_previews: Vec::new(),
            privacy: playlist.privacy,
            publish_at: playlist.schedule.publish_at.map(iso),
            expire_at: playlist.schedule.expire_at.map(iso),
            contact: PlaylistContactOut {
                email: playlist.contact_email.unwrap_or_default(),
                phone_number: playlist.contact_phone.unwrap_or_default(),
            },
            stats: PlaylistStatsOut { watch_time_ms: playlist.watch_ms, content_count: playlist.items.len() },
            items: playlist.items.into_iter().map(Into::into).collect(),
            time_created: iso(playlist.created_at),
            time_modified: iso(playlist.modified_at),
        }
    }
}

/// An item and the playlist in which the caller can open it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownItemOut {
    /// The item, with addresses for this playlist.
    pub content: ContentOut,
    /// The playlist.
    pub playlist_id: Uuid,
    /// Title of the playlist.
    pub playlist_title: String,
}

/// Contact fields to set; those left out stay as they are.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistContactIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    email: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone_number: Patch<String>,
}

/// Playlist fields to set; those left out stay as they are, or empty in a new playlist.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistIn {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    title: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    description: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    preview_url: Patch<String>,
    privacy: Option<Privacy>,
    /// When app users can see it from, in ISO 8601; null or empty for no beginning.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    publish_at: Patch<String>,
    /// When app users can no longer see it, in ISO 8601; null or empty for no end. After `publishAt`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    expire_at: Patch<String>,
    contact: Option<PlaylistContactIn>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Uuid>>)]
    items: Patch<Vec<ContentId>>,
    /// The `timeModified` the editor saw. If sent and out of date, the request fails with 409.
    time_modified: Option<String>,
}

impl PlaylistIn {
    /// Validates the fields as a change.
    pub fn changes(self, public: &PublicUrl) -> Result<Changes, Error> {
        let contact = self.contact.unwrap_or_default();
        Ok(Changes {
            title: model::title(self.title)?,
            description: model::description(self.description)?,
            preview: model::preview(public, self.preview_url)?,
            privacy: self.privacy,
            schedule: ScheduleChange::parse(self.publish_at, self.expire_at)?,
            contact_email: orgs::contact_email(contact.email)?,
            contact_phone: model::contact_phone(contact.phone_number)?,
            items: model::items(self.items)?,
            expected_modified_at: model::expected_modified_at(self.time_modified.as_deref())?,
        })
    }

    /// Validates the fields as a new playlist, which needs a title.
    pub fn draft(self, public: &PublicUrl) -> Result<Draft, Error> {
        let sent = self.changes(public)?;
        Ok(Draft {
            title: sent.title.ok_or(Error::TitleRequired)?,
            description: sent.description.unwrap_or_default(),
            preview: sent.preview.value(),
            privacy: sent.privacy.unwrap_or(Privacy::Public),
            schedule: sent.schedule.applied_to(Schedule::default())?,
            contact_email: sent.contact_email.value(),
            contact_phone: sent.contact_phone.value(),
            items: sent.items.unwrap_or_default(),
        })
    }
}
