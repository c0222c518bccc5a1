//! The two ways a letter goes: to a mail server, or nowhere (it stays in the outbox to be looked at).

use std::time::Duration;

use kernel::Uid;
use lettre::message::{Mailbox, MultiPart};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::MailSettings;

/// Why a letter did not leave.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    /// The server said "later" (4xx), or could not be reached: worth another try.
    #[error("not now: {0}")]
    Later(String),
    /// The server said "never" (5xx), or the letter cannot be written: no other try.
    #[error("refused for good: {0}")]
    Never(String),
}

/// A letter on its way.
pub(crate) struct Outgoing<'a> {
    pub(crate) uid: Uid,
    pub(crate) to: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) text: &'a str,
    pub(crate) html: &'a str,
}

/// Where letters go.
pub(crate) enum Transport {
    /// Nowhere: the row in the outbox is the letter.
    Outbox,
    /// To a mail server.
    Smtp { mailer: Box<AsyncSmtpTransport<Tokio1Executor>>, from: Mailbox },
}

impl Transport {
    pub(crate) fn new(settings: &MailSettings) -> Result<Self, String> {
        if settings.smtp_url.is_empty() {
            return Ok(Self::Outbox);
        }
        let from = settings.mail_from.parse().map_err(|error| format!("VITRINE_MAIL_FROM: {error}"))?;
        let mailer = AsyncSmtpTransport::<Tokio1Executor>::from_url(&settings.smtp_url)
            .map_err(|error| format!("VITRINE_SMTP_URL: {error}"))?
            .timeout(Some(Duration::from_secs(30)))
            .build();
        Ok(Self::Smtp { mailer: Box::new(mailer), from })
    }

    /// Whether a sent letter is kept whole for a person to read.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, Self::Outbox)
    }

    pub(crate) async fn send(&self, letter: &Outgoing<'_>) -> Result<(), SendError> {
        let Self::Smtp { mailer, from } = self else { return Ok(()) };
        let message = message(from, letter)?;
        mailer.send(message).await.map(drop).map_err(|error| {
            // The server's words may repeat the address; the code alone is kept.
            let code = error.status().map_or_else(|| "no answer".to_owned(), |code| code.to_string());
            if error.is_permanent() { SendError::Never(code) } else { SendError::Later(code) }
        })
    }
}

/// The message with its text and HTML parts. The id is the letter's own, so that a server that got it twice can
/// tell.
fn message(from: &Mailbox, letter: &Outgoing<'_>) -> Result<Message, SendError> {
    let never = |what: &str| SendError::Never(what.to_owned());
    let to = letter.to.parse().map(|address| Mailbox::new(None, address));
    Message::builder()
        .message_id(Some(format!("<{}@{}>", letter.uid, from.email.domain())))
        .from(from.clone())
        .to(to.map_err(|_| never("the address cannot be written to"))?)
        .subject(letter.subject)
        .header(AutoSubmitted)
        .multipart(MultiPart::alternative_plain_html(letter.text.to_owned(), letter.html.to_owned()))
        .map_err(|_| never("the letter cannot be written"))
}

/// `Auto-Submitted: auto-generated`, so that holiday replies stay away.
#[derive(Clone)]
struct AutoSubmitted;

impl lettre::message::header::Header for AutoSubmitted {
    fn name() -> lettre::message::header::HeaderName {
        lettre::message::header::HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> lettre::message::header::HeaderValue {
        lettre::message::header::HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_cannot_add_a_header() {
        let from: Mailbox = "Vitrine <no-reply@example.com>".parse().unwrap();
        let letter = Outgoing {
            uid: Uid::from_u128(1),
            to: "ada@example.com",
            subject: "Hello\r\nBcc: all@example.com",
            text: "text",
            html: "<p>html</p>",
        };
        let bytes = message(&from, &letter).unwrap().formatted();
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
        assert!(text.contains("Message-ID: <00000000-0000-0000-0000-000000000001@example.com>"), "{text}");
        assert!(text.contains("multipart/alternative"), "{text}");
    }
}
