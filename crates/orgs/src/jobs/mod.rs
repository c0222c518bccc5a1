//! Background jobs of this crate.

pub mod prune_audit;
pub mod purge_organisations;
