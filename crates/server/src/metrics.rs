//! Metrics for Prometheus, on a separate address.

mod dashboards;
mod gauges;
mod list;
mod process;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use dashboards::{DASHBOARDS, Dashboard, Panel};
pub use gauges::Gauges;
pub use list::{Kind, METRICS, Metric};

/// Upper bounds of the times of requests in seconds. Each bound costs a series per operation.
const SECONDS: [f64; 7] = [0.005, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];
/// Upper bounds of the times of jobs and media tools in seconds.
const LONG_SECONDS: [f64; 7] = [0.1, 1.0, 10.0, 60.0, 300.0, 1800.0, 7200.0];
/// Upper bounds of the requests that are written in one transaction.
const GROUP: [f64; 5] = [1.0, 4.0, 16.0, 64.0, 256.0];

/// The collected metrics and the address on which they will be served.
pub struct MetricsServer {
    handle: PrometheusHandle,
    listener: TcpListener,
}

impl MetricsServer {
    /// Begins to collect metrics and listens on the address. Returns `None` if it is empty.
    ///
    /// # Errors
    /// Fails if it cannot listen on the address.
    pub async fn open(listen: &str) -> std::io::Result<Option<Self>> {
        if listen.is_empty() {
            return Ok(None);
        }
        let address: SocketAddr = listen.parse().map_err(std::io::Error::other)?;
        let listener = TcpListener::bind(address).await?;
        let handle = install().map_err(std::io::Error::other)?;
        Ok(Some(Self { handle, listener }))
    }

    /// Serves `/metrics` and `/healthz` until `stop`.
    pub fn serve(self, gauges: Gauges, stop: CancellationToken) {
        let Self { handle, listener } = self;
        let gauges = Arc::new(gauges);
        let metrics = move || {
            let (handle, gauges) = (handle.clone(), Arc::clone(&gauges));
            async move {
                gauges.refresh().await;
                handle.run_upkeep();
                let kind = (http::header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
                ([kind], handle.render())
            }
        };
        let app = Router::new().route("/metrics", get(metrics)).route("/healthz", get(async || "ok\n"));
        tokio::spawn(async move {
            let settings = httpkit::ServeSettings::default();
            if let Err(error) = httpkit::serve(listener, app, settings, stop.cancelled()).await {
                tracing::warn!(%error, "the metrics server stopped");
            }
        });
    }
}

fn install() -> Result<PrometheusHandle, BuildError> {
    let named = |name: &str| Matcher::Full(name.to_owned());
    let handle = PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .set_buckets_for_metric(named("vitrine_events_group"), &GROUP)?
        .set_buckets_for_metric(named("vitrine_job_seconds"), &LONG_SECONDS)?
        .set_buckets_for_metric(named("vitrine_tool_seconds"), &LONG_SECONDS)?
        .install_recorder()?;
    METRICS.iter().for_each(Metric::describe);
    Ok(handle)
}
