//! The `mail_outbox` table.

use db::Stored;
use kernel::{EmailId, JobId, PersonId, Timestamp, Uid};
use sea_orm::entity::prelude::*;

/// The state of an email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum State {
    /// Waits for its job, or for another try.
    #[sea_orm(string_value = "waiting")]
    Waiting,
    /// Accepted by the mail server, or kept as sent if there is none.
    #[sea_orm(string_value = "sent")]
    Sent,
    /// Rejected, given up or expired. Its job may still send it if the operator runs it again.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// A bulk email that became pointless while it waited.
    #[sea_orm(string_value = "withdrawn")]
    Withdrawn,
}

/// An email.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub uid: EmailId,
    pub recipient: String,
    pub kind: String,
    pub subject: String,
    /// Erased once the email left by SMTP, or failed and its links no longer work: links are secrets.
    pub text_body: String,
    pub html_body: String,
    pub state: Stored<State>,
    /// Result of the last failed try: the server's code, or a description if there was none.
    pub last_error: String,
    pub time_created: Timestamp,
    pub attempts: i32,
    /// Time of the last try.
    pub attempted_at: Option<Timestamp>,
    /// The job that sends it.
    pub job: Option<JobId>,
    /// What a bulk email is about.
    pub topic: Option<Uid>,
    /// The recipient of a bulk email.
    pub person: Option<PersonId>,
    /// The unsubscribe address of a bulk email, otherwise empty; erased together with the text.
    pub unsubscribe_url: String,
    /// When its links stop working; `None` if they do not.
    pub expires_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_never_change() {
        assert_eq!(State::values(), ["waiting", "sent", "failed", "withdrawn"]);
    }
}
