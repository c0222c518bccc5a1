//! All SQL of the room, by topic. The organisation is a part of every key and a filter of every read.
pub mod facts;
pub mod people;
pub mod reports;
pub mod states;
pub mod sums;
