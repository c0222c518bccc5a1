//! Settings of the program itself.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{DAY, Millis};
use serde::{Deserialize, Serialize, Serializer};

use super::SettingsError;
use crate::observe;

/// Master secret: 32 random bytes from which all keys are derived.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct MasterSecret(String);

impl MasterSecret {
    /// Returns `true` if no secret is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes if the text is 32 bytes in base64.
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
    /// Address and port to listen on.
    #[schema(value_type = String)]
    pub listen: SocketAddr,
    /// Public URL of the server: scheme, host and port only. Empty: the listen address.
    pub public_url: String,
    /// Folder for the database, the files and the generated secret.
    #[schema(value_type = String)]
    pub data_dir: PathBuf,
    /// <sqlite:///path/to/file.db> or <postgres://user:password@host/database>. Empty: vitrine.db in the data
    /// folder.
    #[serde(serialize_with = "without_password")]
    pub database_url: String,
    /// Connections of this process to PostgreSQL; three fifths are for reads. A worker has one more, for notices of
    /// new jobs. Not used with SQLite.
    pub database_connections: u32,
    /// Mebibytes of the database that each of the five connections to SQLite keeps in memory at most. Not used with
    /// PostgreSQL.
    pub database_cache_mb: u32,
    /// 32 random bytes in base64 (openssl rand -base64 32). The sandbox generates a secret on its first
    /// start.
    #[schema(value_type = String)]
    pub secret: MasterSecret,
    /// Development mode: local stand-ins for mail, payment and sign-in providers. Only allowed with a
    /// loopback address.
    pub sandbox: bool,
    /// Allows other machines to use the sandbox's pages and calls. Needed in a container, where this machine
    /// connects from another address. Anyone who can reach the port can then read every email.
    pub sandbox_open: bool,
    /// Number of trusted reverse proxies in front of the server that add to X-Forwarded-For.
    pub trusted_proxies: usize,
    /// Header in which a trusted reverse proxy sends the two-letter country of the caller, such as CF-IPCountry.
    /// Empty: none.
    pub country_header: String,
    /// File in the MMDB format with the countries of addresses, such as GeoLite2-Country.mmdb. Used without the header, or if
    /// it names no country. Read at the start. Empty: none.
    #[schema(value_type = String)]
    pub country_file: PathBuf,
    /// Address and port for metrics. Never use a public address: anyone who can reach it can read them.
    /// Empty: disabled.
    pub metrics_listen: String,
    /// URL of a collector of OpenTelemetry that takes traces (OTLP over HTTP), such as <http://127.0.0.1:4318>. Empty: none.
    /// Needs a program that was built with the feature otlp.
    pub otlp_endpoint: String,
    /// Requests and jobs that are traced, in percent.
    pub otlp_percent: f64,
    /// Connections served at the same time.
    pub connections: usize,
    /// Connections served at the same time per address; fewer when half of all connections are in use. 0: no
    /// limit. Empty: 512, or no limit with `trusted_proxies`, because all clients then connect from the proxy's
    /// address.
    #[schema(value_type = Option<usize>)]
    pub connections_per_address: Option<usize>,
    /// API requests per address in ten seconds by people who are not signed in. 0 disables this limit and the
    /// next two.
    pub api_requests_per_10s: u32,
    /// API requests per signed-in person in ten seconds, from all addresses together. 0: no limit.
    pub api_requests_per_10s_person: u32,
    /// API requests per address in ten seconds, signed in or not. 0: no limit.
    pub api_requests_per_10s_address: u32,
    /// Webhooks per address in ten seconds. 0: no limit.
    pub webhook_requests_per_10s: u32,
    /// Sign-in links per address in a minute, and as many sign-in attempts. 0: no limit.
    pub sign_in_tries_per_minute: u32,
    /// Media requests, events and uploads per address in ten seconds. 0: no limit.
    pub media_requests_per_10s: u32,
    /// Seconds on SIGTERM in which new requests are still served while `/readyz` answers 503. With several servers
    /// behind a load balancer: longer than it needs to notice.
    pub drain_seconds: u64,
    /// Seconds for running requests and jobs to finish after that.
    pub grace_seconds: u64,
    /// Number of loops for short jobs in this process.
    pub workers: usize,
    /// Number of loops for ffmpeg jobs in this process. 0: as many as media tools may run at the same time,
    /// which is one transcode per processor unless `media_at_once` is set.
    pub heavy_workers: usize,
    /// Months for which events, views and histories of people with consent are kept. Totals are kept for good, but cannot be
    /// counted again for earlier times. With fewer than 13, unique viewers and devices on the pages of items and playlists cover
    /// only these months.
    pub keep_history_months: u32,
    /// Months for which audit logs are kept.
    pub keep_audit_months: u32,
    /// Moves the events of old days from the database into the storage, where DuckDB and ClickHouse can read them. No line
    /// there names a person.
    pub archive_events: bool,
    /// Days for which events stay in the database with `archive_events`. Totals of earlier days cannot be counted again.
    pub archive_after_days: u32,
    /// Months for which archived events are kept, from the day of the events. 0: for ever.
    pub archive_keep_months: u32,
    /// URL of the page with your plans. Empty: the built-in page.
    pub pricing_url: String,
    /// URL of the terms and conditions.
    pub terms_url: String,
    /// URL of the privacy notice.
    pub privacy_url: String,
    /// URL of the contact page.
    pub contact_url: String,
    /// URL of the help and support page.
    pub help_url: String,
    /// Log filter, such as info or info,content=debug. vitrine=debug stands for all parts of Vitrine.
    pub log: String,
    /// Log one JSON line per event even on a terminal.
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
            database_cache_mb: db::ConnectOptions::default().cache_mb,
            secret: MasterSecret::default(),
            sandbox: false,
            sandbox_open: false,
            trusted_proxies: 0,
            country_header: String::new(),
            country_file: PathBuf::new(),
            metrics_listen: "127.0.0.1:9090".to_owned(),
            otlp_endpoint: String::new(),
            otlp_percent: 1.0,
            connections: 4096,
            connections_per_address: None,
            api_requests_per_10s: 100,
            api_requests_per_10s_person: 300,
            api_requests_per_10s_address: 3000,
            webhook_requests_per_10s: 30,
            sign_in_tries_per_minute: 10,
            media_requests_per_10s: 1000,
            drain_seconds: 0,
            grace_seconds: 10,
            workers: 2,
            heavy_workers: 0,
            keep_history_months: 13,
            keep_audit_months: 24,
            archive_events: false,
            archive_after_days: 90,
            archive_keep_months: 13,
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
    /// Returns the connection limit per address; 0 means no limit. Behind proxies all connections come from
    /// their addresses.
    pub fn connections_per_address(&self) -> usize {
        let usual = if self.trusted_proxies > 0 { 0 } else { 512 };
        self.connections_per_address.unwrap_or(usual)
    }

    /// Returns how long new requests are served after SIGTERM.
    pub fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }

    /// Returns how long running requests and jobs may continue after the drain.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.grace_seconds)
    }

    /// Returns how long events, views and histories are kept.
    pub fn history_kept(&self) -> Millis {
        of_months(self.keep_history_months)
    }

    /// Returns how long audit logs are kept.
    pub fn audit_kept(&self) -> Millis {
        of_months(self.keep_audit_months)
    }

    /// Returns when events are archived, and for how long.
    pub fn archive(&self) -> analytics::ArchiveSettings {
        let kept = of_months(self.archive_keep_months) / DAY;
        analytics::ArchiveSettings {
            enabled: self.archive_events,
            after_days: self.archive_after_days.into(),
            kept_days: (kept > 0).then_some(kept),
        }
    }

    /// Returns a warning if strangers may be able to reach the metrics. A private address counts as a
    /// deliberate choice.
    pub fn metrics_exposure(&self) -> Option<String> {
        let address: SocketAddr = self.metrics_listen.parse().ok()?;
        (!is_private(address.ip().to_canonical())).then(|| {
            format!(
                "metrics are served at {address}, which other machines may reach without signing in. Set \
                 VITRINE_METRICS_LISTEN to a loopback or private address, or close the port to the outside."
            )
        })
    }

    /// Returns what tells the countries of requests.
    pub fn countries(&self) -> Result<analytics::Countries, SettingsError> {
        let header = Some(self.country_header.clone()).filter(|name| !name.is_empty());
        let path = Some(&self.country_file).filter(|path| !path.as_os_str().is_empty());
        let file = path.map(|path| {
            let unusable =
                |error| format!("VITRINE_COUNTRY_FILE: {} cannot be used: {error}.", path.display());
            analytics::CountryFile::open(path).map_err(|error| SettingsError::Invalid(unusable(error)))
        });
        Ok(analytics::Countries { header, file: file.transpose()? })
    }

    fn check_country_header(&self) -> Result<(), SettingsError> {
        if !self.country_header.is_empty() {
            if http::HeaderName::try_from(&self.country_header).is_err() {
                return Err(SettingsError::Invalid(
                    "VITRINE_COUNTRY_HEADER must be the name of a header, such as CF-IPCountry.".to_owned(),
                ));
            }
            if self.trusted_proxies == 0 {
                return Err(SettingsError::Invalid(
                    "VITRINE_COUNTRY_HEADER needs VITRINE_TRUSTED_PROXIES: without a trusted proxy anyone could \
                     choose a country."
                        .to_owned(),
                ));
            }
        }
        Ok(())
    }

    fn check_archive(&self) -> Result<(), SettingsError> {
        let analytics::ArchiveSettings { after_days, kept_days, .. } = self.archive();
        let invalid = |text: &str| Err(SettingsError::Invalid(text.to_owned()));
        // Events arrive up to three days late, and anonymous names are in use for four.
        if !(7..=3650).contains(&after_days) {
            return invalid("VITRINE_ARCHIVE_AFTER_DAYS must be a number from 7 to 3650.");
        }
        if self.archive_keep_months > 240 {
            return invalid("VITRINE_ARCHIVE_KEEP_MONTHS must be a number from 0 to 240.");
        }
        if self.archive_events && after_days * DAY > self.history_kept() {
            return invalid(
                "VITRINE_ARCHIVE_AFTER_DAYS must not be longer than VITRINE_KEEP_HISTORY_MONTHS, after which events leave the \
                 database.",
            );
        }
        if self.archive_events && kept_days.is_some_and(|kept| kept <= after_days) {
            return invalid(
                "VITRINE_ARCHIVE_KEEP_MONTHS must be longer than VITRINE_ARCHIVE_AFTER_DAYS: events would be removed before \
                 they are archived. Both count from the day of the events.",
            );
        }
        Ok(())
    }

    fn check_secret(&self, sandbox: bool) -> Result<(), SettingsError> {
        if self.secret.is_empty() && !sandbox {
            return Err(SettingsError::Invalid(
                "VITRINE_SECRET is missing. Generate one with `openssl rand -base64 32`, keep it safe and set it."
                    .to_owned(),
            ));
        }
        if !self.secret.is_empty() {
            let bytes = self.secret.bytes().ok_or_else(|| {
                SettingsError::Invalid(
                    "VITRINE_SECRET must be 32 bytes in base64, as printed by `openssl rand -base64 32`."
                        .to_owned(),
                )
            })?;
            let distinct = bytes.iter().collect::<std::collections::HashSet<_>>().len();
            if distinct < 16 {
                return Err(SettingsError::Invalid(
                    "VITRINE_SECRET is not random. Generate one with `openssl rand -base64 32`.".to_owned(),
                ));
            }
        }
        Ok(())
    }

    fn check_database(&self) -> Result<(), SettingsError> {
        if self.database_connections < 2 {
            return Err(SettingsError::Invalid(
                "VITRINE_DATABASE_CONNECTIONS must be at least 2: one for reads and one for writes."
                    .to_owned(),
            ));
        }
        if !(1..=4096).contains(&self.database_cache_mb) {
            return Err(SettingsError::Invalid(
                "VITRINE_DATABASE_CACHE_MB must be a number from 1 to 4096.".to_owned(),
            ));
        }
        Ok(())
    }

    pub(super) fn check(&self, sandbox: bool) -> Result<(), SettingsError> {
        self.check_secret(sandbox)?;
        if !observe::is_filter(&self.log) {
            return Err(SettingsError::Invalid(format!(
                "VITRINE_LOG must be a level (off, error, warn, info, debug or trace), and others for single targets, such \
                 as info,content=debug, but is {:?}.",
                self.log
            )));
        }
        self.check_country_header()?;
        self.check_archive()?;
        self.check_database()?;
        // More is a mistake, such as milliseconds.
        if self.drain_seconds.max(self.grace_seconds) > 3600 {
            return Err(SettingsError::Invalid(
                "VITRINE_DRAIN_SECONDS and VITRINE_GRACE_SECONDS must be at most 3600.".to_owned(),
            ));
        }
        for (name, months) in [
            ("VITRINE_KEEP_HISTORY_MONTHS", self.keep_history_months),
            ("VITRINE_KEEP_AUDIT_MONTHS", self.keep_audit_months),
        ] {
            if !(1..=240).contains(&months) {
                return Err(SettingsError::Invalid(format!("{name} must be a number from 1 to 240.")));
            }
        }
        if self.connections == 0 {
            return Err(SettingsError::Invalid("VITRINE_CONNECTIONS must be at least 1.".to_owned()));
        }
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            return Err(SettingsError::Invalid(
                "VITRINE_METRICS_LISTEN must be an address with a port, such as 127.0.0.1:9090.".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Returns the length of that many average months of a leap year, in whole days.
fn of_months(months: u32) -> Millis {
    Millis::from(months) * 366 / 12 * DAY
}

/// Returns `true` if only this machine or a private network can reach the address. The unspecified address,
/// which listens on every interface, is not private.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            // Shared address space, used by overlay networks.
            let is_shared = v4.octets()[0] == 100 && v4.octets()[1] & 0b1100_0000 == 64;
            v4.is_loopback() || v4.is_private() || v4.is_link_local() || is_shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// Serializes the URL with its password masked.
fn without_password<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&masked(url))
}

/// Returns the URL with its password masked.
pub(super) fn masked(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => {
            let user = url[scheme + 3..at].split(':').next().unwrap_or_default();
            format!("{}{user}:********{}", &url[..scheme + 3], &url[at..])
        }
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_of_the_database_has_a_plausible_size() {
        let cache = |database_cache_mb| ServerSettings { database_cache_mb, ..ServerSettings::default() };
        assert!(cache(1).check(true).is_ok() && cache(4096).check(true).is_ok());
        for size in [0, 4097] {
            let refused = cache(size).check(true).unwrap_err().to_string();
            assert_eq!(refused, "VITRINE_DATABASE_CACHE_MB must be a number from 1 to 4096.");
        }
    }

    #[test]
    fn a_file_of_countries_that_cannot_be_used_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let country_file = folder.path().join("countries.mmdb");
        let settings = ServerSettings { country_file: country_file.clone(), ..ServerSettings::default() };
        let refused = || settings.countries().unwrap_err().to_string();
        let beginning = format!("VITRINE_COUNTRY_FILE: {} cannot be used: ", country_file.display());
        assert!(refused().starts_with(&beginning), "{}", refused());
        std::fs::write(&country_file, "no database").unwrap();
        assert!(refused().starts_with(&beginning), "{}", refused());
        assert!(ServerSettings::default().countries().unwrap().file.is_none());
    }

    #[test]
    fn months_are_counted_as_days_and_checked() {
        let kept = |months| ServerSettings { keep_history_months: months, ..ServerSettings::default() };
        assert_eq!((kept(1).history_kept(), kept(13).history_kept()), (30 * DAY, 396 * DAY));
        assert!(kept(13).check(true).is_ok());
        for months in [0, 241] {
            let refused = kept(months).check(true).unwrap_err().to_string();
            assert!(
                refused.contains("VITRINE_KEEP_HISTORY_MONTHS must be a number from 1 to 240."),
                "{refused}"
            );
        }
    }

    #[test]
    fn events_are_archived_before_they_are_removed() {
        let set = |archive_after_days, archive_keep_months| {
            let archive_events = true;
            ServerSettings {
                archive_events,
                archive_after_days,
                archive_keep_months,
                ..ServerSettings::default()
            }
        };
        assert_eq!(set(90, 13).archive().kept_days, Some(396));
        assert_eq!(set(90, 0).archive().kept_days, None);
        for (after, keep, is_valid) in [
            (90, 13, true),
            (90, 0, true),
            (396, 0, true),
            (397, 0, false),
            (3651, 0, false),
            (7, 1, true),
            (6, 13, false),
            (90, 241, false),
            (90, 2, false),
            (30, 1, false),
        ] {
            assert_eq!(set(after, keep).check(true).is_ok(), is_valid, "{after} {keep}");
        }
    }

    #[test]
    fn metrics_on_a_public_address_are_reported() {
        let warns = |listen: &str| {
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
            assert!(!warns(private), "{private}");
        }
        for open in ["0.0.0.0:1", "[::]:1", "[::ffff:0.0.0.0]:1", "203.0.113.9:1", "[2001:db8::1]:1"] {
            assert!(warns(open), "{open}");
        }
    }
}
