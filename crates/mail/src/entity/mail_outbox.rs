//! A letter: waiting, sent or given up.

use kernel::{Millis, Uid};
use sea_orm::entity::prelude::*;

/// A letter.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uid,
    pub recipient: String,
    pub kind: String,
    pub subject: String,
    /// Emptied once the email left by SMTP, or failed and its links no longer work: links are secrets.
    pub text_body: String,
    pub html_body: String,
    /// `waiting`, `sent`, `failed` or `withdrawn`.
    pub state: String,
    /// The server's last word, a code.
    pub trouble: String,
    pub time_created: Millis,
    /// How often it was tried.
    pub tries: i32,
    /// When it was tried last.
    pub time_tried: Option<Millis>,
    /// The job that sends it.
    pub job: Option<Uid>,
    /// What one of many letters is about.
    pub about: Option<Uid>,
    /// Whom one of many letters goes to.
    pub person: Option<Uid>,
    /// The address at which the person stops such letters, or empty; emptied with the words.
    pub stop: String,
    /// When its links stop working; empty if they do not.
    pub expires_at: Option<Millis>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
