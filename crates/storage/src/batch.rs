//! Gathers the small frames of a network stream into large chunks, without copying them.

use std::mem;
use std::sync::Arc;

use bytes::Bytes;

/// Size of a chunk. Large enough that handing one to another thread costs little compared with hashing it.
const BATCH_BYTES: usize = 1024 * 1024;
/// Most frames in a chunk: bounds what a sender of tiny frames can make us keep in memory.
const BATCH_FRAMES: usize = 1024;

/// Consecutive frames, shared between the tasks that hash them and the one that writes them.
pub(crate) type Chunk = Arc<Vec<Bytes>>;

/// Gathers frames until a chunk is full.
#[derive(Default)]
pub(crate) struct Batch {
    frames: Vec<Bytes>,
    bytes: usize,
}

impl Batch {
    /// Adds a frame and returns the chunk if this frame filled it.
    pub(crate) fn push(&mut self, frame: Bytes) -> Option<Chunk> {
        self.bytes += frame.len();
        self.frames.push(frame);
        if self.bytes < BATCH_BYTES && self.frames.len() < BATCH_FRAMES {
            return None;
        }
        self.rest()
    }

    /// Returns the frames gathered so far, or `None` if there are none.
    pub(crate) fn rest(&mut self) -> Option<Chunk> {
        self.bytes = 0;
        let frames = mem::take(&mut self.frames);
        (!frames.is_empty()).then(|| Arc::new(frames))
    }
}
