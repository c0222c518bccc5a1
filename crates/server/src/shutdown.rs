//! The steps of a shutdown: a drain, in which new requests are still served while load balancers learn that no
//! further ones should come, then a grace for running requests.

use std::io;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// How far the shutdown has come.
#[derive(Clone, Default)]
pub struct Shutdown {
    /// Cancelled by the first signal. `/readyz` answers 503 from then on, every response ends its connection, and no
    /// further job is claimed.
    pub draining: CancellationToken,
    /// Cancelled at the end of the drain: no connection is accepted anymore.
    pub stop: CancellationToken,
}

impl Shutdown {
    /// Returns a shutdown that SIGTERM or SIGINT begins; another signal ends the drain early. `begins` is called
    /// first.
    ///
    /// # Errors
    /// Fails if the signals cannot be handled.
    pub fn on_signal(drain: Duration, begins: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let shutdown = Self::default();
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let Self { draining, stop } = shutdown.clone();
        tokio::spawn(async move {
            let mut signalled = async || {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            };
            signalled().await;
            // Cancel before logging: a log that cannot be written must not prevent shutdown.
            draining.cancel();
            begins();
            if !drain.is_zero() {
                tracing::info!(seconds = drain.as_secs(), "stopping: not ready anymore, still serving");
                tokio::select! {
                    () = signalled() => {}
                    () = tokio::time::sleep(drain) => {}
                }
            }
            stop.cancel();
            tracing::info!("stopping: refusing new connections, finishing running requests");
        });
        Ok(shutdown)
    }
}
