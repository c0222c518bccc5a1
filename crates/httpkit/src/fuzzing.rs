//! The private writer of CSV rows that `fuzz/` checks. Not part of the public API.
//!
//! A Cargo feature would keep it out of other builds, but a workspace build enables it for all crates, so
//! this crate and all that depend on it would be compiled twice.

pub use crate::csv::rows as csv_rows;
