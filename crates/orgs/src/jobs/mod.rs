//! Background jobs of this crate.

pub mod prune_audit;
