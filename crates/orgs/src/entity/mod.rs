//! ORM tables, private to this crate.
pub mod admin_entry;
pub mod audit_entry;
pub mod invite;
pub mod membership;
pub mod org_person;
pub mod org_person_word;
pub mod organisation;
pub mod removal;
