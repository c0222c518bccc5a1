//! An announcement of something new, made to app users once, and its progress. No async, no SQL.

use kernel::{DAY, Millis, Uid};

/// How long an announcement waits for its subject to become visible to app users before it is dropped.
pub const PATIENCE: Millis = 7 * DAY;

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
    Telling,
    /// An email was written to every recipient.
    Told,
    /// The subject was not visible in time.
    Dropped,
}

impl State {
    /// Returns the stored form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Telling => "telling",
            Self::Told => "told",
            Self::Dropped => "dropped",
        }
    }

    /// Parses the stored form; an unknown value reads as `Dropped`, which sends nothing.
    pub fn read(text: &str) -> Self {
        match text {
            "waiting" => Self::Waiting,
            "telling" => Self::Telling,
            "told" => Self::Told,
            _ => Self::Dropped,
        }
    }
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Organisation that the subject belongs to.
    pub org: Uid,
    pub kind: Kind,
    pub state: State,
    /// When it is dropped if it is still waiting.
    pub until: Millis,
    /// Last recipient so far; recipients are processed in order of their ids.
    pub told_to: Option<Uid>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_are_read_back_and_an_unknown_one_tells_nobody() {
        for state in [State::Waiting, State::Telling, State::Told, State::Dropped] {
            assert_eq!(State::read(state.as_str()), state);
        }
        assert_eq!(State::read("shouting"), State::Dropped);
        for kind in [Kind::Content, Kind::Playlist] {
            assert_eq!(Kind::read(kind.as_str()), kind);
        }
    }
}
