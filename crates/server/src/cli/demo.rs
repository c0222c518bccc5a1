//! `vitrine demo`.

use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use httpkit::ServeSettings;
use kernel::{Clock as _, SystemClock};
use payments::Mode;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{BoxError, print_line};
use crate::bootstrap::Bootstrap;
use crate::compose::{self, App};
use crate::settings::Settings;

/// How much the demo creates.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub enum DemoSize {
    /// 60 people, 12 items, 90 days; takes about a minute.
    #[default]
    Small,
    /// 5,000 people, 300 items, 12 months; takes some minutes.
    Large,
    /// 100 organisations with 10,000,000 events, written to the database directly; takes some minutes.
    Huge,
}

/// How long running requests and jobs may continue at the end.
const GRACE: Duration = Duration::from_secs(10);
/// Events of the huge demo.
const EVENTS: usize = 10_000_000;

/// Fills a new sandbox and prints what it holds.
pub async fn demo(settings: Settings, seed: u64, size: DemoSize) -> Result<(), BoxError> {
    match size {
        DemoSize::Small => through_api(settings, seed, demo::Size::Small).await,
        DemoSize::Large => through_api(settings, seed, demo::Size::Large).await,
        DemoSize::Huge => directly(settings, seed).await,
    }
}

/// Writes a huge demo to the database, and packs it as jobs do.
async fn directly(settings: Settings, seed: u64) -> Result<(), BoxError> {
    let started = Instant::now();
    let progress = |step: &str| print_line(&format!("{:>4} s  {step}", started.elapsed().as_secs()));
    let bootstrap = Bootstrap::open_new(settings).await?;
    let scale = bulk::Scale::of(EVENTS, seed);
    let filled = bulk::fill(&bootstrap.db, &bootstrap.ambient, scale, progress).await;
    filled.map_err(interrupted(&bootstrap.settings))?;
    progress("packing views and totals");
    let App { features, .. } = compose::build_app(&bootstrap).await?;
    features.analytics.pack_views().await?;
    features.analytics.pack_people().await?;
    features.analytics.pack_totals().await?;
    bulk::vacuum(&bootstrap.db).await?;
    bootstrap.db.close().await;
    print_line(&format!("{:>4} s  done\n\n{}", started.elapsed().as_secs(), bulk::describe(scale)));
    print_line(&format!("Start the server with the same settings and open {}.", bootstrap.public.origin()));
    Ok(())
}

/// Fills a sandbox through a server that runs as long as that takes.
async fn through_api(settings: Settings, seed: u64, size: demo::Size) -> Result<(), BoxError> {
    let started = Instant::now();
    let now = SystemClock.now();
    let listener = TcpListener::bind(settings.server.listen).await.map_err(|error| {
        let listen = settings.server.listen;
        format!(
            "cannot listen on {listen}: {error}. Stop the server, or set VITRINE_LISTEN to a free address."
        )
    })?;
    let progress = |step: &str| print_line(&format!("{:>4} s  {step}", started.elapsed().as_secs()));
    progress("creating videos, audio, images and documents");
    let media = demo::Media::create(&settings.media.ffmpeg, size).await?;
    let bootstrap = Bootstrap::open_in_the_past(settings, demo::head_start(now, size)).await?;
    let App { router, jobs, handlers, .. } = compose::build_app(&bootstrap).await?;
    let (stop, stop_jobs) = (CancellationToken::new(), CancellationToken::new());
    let limits = ServeSettings::default();
    let token = stop.clone();
    let server =
        tokio::spawn(async move { httpkit::serve(listener, router, limits, token.cancelled()).await });
    let (quick, heavy) = (bootstrap.settings.server.workers, bootstrap.settings.heavy_workers());
    let worker = jobs::run_worker(jobs.clone(), handlers.clone(), quick, heavy, GRACE, stop_jobs.clone());
    let worker = tokio::spawn(worker);

    let options = demo::Options {
        origin: format!("http://{}", own_address(bootstrap.settings.server.listen)),
        host: bootstrap.public.host(),
        seed,
        size,
    };
    let mut filled =
        demo::fill(&options, media, now, progress).await.map_err(interrupted(&bootstrap.settings))?;
    // Jobs that became due while the clock advanced, such as the decay of lead points.
    stop_jobs.cancel();
    worker.await?;
    jobs.run_due(&handlers).await?;
    let report = filled.finish().await.map_err(interrupted(&bootstrap.settings))?;
    stop.cancel();
    server.await??;
    bootstrap.db.close().await;
    print_line(&format!("{:>4} s  done\n\n{report}", started.elapsed().as_secs()));
    print_line(&format!("Start the server with the same settings and open {}.", bootstrap.public.origin()));
    Ok(())
}

/// Checks that the settings are those of a sandbox, lifts its limits, and takes countries from the demo.
pub fn prepare(settings: &mut Settings, size: DemoSize) -> Result<(), BoxError> {
    if !settings.server.sandbox {
        return Err(
            "the demo invents people and payments, so it needs the sandbox: set VITRINE_SANDBOX=true.".into(),
        );
    }
    match (size, settings.payments.mode(true)) {
        (DemoSize::Huge, Mode::None) | (DemoSize::Small | DemoSize::Large, Mode::Sandbox) => {}
        (DemoSize::Huge, _) => {
            return Err("the huge demo has no payments: set VITRINE_BILLING=none.".into());
        }
        (DemoSize::Small | DemoSize::Large, _) => {
            return Err("the demo buys its plans in the sandbox: remove the setting VITRINE_BILLING.".into());
        }
    }
    if !settings.mail.smtp_url.is_empty() {
        return Err("the demo reads its emails in the sandbox: remove the setting VITRINE_SMTP_URL.".into());
    }
    // Jobs warn that they lost their lease when the clock moves.
    if settings.server.log == Settings::default().server.log {
        settings.server.log = "error".to_owned();
    }
    // The demo itself says where its people are, as a proxy in front of the server would.
    demo::COUNTRY_HEADER.clone_into(&mut settings.server.country_header);
    settings.server.trusted_proxies = settings.server.trusted_proxies.max(1);
    settings.server.api_requests_per_10s = 0;
    settings.server.media_requests_per_10s = 0;
    settings.server.webhook_requests_per_10s = 0;
    settings.server.sign_in_tries_per_minute = 0;
    Ok(())
}

/// Returns the address at which this process reaches its own server.
fn own_address(listen: SocketAddr) -> SocketAddr {
    let ip = if listen.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { listen.ip() };
    SocketAddr::new(ip, listen.port())
}

/// Adds to an error what to do with the part that was created.
fn interrupted<E: Display>(settings: &Settings) -> impl Fn(E) -> BoxError + '_ {
    |error| {
        let (database, empty) = settings.named_database();
        format!("{error}\nThe demo in {database} is incomplete. Start again with {empty}.").into()
    }
}
