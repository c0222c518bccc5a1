//! An announcement of something new, made to app users once, and its progress. No async, no SQL.

use kernel::{DAY, Millis, OrgId, PersonId, Timestamp, Uid};
use sea_orm::{DeriveActiveEnum, EnumIter};

/// How long an announcement waits for its subject to become visible to app users before it is dropped. A publish date
/// in the future does not count.
pub const WAIT_MAX: Millis = 7 * DAY;

/// What is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Kind {
    /// A content item.
    #[sea_orm(string_value = "content")]
    Content,
    /// A playlist.
    #[sea_orm(string_value = "playlist")]
    Playlist,
}

/// Progress of an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum State {
    /// App users cannot see the subject, or no longer can.
    #[sea_orm(string_value = "waiting")]
    Waiting,
    /// Emails are being written.
    #[sea_orm(string_value = "sending")]
    Sending,
    /// An email was written to every recipient.
    #[sea_orm(string_value = "sent")]
    Sent,
    /// The subject was not visible in time.
    #[sea_orm(string_value = "dropped")]
    Dropped,
}

/// The email about one content item or playlist, and how far it has been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Organisation that the subject belongs to.
    pub org: OrgId,
    pub kind: Kind,
    pub state: State,
    /// When it is dropped if it is still waiting.
    pub until: Timestamp,
    /// Last recipient so far; recipients are processed in order of their ids.
    pub last_recipient: Option<PersonId>,
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn stored_words_never_change() {
        assert_eq!(State::values(), ["waiting", "sending", "sent", "dropped"]);
        assert_eq!(Kind::values(), ["content", "playlist"]);
    }
}
