//! ORM tables, private to the room.
pub mod playlist;
pub mod playlist_item;
