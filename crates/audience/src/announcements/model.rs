//! An announcement of something new, made to app users once, and its progress. No async, no SQL.

use kernel::{DAY, MINUTE, Millis, OrgId, PersonId, Timestamp, Uid};
use sea_orm::{DeriveActiveEnum, EnumIter};

/// How long an announcement waits for its subject to become visible to app users before it is dropped. A publish date
/// in the future does not count.
pub const WAIT_MAX: Millis = 7 * DAY;

/// How long the first thing that becomes visible waits for others: what becomes visible meanwhile is announced by the
/// same emails.
pub const WINDOW: Millis = 15 * MINUTE;

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
    /// App users cannot see the subject, or no longer can, or other things may become visible shortly.
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
    /// The emails of another announcement list the subject.
    #[sea_orm(string_value = "listed")]
    Listed,
}

/// The announcement of one content item or playlist, and how far its emails have been written. They also list the subjects of
/// the announcements that were joined to it.
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
    /// Since when app users can see the subject, as far as a job knows.
    pub visible_since: Option<Timestamp>,
}

/// Returns when the first of these announcements became visible, which opened the organisation's window.
pub fn window_opened(announcements: &[Announcement]) -> Option<Timestamp> {
    announcements.iter().filter_map(|announcement| announcement.visible_since).min()
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn stored_words_never_change() {
        assert_eq!(State::values(), ["waiting", "sending", "sent", "dropped", "listed"]);
        assert_eq!(Kind::values(), ["content", "playlist"]);
    }
}
