//! Traits that crates above this one implement.

use db::WriteTx;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp};
use sea_orm::{DatabaseConnection, DbErr};

/// An interest signal: something a consenting app user did that indicates interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterestSignal {
    /// Organisation in which it happened.
    pub org: OrgId,
    /// Person who did it.
    pub person: PersonId,
    /// Start of the current consent; signals from under an earlier consent no longer count.
    pub since: Timestamp,
    /// When it happened.
    pub at: Timestamp,
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
    /// A visit began.
    Visit,
    /// Part of a content item was watched.
    Watched(ContentId),
    /// A share of a content item, between 0 and 1, was watched for the first time.
    Covered(ContentId, f64),
    /// A file was downloaded.
    Download(ContentId),
    /// A playlist's contact was tapped.
    Contact(PlaylistId),
}

/// How far back a plan shows numbers; implemented by the server from billing's plans.
#[async_trait::async_trait]
pub trait Horizon: Send + Sync + 'static {
    /// Returns how many months the organisation's plan shows; `None` if all.
    async fn months(&self, read: &DatabaseConnection, org: OrgId) -> Result<Option<u32>, DbErr>;
}

/// Receives interest signals; implemented by the leads crate.
#[async_trait::async_trait]
pub trait InterestSink: Send + Sync + 'static {
    /// Records signals in the transaction that counts the events behind them. The transaction excludes others that change
    /// anything of the same people in the same organisations. Others of the same organisations may run beside it.
    async fn record(&self, tx: &WriteTx, signals: &[InterestSignal]) -> Result<(), DbErr>;
}
