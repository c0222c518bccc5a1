//! The measured server: the real one in a separate process.

use std::io::BufRead as _;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use httpkit::ServeSettings;
use payments::Mode;
use server::bootstrap::Bootstrap;
use server::compose::{self, App};
use server::metrics::{Gauges, MetricsServer};
use server::observe;
use server::settings::Settings;
use tokio_util::sync::CancellationToken;

use crate::process::{self, Cores};
use crate::{BoxError, reference};

/// Public address of a measured server, if it is not the one it listens on.
const PUBLIC_URL: &str = "VITRINE_PUBLIC_URL";
/// Printed by the server once it accepts requests.
const READY: &str = "ready";

/// A running server, killed on drop.
pub struct Server {
    /// Listen address.
    pub address: SocketAddr,
    /// Cores it runs on.
    pub cores: Cores,
    /// Name of its data folder.
    pub name: String,
    child: Child,
}

impl Server {
    /// Returns the id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the absolute URL of a path.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Stops the server and waits for it to exit.
    pub fn stop(mut self) -> Result<(), BoxError> {
        // The server stops when its standard input is closed.
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server exited with {status}").into()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail if it has already exited, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server on an empty database in a new folder.
pub fn start(folder: &Path, name: &str, cores: Cores) -> Result<Server, BoxError> {
    let data = folder.join(name);
    std::fs::create_dir(&data)?;
    start_on(&data, "", cores)
}

/// Starts a server on an empty database whose payments are taken by the sandbox.
pub fn start_with_payment(folder: &Path, name: &str) -> Result<Server, BoxError> {
    let data = folder.join(name);
    std::fs::create_dir(&data)?;
    start_on_purchases(&data)
}

/// Starts a server on an existing folder whose plans were bought in the sandbox.
pub fn start_on_purchases(data: &Path) -> Result<Server, BoxError> {
    launch(data, "", Mode::Sandbox, Cores::Both, None)
}

/// Starts a server on an existing folder and a database by its URL, which may be empty for the one in the folder.
pub fn start_on(data: &Path, database_url: &str, cores: Cores) -> Result<Server, BoxError> {
    launch(data, database_url, Mode::None, cores, None)
}

/// Starts one of several servers of an installation, which accept the same tokens because they have one address.
pub fn start_one_of(data: &Path, database_url: &str, public_url: &str) -> Result<Server, BoxError> {
    launch(data, database_url, Mode::None, Cores::Both, Some(public_url))
}

fn launch(
    data: &Path,
    database_url: &str,
    billing: Mode,
    cores: Cores,
    public_url: Option<&str>,
) -> Result<Server, BoxError> {
    let name = data.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let log = data.join("server.log");
    let mut child = Command::new("taskset")
        .args(["-c", cores.list()])
        .arg(std::env::current_exe()?)
        .args(["serve".as_ref(), data.as_os_str()])
        .args([&address.to_string(), database_url, billing.as_str()])
        .envs(public_url.map(|url| (PUBLIC_URL, url)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log)?)
        .spawn()?;
    let out = child.stdout.take().ok_or("the server has no output")?;
    let server = Server { address, cores, name, child };
    let mut line = String::new();
    std::io::BufReader::new(out).read_line(&mut line)?;
    if line.trim() != READY {
        let output = std::fs::read_to_string(&log)?;
        return Err(format!("the server did not start:\n{output}").into());
    }
    Ok(server)
}

/// Returns the settings of a measured server.
pub fn settings(data: &Path, listen: &str, database_url: &str, billing: &str) -> Result<Settings, BoxError> {
    let mut settings = Settings::default();
    settings.server.listen = listen.parse()?;
    settings.server.data_dir = data.to_owned();
    settings.server.database_url = database_url.to_owned();
    settings.server.sandbox = true;
    if let Ok(public_url) = std::env::var(PUBLIC_URL) {
        settings.server.public_url = public_url;
    }
    settings.server.api_requests_per_10s = 0;
    settings.server.media_requests_per_10s = 0;
    settings.server.sign_in_tries_per_minute = 0;
    // Part (e) simulates many client addresses.
    settings.server.trusted_proxies = 1;
    settings.server.metrics_listen = "127.0.0.1:0".to_owned();
    settings.server.webhook_requests_per_10s = 0;
    let modes = [Mode::None, Mode::Sandbox];
    settings.payments.billing = modes.into_iter().find(|mode| mode.as_str() == billing);
    settings.payments.free_organisations = 0;
    settings.check()?;
    Ok(settings)
}

/// Runs the server process: the complete application with the reference routes, until stdin is closed.
pub fn serve(data: &Path, listen: &str, database_url: &str, billing: &str) -> Result<(), BoxError> {
    let settings = settings(data, listen, database_url, billing)?;
    observe::start_log(&settings.server).map_err(|error| error.to_string())?;
    // The same runtime as in `vitrine serve`.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(settings)).map_err(|error| error.to_string().into())
}

async fn run(settings: Settings) -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind(settings.server.listen).await?;
    let stop = CancellationToken::new();
    let bootstrap = Bootstrap::open(settings).await?;
    let metrics = MetricsServer::open(&bootstrap.settings.server.metrics_listen).await?;
    let App { router, jobs, handlers, .. } = compose::build_app_with(&bootstrap, reference::routes()).await?;
    if let Some(metrics) = metrics {
        metrics.serve(Gauges::new(&bootstrap, jobs.clone(), handlers.clone()), stop.clone());
    }
    let (quick, heavy) = (bootstrap.settings.server.workers, bootstrap.settings.heavy_workers());
    let worker = jobs::run_worker(jobs, handlers, quick, heavy, Duration::from_secs(5), stop.clone());
    let worker = tokio::spawn(worker);
    let token = stop.clone();
    std::thread::spawn(move || {
        process::wait_for_end_of_input();
        token.cancel();
    });
    println!("{READY}");
    // As behind a proxy: all clients have the same address.
    let limits = ServeSettings { connections_per_address: 0, ..ServeSettings::default() };
    httpkit::serve(listener, router, limits, stop.cancelled()).await?;
    worker.await?;
    bootstrap.db.close().await;
    Ok(())
}
