//! All SQL of the room, by topic.
pub mod consent;
pub mod letter_stop;
pub mod news;
pub mod people;
pub mod recipients;
