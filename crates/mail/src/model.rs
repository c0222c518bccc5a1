//! Emails as seen from outside the crate: those sent and those with a delivery problem.

use db::{Stored, none_if_empty};
use kernel::{EmailId, Timestamp};

use crate::entity::mail_outbox::{Model, State};
use crate::render::links_of;

/// An email that was not sent, for the operator. Contains neither the address nor the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryFailure {
    /// Id of the email, as in the log.
    pub uid: EmailId,
    /// [`crate::EmailMessage::kind`].
    pub kind: String,
    /// Domain of the recipient's address.
    pub domain: String,
    /// The mail server's code, such as `550`, or a description of the failure if there was none.
    pub code: String,
    /// Tries so far.
    pub attempts: i32,
    /// Whether it was given up; otherwise it will be tried again.
    pub failed: bool,
    /// Time of the last try.
    pub time: Timestamp,
}

/// A sent email, for the sandbox's inbox and for tests.
#[derive(Clone, PartialEq, Eq)]
pub struct SentEmail {
    /// Id of the email.
    pub uid: EmailId,
    /// The recipient's address.
    pub to: String,
    /// [`crate::EmailMessage::kind`].
    pub kind: String,
    /// The subject line.
    pub subject: String,
    /// The plain text part; `None` if it left by SMTP.
    pub text: Option<String>,
    /// The HTML part; `None` if it left by SMTP.
    pub html: Option<String>,
    /// When it was written.
    pub time_created: Timestamp,
}

impl SentEmail {
    /// Returns the web addresses in the text, in order and without duplicates.
    pub fn links(&self) -> Vec<String> {
        self.text.as_deref().map(links_of).unwrap_or_default()
    }
}

impl From<Model> for SentEmail {
    fn from(row: Model) -> Self {
        Self {
            uid: row.uid,
            to: row.recipient,
            kind: row.kind,
            subject: row.subject,
            text: none_if_empty(row.text_body),
            html: none_if_empty(row.html_body),
            time_created: row.time_created,
        }
    }
}

impl From<Model> for DeliveryFailure {
    fn from(row: Model) -> Self {
        let domain = row.recipient.rsplit_once('@').map_or("", |(_, domain)| domain);
        Self {
            uid: row.uid,
            kind: row.kind,
            domain: domain.to_owned(),
            code: row.last_error,
            attempts: row.attempts,
            failed: row.state == Stored::Known(State::Failed),
            time: row.attempted_at.unwrap_or(row.time_created),
        }
    }
}
