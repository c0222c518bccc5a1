//! All SQL of the room, by table.
pub mod magic_link;
pub mod person;
pub mod session;
pub mod token_key;
