//! The `mail_outbox` table.

use kernel::{Millis, Uid};
use sea_orm::entity::prelude::*;

/// An email.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: Uid,
    pub recipient: String,
    pub kind: String,
    pub subject: String,
    /// Erased once the email left by SMTP, or failed and its links no longer work: links are secrets.
    pub text_body: String,
    pub html_body: String,
    /// `waiting`, `sent`, `failed` or `withdrawn`.
    pub state: String,
    /// Result of the last failed try: the server's code, or a description if there was none.
    pub last_error: String,
    pub time_created: Millis,
    pub attempts: i32,
    /// Time of the last try.
    pub attempted_at: Option<Millis>,
    /// The job that sends it.
    pub job: Option<Uid>,
    /// What a bulk email is about.
    pub topic: Option<Uid>,
    /// The recipient of a bulk email.
    pub person: Option<Uid>,
    /// The unsubscribe address of a bulk email, otherwise empty; erased together with the text.
    pub unsubscribe_url: String,
    /// When its links stop working; `None` if they do not.
    pub expires_at: Option<Millis>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
