//! ORM entities, private to this crate.
pub mod job;
