//! All SQL of this crate, by table.
pub mod membership;
pub mod organisation;
