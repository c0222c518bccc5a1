//! ORM tables, private to the room.
pub mod job;
