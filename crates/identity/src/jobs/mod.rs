//! What runs by itself.
mod prune;

pub use prune::prune;
