//! Turns requests into durable numbers.
//!
//! Requests queue up for a single task. It takes all that are waiting (at most [`writer::BATCH_MAX`]), reads what
//! they need with one query per table (`batch_context`), applies the definitions in memory (`aggregator`) and writes the
//! result (`saving`) in one transaction. The requests are answered only after the commit, so one disk flush serves them
//! all.

mod aggregator;
mod batch_context;
mod recording;
mod saving;
mod writer;

use identity::Bearer;
use kernel::{OrgId, Timestamp};

pub use writer::Intake;

use crate::definitions::devices::Device;
use crate::model::{Event, Rejected};

/// Where a request comes from.
#[derive(Clone, Debug)]
pub struct Client {
    /// Whether the user agent is that of a known bot.
    pub bot: bool,
    pub device: Device,
    /// ISO 3166 code of the country, if known.
    pub country: Option<String>,
    /// Version of the app, as it reports it.
    pub app: Option<String>,
}

/// A validated request, waiting to be processed.
pub struct Request {
    pub bearer: Bearer,
    pub org: OrgId,
    pub client: Client,
    pub received_at: Timestamp,
    /// Valid events, ordered by time.
    pub events: Vec<Event>,
    /// Events rejected during parsing.
    pub rejected: Vec<Rejected>,
}
