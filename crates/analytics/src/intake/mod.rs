//! Turns requests into durable numbers.
//!
//! Requests queue up for a single task. It takes all that are waiting (at most [`writer::GROUP`]), reads what
//! they need with one query per table (`stage`), applies the definitions in memory (`booking`) and writes the
//! result in one transaction. The requests are answered only after the commit, so one disk flush serves them
//! all.

mod booking;
mod stage;
mod writer;

use identity::Bearer;
use kernel::{Millis, Uid};

pub use writer::Intake;

use crate::model::{Event, Reason};

/// A validated request, waiting to be processed.
pub struct Request {
    pub bearer: Bearer,
    pub org: Uid,
    /// Whether the user agent is that of a known bot.
    pub bot: bool,
    pub received_at: Millis,
    /// The accepted events in their stored form.
    pub kept: String,
    /// Valid events, ordered by time.
    pub events: Vec<Event>,
    /// Events rejected during parsing.
    pub rejected: Vec<(Uid, Reason)>,
}
