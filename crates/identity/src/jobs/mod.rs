//! Background jobs.
mod prune;

pub use prune::prune;
