//! One row per organisation.

use db::Stored;
use kernel::{AccountId, OrgId, PlaylistId, Privacy, Timestamp};
use sea_orm::entity::prelude::*;

use crate::model::Standing;

/// An organisation with its settings, branding and pins.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "organisation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: OrgId,
    pub name: String,
    pub description: String,
    pub logo: String,
    pub website: String,
    pub privacy: Stored<Privacy>,
    pub join_code: Option<String>,
    pub default_playlist: Option<PlaylistId>,
    /// Array of playlist uids, in display order.
    pub pinned_playlists: Json,
    pub theme_background: String,
    pub theme_primary: String,
    pub theme_secondary: String,
    pub theme_text: String,
    pub contact_email: String,
    pub contact_phone: String,
    pub standing: Stored<Standing>,
    pub suspended_from: Option<Timestamp>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
    /// The billing account that owned it when it was deleted.
    pub deleted_account: Option<AccountId>,
    /// When those who pay were told that it will be removed, because it was deleted.
    pub removal_announced_at: Option<Timestamp>,
    /// When the removal of its data began. It cannot be restored any more.
    pub purge_began_at: Option<Timestamp>,
    /// When all its data was removed.
    pub purged_at: Option<Timestamp>,
    /// IANA name.
    pub time_zone: String,
    /// Number of rows in `org_person`.
    pub person_count: i64,
    pub full_reported_at: Timestamp,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
