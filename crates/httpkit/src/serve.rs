//! The accept loop: limits on connections and on every kind of dawdling, and a graceful stop.
//!
//! `axum::serve` installs no timer, so a client that never finishes its header would hold a connection for
//! ever; this loop is why it is not used. Four clocks run instead: until the first request is whole, while a
//! header comes in, between two pieces of a body, and while an answer is not being read.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use futures::TryFutureExt as _;
use http::Version;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;
use tower_http::timeout::TimeoutBody;

use crate::connections::{ConnectionLimiter, CountedConnection};
use crate::wire::{Lane, Wire};

/// Limits of the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// Connections served at once; more wait in the kernel's queue.
    pub connections: usize,
    /// Connections served at once to one address, fewer when half of all are taken; more are closed. 0 for no
    /// limit, as behind a proxy, where everybody comes from one address.
    pub connections_per_address: usize,
    /// How long the first request may take to come.
    pub header_timeout: Duration,
    /// How long a connection may wait for its next request, that request's header included. Longer than a
    /// proxy keeps idle connections, or it would now and then send a request into a closing one.
    pub idle: Duration,
    /// How long a body may pause while it comes in.
    pub body_pause: Duration,
    /// How long a client may leave an answer unread.
    pub unread: Duration,
    /// How long running requests may go on after the stop.
    pub grace: Duration,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_address: 512,
            header_timeout: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            body_pause: Duration::from_secs(30),
            unread: Duration::from_secs(60),
            grace: Duration::from_secs(10),
        }
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
    let limiter = ConnectionLimiter::default();
    let host = Host { builder: builder(settings), graceful: GracefulShutdown::new(), app, settings };
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
            Ok((stream, peer)) => {
                // The permit of this one is still free to take.
                let free = permits.available_permits() + 1;
                let (limit, total) = (settings.connections_per_address, settings.connections);
                if let Some(counted) = limiter.admit(peer.ip(), limit, free, total) {
                    host.welcome(stream, peer, (permit, counted));
                }
            }
            // Out of file descriptors, or the client is gone already: breathe and go on.
            Err(error) => {
                tracing::warn!(%error, "accept failed");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(settings.grace, host.graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still running after the grace time were cut");
    }
    Ok(())
}

fn builder(settings: ServeSettings) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(settings.idle).half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(128)
        .max_header_list_size(32 * 1024)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}

/// What every connection is served with.
struct Host {
    builder: auto::Builder<TokioExecutor>,
    graceful: GracefulShutdown,
    app: Router,
    settings: ServeSettings,
}

impl Host {
    /// Serves one connection in a task of its own; `held` is given back when it ends.
    fn welcome(&self, stream: TcpStream, peer: SocketAddr, held: (OwnedSemaphorePermit, CountedConnection)) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "no TCP_NODELAY");
        }
        let lane = Lane::default();
        let mut stream = TimeoutStream::new(Wire::new(stream, lane.clone()));
        stream.set_write_timeout(Some(self.settings.unread));
        let asked = Arc::new(AtomicBool::new(false));
        let (app, heard, pause) = (self.app.clone(), Arc::clone(&asked), self.settings.body_pause);
        let service = hyper::service::service_fn(move |mut request: http::Request<hyper::body::Incoming>| {
            heard.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(ConnectInfo(peer));
            // Over HTTP/2 every piece of a body is framed by itself.
            let lane = (request.version() < Version::HTTP_2).then(|| lane.clone());
            let answer =
                app.clone().oneshot(request.map(|body| axum::body::Body::new(TimeoutBody::new(pause, body))));
            answer.map_ok(move |answer| match &lane {
                Some(lane) => lane.put_blanks(answer),
                None => answer,
            })
        });
        let serving = self.builder.serve_connection(TokioIo::new(Box::pin(stream)), service).into_owned();
        let serving = self.graceful.watch(serving);
        let patience = self.settings.header_timeout;
        tokio::spawn(async move {
            // hyper's own clock starts only once it knows the protocol; a silent guest never tells.
            let silence = async {
                tokio::time::sleep(patience).await;
                if asked.load(Ordering::Relaxed) {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                served = serving => {
                    if let Err(error) = served {
                        tracing::debug!(%error, "connection ended early");
                    }
                }
                () = silence => tracing::debug!(%peer, "connection closed: no request came"),
            }
            drop(held);
        });
    }
}
