//! ORM tables, private to the crate.
pub mod playlist;
pub mod playlist_item;
