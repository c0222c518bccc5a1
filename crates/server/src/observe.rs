//! Logs.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::cli::BoxError;
use crate::settings::ServerSettings;
#[cfg(feature = "otlp")]
use crate::traces;

/// Starts the log on stderr: one JSON line per event, or readable text on a terminal. stdout is reserved for
/// output. Traces are collected too, if there is an endpoint for them.
///
/// # Errors
/// Fails if the endpoint for traces cannot be used.
pub fn start_log(settings: &ServerSettings) -> Result<(), BoxError> {
    let filter = filter(&settings.log).or_else(|_| filter("info")).unwrap_or_default();
    // A closed stderr is no reason to stop: what cannot be written is dropped. tracing-subscriber would
    // report the error to the same stderr and panic.
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let log = if settings.log_json || !std::io::stderr().is_terminal() {
        log.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
    } else {
        log.compact().boxed()
    };
    #[cfg(feature = "otlp")]
    let subscriber =
        tracing_subscriber::registry().with(log.with_filter(filter)).with(traces::layer(settings)?);
    #[cfg(not(feature = "otlp"))]
    let subscriber = tracing_subscriber::registry().with(filter).with(log);
    if subscriber.try_init().is_err() {
        tracing::debug!("the log has already been started");
    }
    Ok(())
}

/// Targets of Vitrine's own log lines, which the word `vitrine` stands for.
pub(crate) const OWN_TARGETS: [&str; 21] = [
    "analytics",
    "audience",
    "backup",
    "billing",
    "content",
    "db",
    "demo",
    "httpkit",
    "identity",
    "jobs",
    "kernel",
    "leads",
    "mail",
    "media",
    "orgs",
    "payments",
    "playlists",
    "sandbox",
    "server",
    "storage",
    "vitrine",
];

/// Returns whether a log filter consists of levels, each for everything or for one target. Without this check a
/// misspelt level would be taken for a target, and silence all others.
pub fn is_filter(log: &str) -> bool {
    log.split(',').all(|directive| {
        let level = directive.rsplit('=').next().unwrap_or_default().trim();
        level.parse::<LevelFilter>().is_ok() && !level.bytes().all(|byte| byte.is_ascii_digit())
    }) && filter(log).is_ok()
}

/// Builds the log filter. The object store client logs every retry, so it is limited to warnings by default.
fn filter(log: &str) -> Result<EnvFilter, tracing_subscriber::filter::ParseError> {
    let expanded = log.split(',').map(|directive| match directive.trim().strip_prefix("vitrine=") {
        Some(level) => OWN_TARGETS.map(|target| format!("{target}={level}")).join(","),
        None => directive.to_owned(),
    });
    EnvFilter::try_new(format!("object_store=warn,{}", expanded.collect::<Vec<_>>().join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_level_is_no_filter() {
        for log in ["info", "warn,content=debug", "vitrine=debug", "off", "INFO,sqlx=off"] {
            assert!(is_filter(log), "{log}");
        }
        for log in ["", "inof", "info,", "content=debgu", "a=b=c", "7", "content"] {
            assert!(!is_filter(log), "{log}");
        }
    }

    #[test]
    fn the_name_of_the_program_stands_for_all_its_parts() {
        let filter = filter("warn,vitrine=debug").unwrap().to_string();
        assert!(filter.contains("content=debug") && filter.contains("httpkit=debug"), "{filter}");
        assert!(filter.contains("warn"), "{filter}");
    }
}
