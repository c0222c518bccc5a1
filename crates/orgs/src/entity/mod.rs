//! ORM tables, private to the room.
pub mod membership;
pub mod organisation;
