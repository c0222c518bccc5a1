//! One row per person.

use kernel::{PersonId, Timestamp};
use sea_orm::entity::prelude::*;

/// A person with the profile.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "person")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: PersonId,
    pub email: String,
    pub email_verified: bool,
    pub display_name: String,
    pub first_name: String,
    pub last_name: String,
    pub phone_number: String,
    pub phone_e164: Option<String>,
    pub photo: String,
    pub company: String,
    pub linked_in: String,
    pub address: Option<Json>,
    pub job_title: String,
    pub business_area: String,
    pub terms_accepted_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// `display_name`, folded by [`db::search::folded`].
    pub display_name_folded: String,
    /// All searchable texts of a person, folded, one per line.
    pub search_folded: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
