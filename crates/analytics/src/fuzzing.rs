//! The private parser of event requests that `fuzz/` checks. Not part of the public API.
//!
//! A Cargo feature would keep it out of other builds, but a workspace build enables it for all crates, so
//! this crate and all that depend on it would be compiled twice.

pub use crate::definitions::view::Beat;
pub use crate::definitions::{CLOCK_SKEW_MAX, DELAY_MAX};
pub use crate::model::{EVENTS_MAX, Event, EventData, RejectReason};
pub use crate::ops::post_events::{ParsedEvents, parse_body};
