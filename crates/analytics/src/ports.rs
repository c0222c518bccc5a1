//! Traits that crates above this one implement.

use db::WriteTx;
use kernel::{Millis, Uid};
use sea_orm::DbErr;

/// An interest signal: something a consenting app user did that indicates interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterestSignal {
    /// Organisation in which it happened.
    pub org: Uid,
    /// Person who did it.
    pub person: Uid,
    /// Start of the current consent; signals from under an earlier consent no longer count.
    pub since: Millis,
    /// UTC day, counted from the epoch.
    pub day: i64,
    /// Kind of signal, with the item concerned.
    pub kind: SignalKind,
}

/// Kinds of interest signals. Each counts once per item and day, except coverage, which adds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignalKind {
    /// The person was active on this day.
    ActiveDay,
    /// Part of a content item was watched.
    Watched(Uid),
    /// A share of a content item, between 0 and 1, was watched for the first time.
    Covered(Uid, f64),
    /// A file was downloaded.
    Download(Uid),
    /// A playlist's contact was tapped.
    Contact(Uid),
}

/// Receives interest signals; implemented by the leads crate.
#[async_trait::async_trait]
pub trait InterestSink: Send + Sync + 'static {
    /// Records signals in the transaction that counts the events behind them. The transaction holds the locks
    /// of all organisations concerned.
    async fn record(&self, tx: &WriteTx, signals: &[InterestSignal]) -> Result<(), DbErr>;
}
