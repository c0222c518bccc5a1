//! Counts the worker's loops that are alive.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The loops of this process.
#[derive(Default)]
pub(crate) struct Loops {
    configured: AtomicUsize,
    alive: AtomicUsize,
}

impl Loops {
    /// Raises the number of loops that should be alive.
    pub(crate) fn configure(&self, count: usize) {
        self.configured.fetch_add(count, Ordering::Relaxed);
    }

    /// Counts a loop as alive until the guard is dropped.
    pub(crate) fn enter(&self) -> AliveGuard<'_> {
        self.alive.fetch_add(1, Ordering::Relaxed);
        AliveGuard(&self.alive)
    }

    /// Returns true if every loop that should be alive is.
    pub(crate) fn all_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed) >= self.configured.load(Ordering::Relaxed)
    }
}

/// Guard of a loop that is alive.
pub(crate) struct AliveGuard<'a>(&'a AtomicUsize);

impl Drop for AliveGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
