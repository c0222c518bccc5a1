//! JSON shapes used by more than one operation.

use kernel::{Patch, Privacy, PublicUrl, Uid, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::model::{self, Changes, Draft, Playlist};

/// Numbers of a playlist.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistStatsOut {
    /// Watch time of everybody, in milliseconds.
    pub watch_time_ms: i64,
    /// How many items it has.
    pub content_count: usize,
}

/// Whom to write to or call.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistContactOut {
    /// E-mail, or empty.
    pub email: String,
    /// Phone number, or empty.
    pub phone_number: String,
}

/// A playlist (spec section 3).
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaylistOut {
    /// Its id.
    pub uid: Uuid,
    /// The same id.
    pub id: Uuid,
    /// Its organisation.
    pub org_id: Uuid,
    /// Its title.
    pub title: String,
    /// Its description, or empty.
    pub description: String,
    /// Absolute address of its thumbnail, or empty.
    pub preview_url: String,
    /// Who may see it.
    pub privacy: Privacy,
    /// Its contact.
    pub contact: PlaylistContactOut,
    /// Its content, in order.
    pub items: Vec<Uuid>,
    /// Its numbers.
    pub stats: PlaylistStatsOut,
    /// When it was made.
    pub time_created: String,
    /// When it was changed last.
    pub time_modified: String,
}

impl PlaylistOut {
    /// The wire shape of a playlist.
    pub fn of(playlist: Playlist, public: &PublicUrl) -> Self {
        Self {
            uid: playlist.uid,
            id: playlist.uid,
            org_id: playlist.org,
            title: playlist.title,
            description: playlist.description,
            preview_url: public.address_of(&playlist.preview),
            privacy: playlist.privacy,
            contact: PlaylistContactOut {
                email: playlist.contact_email,
                phone_number: playlist.contact_phone,
            },
            stats: PlaylistStatsOut { watch_time_ms: playlist.watch_ms, content_count: playlist.items.len() },
            items: playlist.items,
            time_created: iso(playlist.created_at),
            time_modified: iso(playlist.modified_at),
        }
    }
}

/// A contact as sent; what is not sent stays.
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

/// A playlist as sent; what is not sent stays as it is, or empty in a new one.
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
    contact: Option<PlaylistContactIn>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Uuid>>)]
    items: Patch<Vec<Uid>>,
    /// The state the editor saw; sent along, a newer one is refused with 409.
    time_modified: Option<String>,
}

impl PlaylistIn {
    /// The change that was sent.
    pub fn changes(self, public: &PublicUrl) -> Result<Changes, Error> {
        let contact = self.contact.unwrap_or_default();
        Ok(Changes {
            title: model::title(self.title)?,
            description: model::description(self.description)?,
            preview: model::preview(public, self.preview_url)?,
            privacy: self.privacy,
            contact_email: orgs::contact_email(contact.email)?,
            contact_phone: model::contact_phone(contact.phone_number)?,
            items: model::items(self.items)?,
            seen_modified_at: model::seen(self.time_modified.as_deref())?,
        })
    }

    /// The new playlist that was sent; the title may not be left out.
    pub fn draft(self, public: &PublicUrl) -> Result<Draft, Error> {
        let sent = self.changes(public)?;
        Ok(Draft {
            title: sent.title.ok_or(Error::TitleRequired)?,
            description: sent.description.unwrap_or_default(),
            preview: sent.preview.unwrap_or_default(),
            privacy: sent.privacy.unwrap_or(Privacy::Public),
            contact_email: sent.contact_email.unwrap_or_default(),
            contact_phone: sent.contact_phone.unwrap_or_default(),
            items: sent.items.unwrap_or_default(),
        })
    }
}
