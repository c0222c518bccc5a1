//! ORM tables, private to the room.
pub mod consent;
pub mod consent_standing;
