//! Background jobs.
mod prune;

pub use prune::{has_expired, prune};
