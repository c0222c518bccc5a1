//! All SQL of the room, by topic.
pub mod consent;
pub mod people;
