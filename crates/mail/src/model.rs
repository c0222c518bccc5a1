//! Letters as others see them: those sent, and those in trouble.

use kernel::{Millis, Uid};

use crate::entity::mail_outbox::Model;
use crate::store::FAILED;

/// A letter that was not sent: for the operator. It tells neither the address nor the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The letter's id, as in the log.
    pub uid: Uid,
    /// [`crate::Letter::kind`].
    pub kind: String,
    /// What stands behind the @ of the recipient's address.
    pub domain: String,
    /// The mail server's code, such as `550`, or what happened where it gave none.
    pub code: String,
    /// How often it was tried.
    pub tries: i32,
    /// Whether it was given up; else it is tried again.
    pub failed: bool,
    /// When it was tried last.
    pub time: Millis,
}

/// A letter as it was sent: for the sandbox's inbox and for tests.
#[derive(Clone, PartialEq, Eq)]
pub struct SentLetter {
    /// The letter's id.
    pub uid: Uid,
    /// Whom it went to.
    pub to: String,
    /// [`crate::Letter::kind`].
    pub kind: String,
    /// The subject.
    pub subject: String,
    /// The plain part; empty when it left by SMTP.
    pub text: String,
    /// The HTML part; empty when it left by SMTP.
    pub html: String,
    /// When it was written.
    pub time_created: Millis,
}

impl From<Model> for SentLetter {
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

impl From<Model> for Trouble {
    fn from(row: Model) -> Self {
        let domain = row.recipient.rsplit_once('@').map_or("", |(_, domain)| domain);
        Self {
            uid: row.uid,
            kind: row.kind,
            domain: domain.to_owned(),
            code: row.trouble,
            tries: row.tries,
            failed: row.state == FAILED,
            time: row.time_tried.unwrap_or(row.time_created),
        }
    }
}
