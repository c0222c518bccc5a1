//! Settings of outgoing mail.

use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

use crate::transport;

/// How emails are sent.
#[derive(Clone, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(default)]
pub struct MailSettings {
    /// The mail server: `smtps://user:password@host` (TLS from the start, port 465),
    /// `smtp://user:password@host?tls=required` (STARTTLS, port 587) or `smtp://host` (no TLS, only for a
    /// server on this machine). If not set, emails stay in the outbox, which the sandbox shows.
    /// `VITRINE_SMTP_URL`.
    #[serde(serialize_with = "without_password")]
    pub smtp_url: String,
    /// A PEM file with the certificate of a private certificate authority that issued the mail server's
    /// certificate. It is trusted in addition to the public ones. `VITRINE_SMTP_CA_FILE`.
    #[schema(value_type = String)]
    pub smtp_ca_file: PathBuf,
    /// The sender of all emails, `Name <address>` or an address. `VITRINE_MAIL_FROM`.
    pub mail_from: String,
}

impl Default for MailSettings {
    fn default() -> Self {
        Self {
            smtp_url: String::new(),
            smtp_ca_file: PathBuf::new(),
            mail_from: format!("{} <no-reply@vitrine.example>", kernel::PRODUCT),
        }
    }
}

impl MailSettings {
    /// Checks whether the server can start with these settings. Reads the file of the private authority.
    /// Fails with a sentence that names the setting and what to do about it.
    pub fn check(&self, sandbox: bool) -> Result<(), String> {
        if self.mail_from.parse::<lettre::message::Mailbox>().is_err() {
            return Err("VITRINE_MAIL_FROM must be an address, or a name with an address in angle brackets."
                .to_owned());
        }
        if self.smtp_url.is_empty() {
            return if sandbox {
                Ok(())
            } else {
                Err("VITRINE_SMTP_URL is missing, but sign-in links are sent by email. Set it to \
                     smtps://user:password@your-mail-server."
                    .to_owned())
            };
        }
        let url = url::Url::parse(&self.smtp_url).ok();
        let Some(url) = url.filter(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host()) else {
            return Err("VITRINE_SMTP_URL must start with smtps:// or smtp:// and contain a host.".to_owned());
        };
        let loopback = url.host_str().is_some_and(|host| {
            host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
        });
        let tls = url.query_pairs().any(|(name, value)| name == "tls" && value == "required");
        if url.scheme() == "smtp" && !tls && !loopback {
            return Err(
                "VITRINE_SMTP_URL would send sign-in links unencrypted. Use smtps://, or add ?tls=required."
                    .to_owned(),
            );
        }
        transport::connection(self).map(drop)
    }
}

impl std::fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailSettings")
            .field("smtp_url", &masked(&self.smtp_url))
            .field("smtp_ca_file", &self.smtp_ca_file)
            .field("mail_from", &self.mail_from)
            .finish()
    }
}

fn masked(address: &str) -> String {
    let Ok(mut url) = url::Url::parse(address) else { return String::new() };
    if url.password().is_some() && url.set_password(Some("********")).is_err() {
        return String::new();
    }
    url.into()
}

fn without_password<S: Serializer>(address: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&masked(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smtp(url: &str) -> MailSettings {
        MailSettings { smtp_url: url.to_owned(), ..MailSettings::default() }
    }

    #[test]
    fn a_server_outside_the_sandbox_needs_an_encrypted_mail_server() {
        assert_eq!(smtp("").check(true), Ok(()));
        assert!(smtp("").check(false).unwrap_err().contains("VITRINE_SMTP_URL"));
        assert_eq!(smtp("smtps://u:p@mail.example.com").check(false), Ok(()));
        assert_eq!(smtp("smtp://u:p@mail.example.com?tls=required").check(false), Ok(()));
        assert_eq!(smtp("smtp://127.0.0.1:2525").check(false), Ok(()));
        assert!(smtp("smtp://mail.example.com").check(false).unwrap_err().contains("unencrypted"));
        assert!(smtp("mail.example.com").check(false).unwrap_err().contains("smtps://"));
        let odd = MailSettings { mail_from: "not an address".into(), ..MailSettings::default() };
        assert!(odd.check(true).unwrap_err().contains("VITRINE_MAIL_FROM"));
    }

    #[test]
    fn a_private_authority_is_read_before_the_server_starts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        let with = |url: &str| MailSettings { smtp_ca_file: file.clone(), ..smtp(url) }.check(false);
        let missing = with("smtps://u:p@mail.example.com").unwrap_err();
        assert!(missing.contains("VITRINE_SMTP_CA_FILE") && missing.contains("ca.pem"), "{missing}");
        std::fs::write(&file, "no certificate").unwrap();
        assert!(with("smtps://u:p@mail.example.com").unwrap_err().contains("contains no PEM certificate"));
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        std::fs::write(&file, broken).unwrap();
        assert!(with("smtp://mail.example.com?tls=required").unwrap_err().contains("VITRINE_SMTP_CA_FILE"));
        let idle = with("smtp://127.0.0.1").unwrap_err();
        assert!(idle.contains("does not use TLS"), "{idle}");
    }

    #[test]
    fn an_unknown_tls_mode_is_refused() {
        let refused = smtp("smtp://127.0.0.1?tls=requird").check(false).unwrap_err();
        assert!(refused.contains("VITRINE_SMTP_URL") && refused.contains("tls=required"), "{refused}");
    }

    #[test]
    fn the_password_prints_as_stars() {
        let settings = smtp("smtps://user:geheim@mail.example.com");
        let shown = format!("{settings:?} {}", serde_json::to_string(&settings).unwrap());
        assert!(!shown.contains("geheim") && shown.contains("user:********@"), "{shown}");
    }
}
