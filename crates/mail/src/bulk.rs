//! Bulk email: many emails about the same thing.

use kernel::{PersonId, Uid};
use sea_orm::DbErr;

use crate::EmailMessage;

/// Marks an email as one of many about the same thing. A person gets at most one about each.
#[derive(Clone, PartialEq, Eq)]
pub struct BulkEmail {
    /// Id of what it is about, such as the announced item or playlist.
    pub topic: Uid,
    /// Person it is addressed to.
    pub person: PersonId,
    /// The person's unsubscribe address, for the headers of RFC 8058: GET shows a page that asks, POST
    /// unsubscribes.
    pub unsubscribe_url: String,
}

/// Whether a bulk email should still go out.
#[derive(Debug)]
pub enum Wanted {
    /// Withdraw it.
    No,
    /// Send it.
    AsWritten,
    /// Send this instead, an email of the same kind: what there is to say may have changed while it waited.
    Now(EmailMessage),
}

impl From<bool> for Wanted {
    fn from(is_wanted: bool) -> Self {
        if is_wanted { Self::AsWritten } else { Self::No }
    }
}

/// Decides whether a bulk email should still go out. Implemented by the crates that write such emails.
#[async_trait::async_trait]
pub trait StillWanted: Send + Sync + 'static {
    /// Returns whether the person may still know about the topic and still wants such emails. Called before each try.
    async fn still_wanted(&self, topic: Uid, person: PersonId) -> Result<Wanted, DbErr>;
}

/// Bulk emails that have not been sent yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkBacklog {
    /// Not tried yet; these are ahead of any email written now.
    pub untried: u64,
    /// All, including those that wait for another try.
    pub all: u64,
}
