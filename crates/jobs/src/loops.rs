//! How many of the worker's loops are alive.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The loops of this process.
#[derive(Default)]
pub(crate) struct Loops {
    configured: AtomicUsize,
    living: AtomicUsize,
}

impl Loops {
    /// Says that this many more loops should be alive from now on.
    pub(crate) fn configure(&self, count: usize) {
        self.configured.fetch_add(count, Ordering::Relaxed);
    }

    /// Counts a loop that is alive, until the guard is dropped.
    pub(crate) fn enter(&self) -> Living<'_> {
        self.living.fetch_add(1, Ordering::Relaxed);
        Living(&self.living)
    }

    /// Returns true if every loop that should be alive is.
    pub(crate) fn all_alive(&self) -> bool {
        self.living.load(Ordering::Relaxed) >= self.configured.load(Ordering::Relaxed)
    }
}

/// A loop that is alive, until it is dropped.
pub(crate) struct Living<'a>(&'a AtomicUsize);

impl Drop for Living<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
