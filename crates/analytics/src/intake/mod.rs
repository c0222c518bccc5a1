//! From requests to durable numbers.
//!
//! Requests queue up for one task, which takes as many as are there (at most [`writer::GROUP`]), reads what
//! they need in one query a table (`stage`), applies the definitions in memory (`booking`), and writes all of
//! it in one transaction. Only then are the requests answered: one flush to disk serves them all.

mod booking;
mod stage;
mod writer;

use identity::Bearer;
use kernel::{Millis, Uid};

pub use writer::Intake;

use crate::model::{Event, Reason};

/// A request on its way into the books.
pub struct Request {
    pub bearer: Bearer,
    pub org: Uid,
    /// Whether the sender says of itself that it is a bot.
    pub bot: bool,
    pub received_at: Millis,
    /// The events as they are kept.
    pub kept: String,
    /// Events that were understood, in the order of their times.
    pub events: Vec<Event>,
    /// Events that were not.
    pub rejected: Vec<(Uid, Reason)>,
}
