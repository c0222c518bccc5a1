//! `vitrine serve`, `worker` and `migrate`.

use std::time::Duration;

use db::Engine;
use httpkit::ServeSettings;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{BoxError, print_line};
use crate::admin::Admin;
use crate::bootstrap::Bootstrap;
use crate::compose::{self, App};
use crate::control::ControlSocket;
use crate::database_clock;
use crate::memory;
use crate::metrics::{Gauges, MetricsServer};
use crate::service_manager::{self, ServiceManager};
use crate::settings::Settings;
use crate::shutdown::Shutdown;

/// How long a shutdown may take beyond drain and grace: for the last responses and to close the database.
const CLOSING: Duration = Duration::from_secs(10);

/// Serves the web apps and the API, and runs jobs if `with_worker` is set.
pub async fn serve(settings: Settings, with_worker: bool) -> Result<(), BoxError> {
    let (drain, grace) = (settings.server.drain(), settings.server.grace());
    let (manager, shutdown) = start(drain, grace)?;
    let listener = TcpListener::bind(settings.server.listen).await.map_err(|error| {
        format!("cannot listen on {}: {error}. Set VITRINE_LISTEN to a free address.", settings.server.listen)
    })?;
    let address = listener.local_addr()?;
    let mut bootstrap = open(settings).await?;
    bootstrap.draining = shutdown.draining.clone();
    if !with_worker && bootstrap.db.engine() == Engine::Sqlite {
        return Err("--no-worker needs PostgreSQL: with SQLite one process does everything.".into());
    }
    let metrics = open_metrics(&bootstrap.settings).await?;
    let app = compose::build_app(&bootstrap).await?;
    run_beside(metrics, &bootstrap, &app, &shutdown.stop).await?;
    let App { router, jobs, handlers, admin, .. } = app;
    let control = tokio::spawn(control(&bootstrap, admin, shutdown.stop.clone()));
    print_line(&format!("listening on http://{address}"));
    if bootstrap.settings.server.sandbox {
        print_line(&format!(
            "sandbox: open {}, read emails at {}",
            bootstrap.public.origin(),
            bootstrap.public.at("/sandbox/mail")
        ));
    }
    manager.ready(&format!("listening on http://{address}"));
    keep_alive(manager, Some(router.clone()), &jobs, &shutdown);
    // Jobs may run until the server has stopped.
    let worker =
        with_worker.then(|| tokio::spawn(worker(&bootstrap, jobs, handlers, drain + grace, &shutdown)));
    let limits = ServeSettings {
        connections: bootstrap.settings.server.connections,
        connections_per_address: bootstrap.settings.server.connections_per_address(),
        grace,
        ..ServeSettings::default()
    };
    httpkit::serve(listener, router, limits, shutdown.stop.cancelled()).await?;
    if let Some(worker) = worker {
        worker.await?;
    }
    control.await?;
    bootstrap.db.close().await;
    Ok(())
}

/// Runs background jobs only.
pub async fn work(settings: Settings) -> Result<(), BoxError> {
    let grace = settings.server.grace();
    let (manager, shutdown) = start(Duration::ZERO, grace)?;
    let bootstrap = open(settings).await?;
    let metrics = open_metrics(&bootstrap.settings).await?;
    let app = compose::build_app(&bootstrap).await?;
    run_beside(metrics, &bootstrap, &app, &shutdown.stop).await?;
    let App { jobs, handlers, admin, .. } = app;
    let control = tokio::spawn(control(&bootstrap, admin, shutdown.stop.clone()));
    print_line("running background jobs");
    manager.ready("running background jobs");
    keep_alive(manager, None, &jobs, &shutdown);
    worker(&bootstrap, jobs, handlers, grace, &shutdown).await;
    control.await?;
    bootstrap.db.close().await;
    Ok(())
}

/// Opens what is opened first, unless the clock of this machine is far off the database's.
async fn open(settings: Settings) -> Result<Bootstrap, BoxError> {
    let bootstrap = Bootstrap::connect(settings).await?;
    if let Some(sentence) = database_clock::problem(&bootstrap.following) {
        return Err(sentence.into());
    }
    bootstrap.prepare().await
}

/// Begins to handle signals, and reports a shutdown to the service manager.
fn start(drain: Duration, grace: Duration) -> Result<(ServiceManager, Shutdown), BoxError> {
    let manager = ServiceManager::from_env();
    let notifier = manager.clone();
    let shutdown = Shutdown::on_signal(drain, move || notifier.stopping(drain + grace + CLOSING))?;
    Ok((manager, shutdown))
}

/// Starts what servers and workers have in common, and gives back the memory that the start needed.
async fn run_beside(
    metrics: Option<MetricsServer>,
    bootstrap: &Bootstrap,
    app: &App,
    stop: &CancellationToken,
) -> Result<(), BoxError> {
    app.features.billing.lift_suspensions().await?;
    if bootstrap.db.engine() == Engine::Postgres {
        let (db, clock) = (bootstrap.db.clone(), bootstrap.following.clone());
        tokio::spawn(database_clock::keep_following(db, clock, stop.clone()));
    }
    if let Some(metrics) = metrics {
        metrics.serve(Gauges::new(bootstrap, app.jobs.clone(), app.handlers.clone()), stop.clone());
    }
    memory::release_unused();
    Ok(())
}

/// Pings the watchdog of the service manager until the process ends.
fn keep_alive(manager: ServiceManager, router: Option<axum::Router>, jobs: &jobs::Jobs, shutdown: &Shutdown) {
    let (jobs, draining) = (jobs.clone(), shutdown.draining.clone());
    tokio::spawn(async move {
        manager
            .keep_alive(|| service_manager::is_alive(router.clone(), &jobs, draining.is_cancelled()))
            .await;
    });
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

fn worker(
    bootstrap: &Bootstrap,
    jobs: jobs::Jobs,
    handlers: jobs::Handlers,
    grace: Duration,
    shutdown: &Shutdown,
) -> impl Future<Output = ()> + Send + 'static {
    let (quick, heavy) = (bootstrap.settings.server.workers, bootstrap.settings.heavy_workers());
    jobs::run_worker(jobs, handlers, quick, heavy, grace, shutdown.draining.clone())
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
