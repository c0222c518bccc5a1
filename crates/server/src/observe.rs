//! Logs.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::settings::ServerSettings;

/// Starts the log on stderr: one JSON line per event, or readable text on a terminal. stdout is reserved for
/// output.
pub fn start_log(settings: &ServerSettings) {
    let filter = filter(&settings.log).or_else(|_| filter("info")).unwrap_or_default();
    // A closed stderr is no reason to stop: what cannot be written is dropped. tracing-subscriber would
    // report the error to the same stderr and panic.
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    let started = if settings.log_json || !std::io::stderr().is_terminal() {
        log.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    } else {
        log.compact().try_init()
    };
    if started.is_err() {
        tracing::debug!("the log has already been started");
    }
}

/// Builds the log filter. The object store client logs every retry, so it is limited to warnings by default.
fn filter(log: &str) -> Result<EnvFilter, tracing_subscriber::filter::ParseError> {
    EnvFilter::try_new(format!("object_store=warn,{log}"))
}
