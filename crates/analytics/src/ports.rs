//! What this room tells the rooms above it.

use db::WriteTx;
use kernel::{Millis, Uid};
use sea_orm::DbErr;

/// What a consenting app user did, as far as it says something about interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sign {
    /// The organisation.
    pub org: Uid,
    /// The person.
    pub person: Uid,
    /// Since when the person has consented; what was told under an earlier consent counts no more.
    pub since: Millis,
    /// The UTC day of it, counted from the epoch.
    pub day: i64,
    /// What it was.
    pub what: SignKind,
}

/// Kinds of signs. Each counts once a thing and day, except for coverage, which adds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignKind {
    /// The person was there.
    ActiveDay,
    /// Something of a content was watched.
    Seen(Uid),
    /// A share of a content, between 0 and 1, was seen for the first time.
    Covered(Uid, f64),
    /// A file was taken.
    Download(Uid),
    /// A playlist's contact was tapped.
    Contact(Uid),
}

/// Who makes something of it; leads implements it.
#[async_trait::async_trait]
pub trait Interest: Send + Sync + 'static {
    /// Notes signs in the transaction that books the events they come from. The transaction holds the
    /// organisations of all signs.
    async fn note(&self, tx: &WriteTx, signs: &[Sign]) -> Result<(), DbErr>;
}
