//! Counts the worker's loops that are down.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The loops of this process.
#[derive(Default)]
pub(crate) struct Loops {
    down: AtomicUsize,
}

impl Loops {
    /// Counts a loop as down until the guard is dropped.
    pub(crate) fn fall(&self) -> DownGuard<'_> {
        self.down.fetch_add(1, Ordering::Relaxed);
        DownGuard(&self.down)
    }

    /// Returns true if no loop is down.
    pub(crate) fn all_alive(&self) -> bool {
        self.down.load(Ordering::Relaxed) == 0
    }
}

/// Guard of a loop that is down.
pub(crate) struct DownGuard<'a>(&'a AtomicUsize);

impl Drop for DownGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
