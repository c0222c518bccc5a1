//! ORM tables, private to this crate.
pub mod audit_entry;
pub mod invite;
pub mod membership;
pub mod organisation;
