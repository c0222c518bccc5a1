//! Logs and metrics.

use std::io::IsTerminal as _;
use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use crate::settings::ServerSettings;

/// Starts the log: one JSON line an event, or readable text on a terminal. It goes to stderr; stdout is for
/// answers.
pub fn start_log(settings: &ServerSettings) {
    let filter = filter(&settings.log).or_else(|_| filter("info")).unwrap_or_default();
    // A reader of the log that went away is no reason to stop: what cannot be written is dropped. The crate's own
    // complaint about it would go to the same stderr, and panic there.
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
        tracing::debug!("the log was started before");
    }
}

/// What is logged. The client of the object store tells of each repetition: that is read only by whoever asks for it.
fn filter(log: &str) -> Result<EnvFilter, tracing_subscriber::filter::ParseError> {
    EnvFilter::try_new(format!("object_store=warn,{log}"))
}

/// Collects metrics and serves them on their own address.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn serve_metrics(listen: &str, stop: CancellationToken) -> std::io::Result<()> {
    if listen.is_empty() {
        return Ok(());
    }
    let Ok(handle) = PrometheusBuilder::new().install_recorder() else { return Ok(()) };
    let address: SocketAddr = listen.parse().map_err(std::io::Error::other)?;
    let listener = TcpListener::bind(address).await?;
    let app = Router::new().route("/metrics", get(move || render(handle.clone())));
    tokio::spawn(async move {
        let served = httpkit::serve(listener, app, httpkit::ServeSettings::default(), stop.cancelled()).await;
        if let Err(error) = served {
            tracing::warn!(%error, "metrics are no longer served");
        }
    });
    Ok(())
}

async fn render(handle: PrometheusHandle) -> String {
    handle.run_upkeep();
    handle.render()
}
