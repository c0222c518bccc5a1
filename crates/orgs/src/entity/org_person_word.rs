//! The words by which the people of an organisation are found.

use kernel::{OrgId, PersonId};
use sea_orm::entity::prelude::*;

/// A word of a person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "org_person_word")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub org: OrgId,
    /// UTF-8, folded.
    #[sea_orm(primary_key, auto_increment = false)]
    pub word: Vec<u8>,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person: PersonId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
