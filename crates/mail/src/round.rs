//! Letters of which many go out about the same thing.

use kernel::Uid;
use sea_orm::DbErr;

/// One of many letters about the same thing. A person gets one about each thing at the most.
#[derive(Clone, PartialEq, Eq)]
pub struct Round {
    /// What it is about.
    pub about: Uid,
    /// Whom it goes to.
    pub person: Uid,
    /// The address at which the person stops such letters: opened, a page that asks; sent a POST, it has stopped
    /// (RFC 8058). It goes into the headers.
    pub stop: String,
}

/// Whether one of many letters is still to go; asked right before it is handed over. The room that writes such
/// letters answers.
#[async_trait::async_trait]
pub trait StillWanted: Send + Sync + 'static {
    /// Whether what it is about may still be shown to the person, and the person still wants to be told.
    async fn still_wanted(&self, about: Uid, person: Uid) -> Result<bool, DbErr>;
}

/// Letters of rounds that wait to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundsWaiting {
    /// Not tried yet: they stand before whatever is written now.
    pub untried: u64,
    /// With those that wait for another try.
    pub all: u64,
}
