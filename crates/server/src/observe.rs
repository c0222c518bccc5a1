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

/// Collects metrics and serves them on a separate address.
///
/// # Errors
/// Fails if it cannot listen on the address.
pub async fn serve_metrics(listen: &str, stop: CancellationToken) -> std::io::Result<()> {
    if listen.is_empty() {
        return Ok(());
    }
    let Ok(handle) = PrometheusBuilder::new().install_recorder() else { return Ok(()) };
    let address: SocketAddr = listen.parse().map_err(std::io::Error::other)?;
    let listener = TcpListener::bind(address).await?;
    let app = Router::new().route("/metrics", get(move || std::future::ready(render(&handle))));
    tokio::spawn(async move {
        let served = httpkit::serve(listener, app, httpkit::ServeSettings::default(), stop.cancelled()).await;
        if let Err(error) = served {
            tracing::warn!(%error, "the metrics server stopped");
        }
    });
    Ok(())
}

fn render(handle: &PrometheusHandle) -> String {
    handle.run_upkeep();
    handle.render()
}
