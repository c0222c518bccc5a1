//! Minimum speed of request bodies: a client that sends a byte now and then would hold a connection and a
//! handler.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, Version, header};
use http_body::{Body as _, Frame, SizeHint};
use kernel::Problem;
use tokio::time::{Instant, Sleep};

use crate::ApiError;

/// Slowest body that is accepted. The clock starts when the handler begins to read.
#[derive(Clone, Copy, Debug)]
pub struct BodyPace {
    /// Maximum time for the whole body.
    pub max_time: Duration,
    /// Initial period without a minimum speed.
    pub grace: Duration,
    /// Average number of bytes per second required after that.
    pub min_bytes_per_second: u32,
}

impl Default for BodyPace {
    fn default() -> Self {
        Self { max_time: Duration::from_secs(30), grace: Duration::from_secs(5), min_bytes_per_second: 1024 }
    }
}

impl BodyPace {
    /// Returns the deadline of the next frame, measured from the start of the body, once `received` bytes
    /// have arrived.
    fn allowed(self, received: u64) -> Duration {
        let earned = received.saturating_mul(1000) / u64::from(self.min_bytes_per_second.max(1));
        self.max_time.min(self.grace.saturating_add(Duration::from_millis(earned)))
    }
}

/// Responds with 408 and closes the connection if the body arrives too slowly.
pub async fn pace_bodies(pace: BodyPace, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let version = request.version();
    let late = Arc::new(AtomicBool::new(false));
    let late_flag = Arc::clone(&late);
    let request =
        request.map(|body| Body::new(PacedBody { body, pace, received: 0, clock: None, late: late_flag }));
    let response = next.run(request).await;
    if !late.load(Ordering::Relaxed) {
        return response;
    }
    let slow = Problem::new(408, "body_too_slow", "The request took too long to arrive.");
    let mut response = ApiError(slow).into_response();
    if version < Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Body that fails once it falls below the required speed.
struct PacedBody {
    body: Body,
    pace: BodyPace,
    received: u64,
    /// Time of the first read, and the timer for the next frame.
    clock: Option<(Instant, Pin<Box<Sleep>>)>,
    late: Arc<AtomicBool>,
}

impl http_body::Body for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.body).poll_frame(cx);
        let allowed = this.pace.allowed(this.received);
        let (started, timer) = this.clock.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(tokio::time::sleep_until(now + allowed)))
        });
        match polled {
            Poll::Ready(Some(Ok(frame))) => {
                this.received += frame.data_ref().map_or(0, |data| data.len() as u64);
                timer.as_mut().reset(*started + this.pace.allowed(this.received));
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Pending if timer.as_mut().poll(cx).is_ready() => {
                this.late.store(true, Ordering::Relaxed);
                Poll::Ready(Some(Err(axum::Error::new(std::io::Error::from(std::io::ErrorKind::TimedOut)))))
            }
            other => other,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_extend_the_deadline_up_to_the_maximum() {
        let pace = BodyPace::default();
        let seconds = |received| pace.allowed(received).as_secs();
        assert_eq!((seconds(0), seconds(1024), seconds(10 * 1024)), (5, 6, 15));
        assert_eq!((seconds(25 * 1024), seconds(u64::MAX)), (30, 30));
    }
}
