//! All SQL of this crate, by table.
pub mod invite;
pub mod membership;
pub mod organisation;
