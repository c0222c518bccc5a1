//! The private parsers that `fuzz/` checks. Not part of the public API.
//!
//! A Cargo feature would keep them out of other builds, but a workspace build enables it for all crates, so
//! this crate and all that depend on it would be compiled twice.

pub use crate::captions::{CaptionsError, clean as clean_captions};
pub use crate::ops::Metadata;
pub use crate::tus_error::TusError;
