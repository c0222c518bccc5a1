//! Settings of the program itself.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize, Serializer};

use super::SettingsError;

/// The 32 random bytes everything secret is derived from.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct MasterSecret(String);

impl MasterSecret {
    /// Whether none was set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes, if it is 32 of them in base64.
    pub fn bytes(&self) -> Option<[u8; 32]> {
        STANDARD.decode(self.0.trim()).ok()?.try_into().ok()
    }
}

impl std::fmt::Debug for MasterSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "" } else { "********" })
    }
}

impl Serialize for MasterSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.0.is_empty() { "" } else { "********" })
    }
}

/// Addresses, secrets, limits and links of the program.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServerSettings {
    /// Where the server listens.
    #[schema(value_type = String)]
    pub listen: SocketAddr,
    /// The address people use, scheme and host alone. Empty: the address listened on.
    pub public_url: String,
    /// The folder for the database, the files and the generated secret.
    #[schema(value_type = String)]
    pub data_dir: PathBuf,
    /// sqlite:///path/to/file.db or postgres://user:password@host/database. Empty: vitrine.db in the data folder.
    #[serde(serialize_with = "without_password")]
    pub database_url: String,
    /// Connections of this process to PostgreSQL; three of five are for reads. SQLite does not use it.
    pub database_connections: u32,
    /// 32 random bytes in base64 (openssl rand -base64 32). The sandbox makes its own on the first start.
    #[schema(value_type = String)]
    pub secret: MasterSecret,
    /// Local stand-ins for mail, payment and sign-in providers. Only under a loopback address.
    pub sandbox: bool,
    /// Whether machines other than this one may use the sandbox's pages and calls: in a container, where this
    /// machine comes by another address. Everybody who reaches the port reads every mail then.
    pub sandbox_open: bool,
    /// How many reverse proxies of yours stand in front and add to X-Forwarded-For.
    pub trusted_proxies: usize,
    /// Where metrics are served; never a public address, as everybody who reaches it reads them. Empty: nowhere.
    pub metrics_listen: String,
    /// Connections served at once.
    pub connections: usize,
    /// Connections served at once to one address; fewer when half of all connections are taken. 0 for no limit.
    /// Empty: 512, or no limit with trusted_proxies, where everybody comes from the proxy's address.
    #[schema(value_type = Option<usize>)]
    pub connections_per_address: Option<usize>,
    /// API requests from one address in ten seconds by people who are not signed in; 0 turns this limit and the
    /// next two off.
    pub api_requests_per_10s: u32,
    /// API requests of one signed-in person in ten seconds, from whatever addresses; 0 for no limit.
    pub api_requests_per_10s_person: u32,
    /// API requests from one address in ten seconds, signed in or not; 0 for no limit.
    pub api_requests_per_10s_address: u32,
    /// Webhooks from one address in ten seconds; 0 for no limit.
    pub webhook_requests_per_10s: u32,
    /// Sign-in links asked for from one address in a minute, and as many tries to sign in; 0 for no limit.
    pub sign_in_tries_per_minute: u32,
    /// Media requests, events and uploads from one address in ten seconds; 0 for no limit.
    pub media_requests_per_10s: u32,
    /// Loops for short jobs in this process.
    pub workers: usize,
    /// Loops for ffmpeg jobs in this process. 0: as many as media tools may run at the same time, which is one
    /// transcode a processor unless media_at_once says otherwise.
    pub heavy_workers: usize,
    /// Where plans are shown. Empty: this server's own page.
    pub pricing_url: String,
    /// Terms and conditions.
    pub terms_url: String,
    /// Privacy notice.
    pub privacy_url: String,
    /// Contact us.
    pub contact_url: String,
    /// Help and support.
    pub help_url: String,
    /// Log filter, such as info or vitrine=debug.
    pub log: String,
    /// Log as one JSON line an event even on a terminal.
    pub log_json: bool,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: String::new(),
            data_dir: PathBuf::from("./data"),
            database_url: String::new(),
            database_connections: db::ConnectOptions::default().connections,
            secret: MasterSecret::default(),
            sandbox: false,
            sandbox_open: false,
            trusted_proxies: 0,
            metrics_listen: "127.0.0.1:9090".to_owned(),
            connections: 4096,
            connections_per_address: None,
            api_requests_per_10s: 100,
            api_requests_per_10s_person: 300,
            api_requests_per_10s_address: 3000,
            webhook_requests_per_10s: 30,
            sign_in_tries_per_minute: 10,
            media_requests_per_10s: 1000,
            workers: 2,
            heavy_workers: 0,
            pricing_url: String::new(),
            terms_url: "https://example.com/terms".to_owned(),
            privacy_url: "https://example.com/privacy".to_owned(),
            contact_url: "https://example.com/contact".to_owned(),
            help_url: "https://example.com/help".to_owned(),
            log: "info".to_owned(),
            log_json: false,
        }
    }
}

impl ServerSettings {
    /// Connections of one address; 0 is no limit. Behind proxies every connection is from one of their addresses.
    pub fn connections_per_address(&self) -> usize {
        let usual = if self.trusted_proxies > 0 { 0 } else { 512 };
        self.connections_per_address.unwrap_or(usual)
    }

    /// Why the address of the metrics should be another one: strangers may reach it. A private address is one
    /// that somebody chose.
    pub fn metrics_exposure(&self) -> Option<String> {
        let address: SocketAddr = self.metrics_listen.parse().ok()?;
        (!is_private(address.ip().to_canonical())).then(|| {
            format!(
                "metrics are served at {address}, which other machines may reach without signing in. Set \
                 VITRINE_METRICS_LISTEN to a loopback or private address, or close the port to the outside."
            )
        })
    }

    pub(super) fn check(&self, sandbox: bool) -> Result<(), SettingsError> {
        if self.secret.is_empty() && !sandbox {
            return Err(SettingsError::Wrong(
                "VITRINE_SECRET is missing. Make one with `openssl rand -base64 32`, keep it safe, and set it."
                    .to_owned(),
            ));
        }
        if !self.secret.is_empty() {
            let bytes = self.secret.bytes().ok_or_else(|| {
                SettingsError::Wrong(
                    "VITRINE_SECRET must be 32 bytes in base64, as `openssl rand -base64 32` prints them."
                        .to_owned(),
                )
            })?;
            let distinct = bytes.iter().collect::<std::collections::HashSet<_>>().len();
            if distinct < 16 {
                return Err(SettingsError::Wrong(
                    "VITRINE_SECRET is not random. Make one with `openssl rand -base64 32`.".to_owned(),
                ));
            }
        }
        if self.database_connections < 2 {
            return Err(SettingsError::Wrong(
                "VITRINE_DATABASE_CONNECTIONS must be at least 2: one for reads and one for writes."
                    .to_owned(),
            ));
        }
        if self.connections == 0 {
            return Err(SettingsError::Wrong("VITRINE_CONNECTIONS must be at least 1.".to_owned()));
        }
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            return Err(SettingsError::Wrong(
                "VITRINE_METRICS_LISTEN must be an address with a port, such as 127.0.0.1:9090.".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Whether only this machine or a private network reaches an address; every interface is not private.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            // Shared address space, as overlay networks use it.
            let is_shared = v4.octets()[0] == 100 && v4.octets()[1] & 0b1100_0000 == 64;
            v4.is_loopback() || v4.is_private() || v4.is_link_local() || is_shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// The address with stars for its password.
fn without_password<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let shown = match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}{user}:********{}", &url[..scheme + 3], &url[at..])
        }
        _ => url.to_owned(),
    };
    serializer.serialize_str(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_on_an_address_that_strangers_may_reach_are_told() {
        let told = |listen: &str| {
            let settings = ServerSettings { metrics_listen: listen.to_owned(), ..ServerSettings::default() };
            settings.metrics_exposure().is_some()
        };
        for private in [
            "",
            "127.0.0.1:1",
            "[::1]:1",
            "10.1.2.3:1",
            "192.168.0.9:1",
            "100.64.0.1:1",
            "[fd00::1]:1",
            "[::ffff:10.1.2.3]:1",
        ] {
            assert!(!told(private), "{private}");
        }
        for open in ["0.0.0.0:1", "[::]:1", "[::ffff:0.0.0.0]:1", "203.0.113.9:1", "[2001:db8::1]:1"] {
            assert!(told(open), "{open}");
        }
    }
}
