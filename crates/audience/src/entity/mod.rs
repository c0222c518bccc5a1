//! ORM tables, private to this crate.
pub mod consent;
pub mod consent_standing;
pub mod letter_stop;
pub mod news;
