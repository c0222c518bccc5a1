//! ORM tables, private to this crate.
pub mod announcement;
pub mod consent;
pub mod consent_standing;
pub mod unsubscribe;
