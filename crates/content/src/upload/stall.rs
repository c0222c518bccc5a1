//! Aborts requests that send too slowly.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::{Stream, StreamExt as _};

use crate::ContentSettings;

/// A stream and its speed so far.
struct Sender<S> {
    stream: S,
    began: Instant,
    bytes: u64,
}

/// Wraps the stream to fail when no data arrives for the configured time, or when the average speed is so low
/// that the request only occupies a slot.
pub fn abort_if_stalled(
    stream: impl Stream<Item = Result<Bytes, axum::Error>> + Send,
    settings: &ContentSettings,
) -> impl Stream<Item = Result<Bytes, String>> + Send {
    let (idle, rate) = (Duration::from_secs(settings.upload_idle_seconds), settings.upload_min_rate);
    let sender = Sender { stream: Box::pin(stream), began: Instant::now(), bytes: 0 };
    futures::stream::unfold(Some(sender), move |sender| async move {
        let mut sender = sender?;
        let slowest = idle + Duration::from_secs(sender.bytes / rate);
        let left = slowest.saturating_sub(sender.began.elapsed());
        match tokio::time::timeout(idle.min(left), sender.stream.next()).await {
            Ok(Some(Ok(frame))) => {
                sender.bytes += frame.len() as u64;
                Some((Ok(frame), Some(sender)))
            }
            Ok(Some(Err(error))) => Some((Err(error.to_string()), None)),
            Ok(None) => None,
            Err(_) => Some((Err("the sender stalled or was too slow".to_owned()), None)),
        }
    })
}
