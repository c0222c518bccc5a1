//! `vitrine serve`, `worker` and `migrate`.

use std::time::Duration;

use db::Engine;
use httpkit::ServeSettings;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{BoxError, print_line};
use crate::admin::Admin;
use crate::bootstrap::Bootstrap;
use crate::compose::{self, App};
use crate::control::ControlSocket;
use crate::metrics::{Gauges, MetricsServer};
use crate::settings::Settings;

/// How long running requests and jobs may continue after the shutdown begins.
const GRACE: Duration = Duration::from_secs(10);

/// Serves the web apps and the API, and runs jobs if `with_worker` is set.
pub async fn serve(settings: Settings, with_worker: bool) -> Result<(), BoxError> {
    let stop = stop_on_signal()?;
    let listener = TcpListener::bind(settings.server.listen).await.map_err(|error| {
        format!("cannot listen on {}: {error}. Set VITRINE_LISTEN to a free address.", settings.server.listen)
    })?;
    let address = listener.local_addr()?;
    let bootstrap = Bootstrap::open(settings).await?;
    if !with_worker && bootstrap.db.engine() == Engine::Sqlite {
        return Err("--no-worker needs PostgreSQL: with SQLite one process does everything.".into());
    }
    let metrics = open_metrics(&bootstrap.settings).await?;
    let App { router, jobs, handlers, admin, .. } = compose::build_app(&bootstrap).await?;
    serve_metrics(metrics, &bootstrap, &jobs, &handlers, &stop);
    let control = tokio::spawn(control(&bootstrap, admin, stop.clone()));
    print_line(&format!("listening on http://{address}"));
    if bootstrap.settings.server.sandbox {
        print_line(&format!(
            "sandbox: open {}, read emails at {}",
            bootstrap.public.origin(),
            bootstrap.public.at("/sandbox/mail")
        ));
    }
    let worker = with_worker.then(|| tokio::spawn(worker(&bootstrap, jobs, handlers, stop.clone())));
    let limits = ServeSettings {
        connections: bootstrap.settings.server.connections,
        connections_per_address: bootstrap.settings.server.connections_per_address(),
        ..ServeSettings::default()
    };
    httpkit::serve(listener, router, limits, stop.cancelled()).await?;
    if let Some(worker) = worker {
        worker.await?;
    }
    control.await?;
    bootstrap.db.close().await;
    Ok(())
}

/// Runs background jobs only.
pub async fn work(settings: Settings) -> Result<(), BoxError> {
    let stop = stop_on_signal()?;
    let bootstrap = Bootstrap::open(settings).await?;
    let metrics = open_metrics(&bootstrap.settings).await?;
    let App { jobs, handlers, admin, .. } = compose::build_app(&bootstrap).await?;
    serve_metrics(metrics, &bootstrap, &jobs, &handlers, &stop);
    let control = tokio::spawn(control(&bootstrap, admin, stop.clone()));
    print_line("running background jobs");
    worker(&bootstrap, jobs, handlers, stop).await;
    control.await?;
    bootstrap.db.close().await;
    Ok(())
}

/// Migrates the database.
pub async fn migrate(settings: Settings) -> Result<(), BoxError> {
    let bootstrap = Bootstrap::open(settings).await?;
    match bootstrap.applied.as_slice() {
        [] => println!("nothing to do: the database is up to date"),
        steps => steps.iter().for_each(|step| println!("applied {step}")),
    }
    bootstrap.db.close().await;
    Ok(())
}

/// Begins to collect metrics, before anything is counted.
async fn open_metrics(settings: &Settings) -> Result<Option<MetricsServer>, BoxError> {
    if let Some(sentence) = settings.server.metrics_exposure() {
        tracing::warn!("{sentence}");
    }
    let listen = &settings.server.metrics_listen;
    let opened = MetricsServer::open(listen).await;
    Ok(opened.map_err(|error| {
        format!("metrics: cannot listen on {listen}: {error}. Set VITRINE_METRICS_LISTEN to a free address.")
    })?)
}

fn serve_metrics(
    metrics: Option<MetricsServer>,
    bootstrap: &Bootstrap,
    jobs: &jobs::Jobs,
    handlers: &jobs::Handlers,
    stop: &CancellationToken,
) {
    if let Some(metrics) = metrics {
        let data_dir = bootstrap.settings.server.data_dir.clone();
        let gauges = Gauges::new(bootstrap.db.clone(), jobs.clone(), handlers.clone(), data_dir);
        metrics.serve(gauges, stop.clone());
    }
}

fn worker(
    bootstrap: &Bootstrap,
    jobs: jobs::Jobs,
    handlers: jobs::Handlers,
    stop: CancellationToken,
) -> impl Future<Output = ()> + Send + 'static {
    let (quick, heavy) = (bootstrap.settings.server.workers, bootstrap.settings.heavy_workers());
    jobs::run_worker(jobs, handlers, quick, heavy, GRACE, stop)
}

/// Serves the control socket if the engine is SQLite, because no other process can open the database then.
fn control(
    bootstrap: &Bootstrap,
    admin: Admin,
    stop: CancellationToken,
) -> impl Future<Output = ()> + Send + 'static {
    let control = (bootstrap.db.engine() == Engine::Sqlite)
        .then(|| ControlSocket::open(&bootstrap.settings.server.data_dir))
        .and_then(|opened| {
            opened
                .inspect_err(|error| {
                    tracing::warn!(%error, "no control socket: admin commands need the server to be stopped");
                })
                .ok()
        });
    async move {
        if let Some(control) = control {
            control.serve(admin, stop).await;
        }
    }
}

/// Returns a token that is cancelled by SIGTERM or SIGINT.
fn stop_on_signal() -> Result<CancellationToken, BoxError> {
    let stop = CancellationToken::new();
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let token = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        // Cancel before logging: a log that cannot be written must not prevent shutdown.
        token.cancel();
        tracing::info!("stopping: refusing new connections, finishing running requests");
    });
    Ok(stop)
}
