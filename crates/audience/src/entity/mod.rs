//! ORM tables, private to the room.
pub mod consent;
pub mod consent_standing;
pub mod letter_stop;
pub mod news;
