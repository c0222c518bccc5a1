//! One row per organisation.

use sea_orm::entity::prelude::*;

/// An organisation with its settings, branding and pins.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "organisation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uuid,
    pub name: String,
    pub description: String,
    pub logo: String,
    pub website: String,
    pub privacy: String,
    pub join_code: Option<String>,
    pub default_playlist: Option<Uuid>,
    /// Array of playlist uids, in display order.
    pub pinned_playlists: Json,
    pub theme_background: String,
    pub theme_primary: String,
    pub theme_secondary: String,
    pub theme_text: String,
    pub contact_email: String,
    pub contact_phone: String,
    pub standing: String,
    pub created_at: i64,
    pub modified_at: i64,
    pub deleted_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
