//! ORM tables, private to this crate.
pub mod membership;
pub mod organisation;
