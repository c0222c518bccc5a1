//! Large pieces out of the small frames that a network gives, without copying them.

use std::mem;
use std::sync::Arc;

use bytes::Bytes;

/// Bytes worked on at once. Large, so that handing a piece to another thread costs nothing beside hashing it.
const BATCH_BYTES: usize = 1024 * 1024;
/// Frames of a batch: bounds what a sender of tiny frames can make us keep.
const BATCH_FRAMES: usize = 1024;

/// Consecutive frames, shared by whoever hashes and whoever writes them.
pub(crate) type Piece = Arc<Vec<Bytes>>;

/// Gathers frames until a piece is full.
#[derive(Default)]
pub(crate) struct Batch {
    frames: Vec<Bytes>,
    bytes: usize,
}

impl Batch {
    /// Adds a frame and returns the piece it filled, if it did.
    pub(crate) fn push(&mut self, frame: Bytes) -> Option<Piece> {
        self.bytes += frame.len();
        self.frames.push(frame);
        if self.bytes < BATCH_BYTES && self.frames.len() < BATCH_FRAMES {
            return None;
        }
        self.rest()
    }

    /// What has been gathered so far; `None` when that is nothing.
    pub(crate) fn rest(&mut self) -> Option<Piece> {
        self.bytes = 0;
        let frames = mem::take(&mut self.frames);
        (!frames.is_empty()).then(|| Arc::new(frames))
    }
}
