//! Bodies of requests that are answered before they were read to their end, such as one that is too large.
//!
//! hyper then closes the connection without saying so. A proxy that has just sent its next request into it answers
//! that one with 502. So what is left is read if it is little and has arrived; otherwise the response says that the
//! connection closes.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use parking_lot::Mutex;

/// How much is read without a use for it, in bytes.
const MOST: usize = 64 * 1024;
/// How long the rest of a body may take to arrive.
const PATIENCE: Duration = Duration::from_millis(100);

/// Any body.
type BoxBody = Pin<Box<dyn Body<Data = Bytes, Error = BoxError> + Send>>;

/// Body of a request; clones share it.
#[derive(Clone)]
pub struct SharedBody {
    body: Arc<Mutex<BoxBody>>,
    ended: Arc<AtomicBool>,
}

impl SharedBody {
    /// Wraps a body.
    pub fn new<B>(body: B) -> Self
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self {
            body: Arc::new(Mutex::new(Box::pin(body.map_err(Into::into)))),
            ended: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Returns whether the body was read to its end. A little more of it is read for that, unless the client waits to be
    /// asked for it.
    pub async fn finish(mut self, waits: bool) -> bool {
        // A handler that keeps the body may still be reading it.
        if self.is_end_stream() || Arc::strong_count(&self.body) > 1 {
            return true;
        }
        if waits {
            return false;
        }
        let rest = async {
            let mut left = MOST;
            while let Some(frame) = poll_fn(|context| Pin::new(&mut self).poll_frame(context)).await {
                let read = frame.ok()?.into_data().map_or(0, |data| data.len());
                left = left.checked_sub(read)?;
            }
            Some(())
        };
        tokio::time::timeout(PATIENCE, rest).await.ok().flatten().is_some()
    }
}

impl Body for SharedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = self.body.lock().as_mut().poll_frame(context);
        if matches!(polled, Poll::Ready(None)) {
            self.ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || self.body.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.lock().size_hint()
    }
}
