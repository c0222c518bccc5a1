//! Turns requests into durable numbers.
//!
//! Requests queue up for a single task. It takes all that are waiting (at most [`writer::BATCH_MAX`]), reads what
//! they need with one query per table (`batch_context`), applies the definitions in memory (`aggregator`) and writes the
//! result in one transaction. The requests are answered only after the commit, so one disk flush serves them
//! all.

mod aggregator;
mod batch_context;
mod writer;

use identity::Bearer;
use kernel::{EventId, OrgId, Timestamp};

pub use writer::Intake;

use crate::model::{Event, RejectReason};

/// A validated request, waiting to be processed.
pub struct Request {
    pub bearer: Bearer,
    pub org: OrgId,
    /// Whether the user agent is that of a known bot.
    pub bot: bool,
    pub received_at: Timestamp,
    /// The accepted events in their stored form.
    pub stored: String,
    /// Valid events, ordered by time.
    pub events: Vec<Event>,
    /// Events rejected during parsing.
    pub rejected: Vec<(EventId, RejectReason)>,
}
