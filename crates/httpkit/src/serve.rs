//! The accept loop: a limit on connections, a limit on the time a header may take, and a graceful stop.
//!
//! `axum::serve` installs no timer, so a client that never finishes its header would hold a connection for
//! ever; this loop is why it is not used.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt as _;

/// Limits of the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// Connections served at once; more wait in the kernel's queue.
    pub connections: usize,
    /// How long a request's header may take.
    pub header_timeout: Duration,
    /// How long running requests may go on after the stop.
    pub grace: Duration,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self { connections: 4096, header_timeout: Duration::from_secs(10), grace: Duration::from_secs(10) }
    }
}

/// Serves until `stop` resolves, then lets running requests finish for the grace time.
///
/// # Errors
/// Only when the listener itself is broken; a failed connection is logged and forgotten.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    settings: ServeSettings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let permits = Arc::new(Semaphore::new(settings.connections));
    let graceful = GracefulShutdown::new();
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(settings.header_timeout).half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(128)
        .max_header_list_size(32 * 1024)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(Duration::from_secs(20));
    tokio::pin!(stop);
    loop {
        let permit = tokio::select! {
            () = &mut stop => break,
            permit = Arc::clone(&permits).acquire_owned() => permit.map_err(io::Error::other)?,
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => connection(&builder, &graceful, stream, peer, &app, permit),
            // Out of file descriptors, or the client is gone already: breathe and go on.
            Err(error) => {
                tracing::warn!(%error, "accept failed");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(settings.grace, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still running after the grace time were cut");
    }
    Ok(())
}

fn connection(
    builder: &auto::Builder<TokioExecutor>,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    peer: std::net::SocketAddr,
    app: &Router,
    permit: OwnedSemaphorePermit,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
    let app = app.clone();
    let service = hyper::service::service_fn(move |mut request: http::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request.map(axum::body::Body::new))
    });
    let serving = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    let serving = graceful.watch(serving);
    tokio::spawn(async move {
        if let Err(error) = serving.await {
            tracing::debug!(%error, "connection ended early");
        }
        drop(permit);
    });
}
