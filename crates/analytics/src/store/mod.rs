//! All SQL of this crate, by topic. The organisation is part of every key and filters every read.
pub mod event_items;
pub mod people;
pub mod reports;
pub mod states;
pub mod sums;
