//! ORM tables, private to this crate.
pub mod invite;
pub mod membership;
pub mod organisation;
