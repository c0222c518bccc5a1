//! ORM tables, private to the room.
pub mod magic_link;
pub mod person;
pub mod session;
pub mod token_key;
