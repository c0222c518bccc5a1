//! The two transports: a mail server, or none (the email stays in the outbox for inspection).

use std::time::{Duration, UNIX_EPOCH};

use kernel::{EmailId, Timestamp};
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use url::Url;

use crate::MailSettings;
use crate::texts::one_line;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Time limit for each answer of the mail server.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Why an email was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    /// The server rejected it for now (4xx) or could not be reached. Worth another try.
    #[error("temporary failure: {0}")]
    Temporary(String),
    /// The server rejected it permanently (5xx), or the message cannot be built. No other try.
    #[error("permanent failure: {0}")]
    Permanent(String),
}

/// An email to send.
pub(crate) struct Outgoing<'a> {
    pub(crate) uid: EmailId,
    pub(crate) to: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) text: &'a str,
    pub(crate) html: &'a str,
    /// The unsubscribe address, for bulk email.
    pub(crate) unsubscribe_url: Option<&'a str>,
    pub(crate) created_at: Timestamp,
}

/// Where emails go.
pub(crate) enum Transport {
    /// Nowhere: the row in the outbox is the email.
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
        let mailer = connection(settings)?.timeout(Some(RESPONSE_TIMEOUT)).build();
        Ok(Self::Smtp { mailer: Box::new(mailer), from })
    }

    /// Returns whether the text of a sent email is kept for people to read.
    pub(crate) fn keeps_text(&self) -> bool {
        matches!(self, Self::Outbox)
    }

    pub(crate) async fn send(&self, email: &Outgoing<'_>) -> Result<(), SendError> {
        let Self::Smtp { mailer, from } = self else { return Ok(()) };
        let message = message(from, email)?;
        mailer.send(message).await.map(drop).map_err(|error| {
            let why = describe(&error);
            if error.is_permanent() { SendError::Permanent(why) } else { SendError::Temporary(why) }
        })
    }
}

/// Configures the connection to the mail server without opening it.
pub(crate) fn connection(settings: &MailSettings) -> Result<AsyncSmtpTransportBuilder, String> {
    let wrong = "VITRINE_SMTP_URL is invalid. Use smtps://user:password@host, or smtp:// with ?tls=required.";
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&settings.smtp_url).map_err(|_| wrong)?;
    if settings.smtp_ca_file.as_os_str().is_empty() {
        return Ok(builder);
    }
    let url = Url::parse(&settings.smtp_url).map_err(|_| wrong)?;
    let host = url.host_str().ok_or(wrong)?;
    let mode = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value);
    let wrap: fn(TlsParameters) -> Tls = match (url.scheme(), mode.as_deref()) {
        ("smtps", _) => Tls::Wrapper,
        ("smtp", Some("required")) => Tls::Required,
        _ => {
            return Err(
                "VITRINE_SMTP_CA_FILE is set, but VITRINE_SMTP_URL does not use TLS. Use smtps://, or add \
                        ?tls=required."
                    .to_owned(),
            );
        }
    };
    let tls = TlsParameters::builder(host.to_owned()).add_root_certificate(authority(settings)?).build();
    Ok(builder.tls(wrap(tls.map_err(|_| invalid_certificate(settings))?)))
}

/// Reads the certificate of the private authority.
fn authority(settings: &MailSettings) -> Result<Certificate, String> {
    let path = settings.smtp_ca_file.display();
    let pem = std::fs::read_to_string(&settings.smtp_ca_file)
        .map_err(|error| format!("VITRINE_SMTP_CA_FILE cannot be read ({path}): {error}."))?;
    if !pem.contains("-----BEGIN CERTIFICATE-----") {
        return Err(format!("VITRINE_SMTP_CA_FILE contains no PEM certificate ({path})."));
    }
    Certificate::from_pem(pem.as_bytes()).map_err(|_| invalid_certificate(settings))
}

fn invalid_certificate(settings: &MailSettings) -> String {
    format!("VITRINE_SMTP_CA_FILE contains an invalid certificate ({}).", settings.smtp_ca_file.display())
}

/// Describes a failure for the operator. The server's text may repeat the address, so only its code is kept;
/// a failure without a code is described by this machine.
fn describe(error: &lettre::transport::smtp::Error) -> String {
    if let Some(code) = error.status() {
        return code.to_string();
    }
    if error.is_timeout() {
        return "timed out".to_owned();
    }
    if error.is_response() {
        return "not an SMTP response".to_owned();
    }
    one_line(&error.to_string())
}

/// Builds the message with its text and HTML parts. Message-ID is the id of the email, so that a server that
/// receives it twice can tell.
fn message(from: &Mailbox, email: &Outgoing<'_>) -> Result<Message, SendError> {
    let permanent = |what: &str| SendError::Permanent(what.to_owned());
    let to = email.to.parse().map(|address| Mailbox::new(None, address));
    let created_at = Duration::from_millis(u64::try_from(email.created_at.ms()).unwrap_or(0));
    let mut builder = Message::builder();
    if let Some(address) = email.unsubscribe_url {
        // The address goes into a header as it is.
        if !address.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(permanent("invalid unsubscribe address"));
        }
        builder = builder.header(Unsubscribe(address.to_owned())).header(UnsubscribePost);
    }
    builder
        .date(UNIX_EPOCH + created_at)
        .message_id(Some(format!("<{}@{}>", email.uid, from.email.domain())))
        .from(from.clone())
        .to(to.map_err(|_| permanent("invalid recipient address"))?)
        .subject(email.subject)
        .header(AutoSubmitted)
        .multipart(MultiPart::alternative_plain_html(email.text.to_owned(), email.html.to_owned()))
        .map_err(|_| permanent("the message cannot be built"))
}

/// `Auto-Submitted: auto-generated`, to prevent vacation replies.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, BoxError> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// `List-Unsubscribe: <address>`, for the unsubscribe button of mail clients (RFC 2369).
#[derive(Clone)]
struct Unsubscribe(String);

impl Header for Unsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, BoxError> {
        Ok(Self(text.trim_matches(['<', '>']).to_owned()))
    }

    /// Never folded: an address cannot be broken.
    fn display(&self) -> HeaderValue {
        let value = format!("<{}>", self.0);
        HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
    }
}

/// `List-Unsubscribe-Post: List-Unsubscribe=One-Click`: a POST to the address is enough (RFC 8058).
#[derive(Clone)]
struct UnsubscribePost;

impl Header for UnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, BoxError> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_cannot_add_a_header() {
        let from: Mailbox = "Vitrine <no-reply@example.com>".parse().unwrap();
        let email = Outgoing {
            uid: EmailId::from_u128(1),
            to: "ada@example.com",
            subject: "Hello\r\nBcc: all@example.com",
            text: "text",
            html: "<p>html</p>",
            unsubscribe_url: None,
            created_at: Timestamp::from_ms(1_800_000_000_000),
        };
        let bytes = message(&from, &email).unwrap().formatted();
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
        assert!(text.contains("Message-ID: <00000000-0000-0000-0000-000000000001@example.com>"), "{text}");
        assert!(text.contains("multipart/alternative"), "{text}");
    }
}
