//! Emails as seen from outside the crate: those sent and those with a delivery problem.

use kernel::{Millis, Uid};

use crate::entity::mail_outbox::Model;
use crate::store::FAILED;

/// An email that was not sent, for the operator. Contains neither the address nor the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryFailure {
    /// Id of the email, as in the log.
    pub uid: Uid,
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
    pub time: Millis,
}

/// A sent email, for the sandbox's inbox and for tests.
#[derive(Clone, PartialEq, Eq)]
pub struct SentEmail {
    /// Id of the email.
    pub uid: Uid,
    /// The recipient's address.
    pub to: String,
    /// [`crate::EmailMessage::kind`].
    pub kind: String,
    /// The subject line.
    pub subject: String,
    /// The plain text part; empty if it left by SMTP.
    pub text: String,
    /// The HTML part; empty if it left by SMTP.
    pub html: String,
    /// When it was written.
    pub time_created: Millis,
}

impl From<Model> for SentEmail {
    fn from(row: Model) -> Self {
        Self {
            uid: row.uid,
            to: row.recipient,
            kind: row.kind,
            subject: row.subject,
            text: row.text_body,
            html: row.html_body,
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
            failed: row.state == FAILED,
            time: row.attempted_at.unwrap_or(row.time_created),
        }
    }
}
