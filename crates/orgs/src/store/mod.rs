//! All SQL of this crate, by table.
pub mod admin_log;
pub mod audit;
pub mod deletion;
pub mod invite;
pub mod membership;
pub mod organisation;
pub mod people;
pub mod removal;
mod retention;
pub mod verify;
pub mod word_search;
