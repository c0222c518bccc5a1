//! All SQL of the room, by table.
pub mod membership;
pub mod organisation;
