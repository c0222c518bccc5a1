//! An announcement of something new, made to app users once, and its progress. No async, no SQL.

use kernel::{DAY, Millis, Uid};

/// How long an announcement waits for its subject to become visible to app users before it is dropped.
pub const WAIT_MAX: Millis = 7 * DAY;

/// What is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A content item.
    Content,
    /// A playlist.
    Playlist,
}

impl Kind {
    /// Returns the stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Playlist => "playlist",
        }
    }

    /// Parses the stored form; an unknown value reads as `Content`.
    pub fn read(text: &str) -> Self {
        if text == "playlist" { Self::Playlist } else { Self::Content }
    }
}

/// Progress of an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// App users cannot see the subject, or no longer can.
    Waiting,
    /// Emails are being written.
    Sending,
    /// An email was written to every recipient.
    Sent,
    /// The subject was not visible in time.
    Dropped,
}

impl State {
    /// Returns the stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Dropped => "dropped",
        }
    }

    /// Parses the stored form; an unknown value reads as `Dropped`, which sends nothing.
    pub fn read(text: &str) -> Self {
        match text {
            "waiting" => Self::Waiting,
            "sending" => Self::Sending,
            "sent" => Self::Sent,
            _ => Self::Dropped,
        }
    }
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Organisation that the subject belongs to.
    pub org: Uid,
    pub kind: Kind,
    pub state: State,
    /// When it is dropped if it is still waiting.
    pub until: Millis,
    /// Last recipient so far; recipients are processed in order of their ids.
    pub last_recipient: Option<Uid>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_round_trip_and_an_unknown_state_sends_nothing() {
        for state in [State::Waiting, State::Sending, State::Sent, State::Dropped] {
            assert_eq!(State::read(state.as_str()), state);
        }
        assert_eq!(State::read("shouting"), State::Dropped);
        for kind in [Kind::Content, Kind::Playlist] {
            assert_eq!(Kind::read(kind.as_str()), kind);
        }
    }
}
