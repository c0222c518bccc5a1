//! Permission checks that are repeated while a response is being sent: a video may take hours, and the viewer
//! may lose access in the middle of it.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, Stream, TryStreamExt as _};

/// Maximum time between two checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// Maximum number of bytes between two checks.
const CHECK_BYTES: u64 = 16 * 1024 * 1024;
/// How long a response continues while checks are inconclusive, for example during a database outage.
const INCONCLUSIVE_LIMIT: Duration = Duration::from_mins(1);

type Check = dyn Fn() -> BoxFuture<'static, Option<bool>> + Send + Sync;

/// A repeatable check of whether a response may continue. Clones share the same check.
#[derive(Clone)]
pub struct Permission {
    check: Arc<Check>,
    interval: Duration,
    bytes_between: u64,
}

impl Permission {
    /// Creates a permission from a check that returns `None` if it is inconclusive.
    pub fn new<A>(check: impl Fn() -> A + Send + Sync + 'static) -> Self
    where
        A: Future<Output = Option<bool>> + Send + 'static,
    {
        Self {
            check: Arc::new(move || Box::pin(check())),
            interval: CHECK_INTERVAL,
            bytes_between: CHECK_BYTES,
        }
    }

    /// Sets how often to check.
    #[must_use]
    pub fn check_every(self, interval: Duration, bytes_between: u64) -> Self {
        Self { interval, bytes_between, ..self }
    }

    /// Returns the stream, ending it with an error once permission is lost.
    pub fn guard<S, E>(self, stream: S) -> impl Stream<Item = io::Result<Bytes>> + Send
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Unpin,
        E: std::error::Error + Send + Sync + 'static,
    {
        stream::try_unfold((stream, Gate::new(self)), |(mut stream, mut gate)| async move {
            let Some(chunk) = stream.try_next().await.map_err(io::Error::other)? else { return Ok(None) };
            std::future::poll_fn(|cx| gate.poll_pass(cx, chunk.len() as u64)).await?;
            Ok(Some((chunk, (stream, gate))))
        })
    }
}

impl fmt::Debug for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permission").finish_non_exhaustive()
    }
}

/// Checks the permission of one response, which was allowed to begin.
pub(crate) struct Gate {
    permission: Permission,
    checked_at: Instant,
    /// Time of the last positive check.
    allowed_at: Instant,
    /// Bytes sent since the last check.
    bytes: u64,
    pending: Option<BoxFuture<'static, Option<bool>>>,
}

impl Gate {
    pub(crate) fn new(permission: Permission) -> Self {
        let now = Instant::now();
        Self { permission, checked_at: now, allowed_at: now, bytes: 0, pending: None }
    }

    /// Waits until `bytes` more bytes may be sent.
    pub(crate) fn poll_pass(&mut self, cx: &mut Context<'_>, bytes: u64) -> Poll<io::Result<()>> {
        loop {
            if let Some(pending) = &mut self.pending {
                let result = ready!(pending.as_mut().poll(cx));
                self.pending = None;
                self.record_result(result)?;
            }
            let over = self.bytes > 0 && self.bytes + bytes > self.permission.bytes_between;
            if !over && self.checked_at.elapsed() < self.permission.interval {
                self.bytes += bytes;
                return Poll::Ready(Ok(()));
            }
            self.pending = Some((self.permission.check)());
        }
    }

    fn record_result(&mut self, result: Option<bool>) -> io::Result<()> {
        (self.checked_at, self.bytes) = (Instant::now(), 0);
        match result {
            Some(true) => self.allowed_at = self.checked_at,
            None if self.allowed_at.elapsed() < INCONCLUSIVE_LIMIT => {}
            Some(false) | None => return Err(io::ErrorKind::PermissionDenied.into()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::StreamExt as _;

    use super::*;

    /// Returns how many of ten chunks of 100 bytes arrive, and how many checks were made, given these
    /// results.
    async fn received(
        results: &'static [Option<bool>],
        interval: Duration,
        pause: Duration,
    ) -> (usize, usize) {
        let checks = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&checks);
        let permission = Permission::new(move || {
            let result = results.get(count.fetch_add(1, Ordering::SeqCst)).copied().unwrap_or(Some(true));
            async move { result }
        });
        let chunks = stream::iter((0..10).map(|_| Ok::<_, io::Error>(Bytes::from_static(&[0; 100]))));
        let slowly = chunks.then(|chunk| async move {
            tokio::time::sleep(pause).await;
            chunk
        });
        let guarded = permission.check_every(interval, 250).guard(Box::pin(slowly));
        let received = guarded.take_while(|chunk| std::future::ready(chunk.is_ok())).count().await;
        (received, checks.load(Ordering::SeqCst))
    }

    #[tokio::test]
    async fn permission_is_checked_again_after_enough_bytes_and_losing_it_ends_the_response() {
        let (long, none) = (Duration::from_mins(1), Duration::ZERO);
        assert_eq!(received(&[], long, none).await, (10, 4));
        assert_eq!(received(&[Some(false)], long, none).await, (2, 1));
        assert_eq!(received(&[Some(true), Some(false)], long, none).await, (4, 2));
        assert_eq!(
            received(&[None, Some(false)], long, none).await,
            (4, 2),
            "an inconclusive check is repeated"
        );
    }

    #[tokio::test]
    async fn permission_is_checked_again_after_some_time() {
        let (interval, pause) = (Duration::from_millis(30), Duration::from_millis(40));
        assert_eq!(received(&[Some(true), Some(false)], interval, pause).await, (1, 2));
    }
}
