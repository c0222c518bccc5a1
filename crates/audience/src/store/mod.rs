//! All SQL of this crate, by topic.
pub mod consent;
pub mod letter_stop;
pub mod news;
pub mod people;
pub mod recipients;
