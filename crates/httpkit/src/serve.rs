//! The accept loop: limits on connections, timeouts for slow clients, and a graceful shutdown.
//!
//! `axum::serve` is not used because it installs no timer, so a client that never finishes its header would
//! hold a connection forever. Here, timeouts apply until the first request is complete, while a header
//! arrives, between two chunks of a body, and while a client does not read the response.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::{HeaderValue, Request, Version, header};
use http_body::Body as _;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;
use tower_http::timeout::TimeoutBody;

use crate::connections::{ConnectionLimiter, CountedConnection};
use crate::sendfile::{PartQueue, SendfileStream};
use crate::unread::SharedBody;

/// How long the first request of a connection that was accepted last may be on its way when the shutdown begins.
const LAST_REQUEST: Duration = Duration::from_millis(100);

/// Limits of the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct ServeSettings {
    /// Connections served at once; further ones wait in the kernel's queue.
    pub connections: usize,
    /// Connections served at once per address, fewer when half of all are in use; further ones are closed. 0
    /// disables the limit, which is needed behind a proxy, where all clients share one address.
    pub connections_per_address: usize,
    /// Time limit for the first request to arrive.
    pub header_timeout: Duration,
    /// How long a connection may wait for its next request, including that request's header. Must be longer
    /// than the proxy keeps idle connections, or the proxy would occasionally send a request into a
    /// connection that is closing.
    pub idle_timeout: Duration,
    /// Maximum pause within a request body.
    pub body_timeout: Duration,
    /// How long a client may leave a response unread.
    pub write_timeout: Duration,
    /// How long running requests may continue after the shutdown begins.
    pub grace: Duration,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_address: 512,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_mins(1),
            grace: Duration::from_secs(10),
        }
    }
}

/// Serves until `stop` resolves, then gives running requests the grace period to finish.
///
/// # Errors
/// Fails only if the listener itself fails; a failed connection is logged and ignored.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    settings: ServeSettings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let permits = Arc::new(Semaphore::new(settings.connections));
    let server = ConnectionServer {
        builder: builder(settings),
        graceful: GracefulShutdown::new(),
        limiter: ConnectionLimiter::default(),
        permits: Arc::clone(&permits),
        app,
        settings,
    };
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
            Ok((stream, peer)) => server.admit(stream, peer, permit),
            // Out of file descriptors, or the client is already gone: pause briefly and continue.
            Err(error) => {
                tracing::warn!(%error, "accept failed");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    // Connections that the kernel has accepted for this process are served, not reset. It is asked directly: tokio may
    // not know yet that they are there.
    let listener = listener.into_std()?;
    while let Ok(permit) = Arc::clone(&permits).try_acquire_owned()
        && let Ok((stream, peer)) = listener.accept()
    {
        stream.set_nonblocking(true)?;
        server.admit(TcpStream::from_std(stream)?, peer, permit);
    }
    drop(listener);
    tokio::time::sleep(LAST_REQUEST.min(settings.grace)).await;
    if tokio::time::timeout(settings.grace, server.graceful.shutdown()).await.is_err() {
        tracing::warn!("requests still running after the grace period were aborted");
    }
    Ok(())
}

fn builder(settings: ServeSettings) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(settings.idle_timeout).half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(128)
        .max_header_list_size(32 * 1024)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}

/// Answers a request that has a body. The response says that the connection closes if the body was not read to its end.
async fn answer_and_finish(
    app: Router,
    request: Request<hyper::body::Incoming>,
    pause: Duration,
) -> Result<Response, Infallible> {
    let waits = request.headers().contains_key(header::EXPECT);
    let (head, body) = request.into_parts();
    let body = SharedBody::new(TimeoutBody::new(pause, body));
    let mut response = app.oneshot(Request::from_parts(head, Body::new(body.clone()))).await?;
    if !body.finish(waits).await {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// State shared by all connections.
struct ConnectionServer {
    builder: auto::Builder<TokioExecutor>,
    graceful: GracefulShutdown,
    limiter: ConnectionLimiter,
    permits: Arc<Semaphore>,
    app: Router,
    settings: ServeSettings,
}

impl ConnectionServer {
    /// Serves a connection, or closes it if its address has too many.
    fn admit(&self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        // This connection's own permit counts as free.
        let free = self.permits.available_permits() + 1;
        let (limit, total) = (self.settings.connections_per_address, self.settings.connections);
        match self.limiter.admit(peer.ip(), limit, free, total) {
            Some(counted) => self.serve_connection(stream, peer, (permit, counted)),
            None => metrics::counter!("vitrine_connections_refused_total").increment(1),
        }
    }

    /// Serves one connection in a separate task and drops `guards` when it ends.
    fn serve_connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        guards: (OwnedSemaphorePermit, CountedConnection),
    ) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let queue = PartQueue::default();
        let mut stream = TimeoutStream::new(SendfileStream::new(stream, queue.clone()));
        stream.set_write_timeout(Some(self.settings.write_timeout));
        let request_seen = Arc::new(AtomicBool::new(false));
        let (app, seen, pause) = (self.app.clone(), Arc::clone(&request_seen), self.settings.body_timeout);
        let service = hyper::service::service_fn(move |mut request: Request<hyper::body::Incoming>| {
            seen.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(ConnectInfo(peer));
            // HTTP/2 frames every chunk of a body separately, so sendfile cannot be used.
            let queue = (request.version() < Version::HTTP_2).then(|| queue.clone());
            let app = app.clone();
            async move {
                let Some(queue) = queue else {
                    return app.oneshot(request.map(|body| Body::new(TimeoutBody::new(pause, body)))).await;
                };
                let response = if request.body().is_end_stream() {
                    app.oneshot(request.map(Body::new)).await?
                } else {
                    answer_and_finish(app, request, pause).await?
                };
                Ok(queue.use_placeholders(response))
            }
        });
        let serving = self.builder.serve_connection(TokioIo::new(Box::pin(stream)), service).into_owned();
        let serving = self.graceful.watch(serving);
        let header_timeout = self.settings.header_timeout;
        tokio::spawn(async move {
            // hyper's own timer starts only once the protocol is known, which never happens if the client
            // stays silent.
            let no_request = async {
                tokio::time::sleep(header_timeout).await;
                if request_seen.load(Ordering::Relaxed) {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                served = serving => {
                    if let Err(error) = served {
                        tracing::debug!(%error, "connection ended early");
                    }
                }
                () = no_request => tracing::debug!(%peer, "connection closed: no request received"),
            }
            drop(guards);
        });
    }
}
