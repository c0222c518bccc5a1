//! A piece of news: a thing of which app users are told once, and how far that is. No async, no SQL.

use kernel::{DAY, Millis, Uid};

/// How long a thing may stay out of app users' sight and still be news.
pub const PATIENCE: Millis = 7 * DAY;

/// What there is news about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A content.
    Content,
    /// A playlist.
    Playlist,
}

impl Kind {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Playlist => "playlist",
        }
    }

    /// Reads the stored word.
    pub fn read(text: &str) -> Self {
        if text == "playlist" { Self::Playlist } else { Self::Content }
    }
}

/// How far the telling is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No app user may see it yet, or any more.
    Waiting,
    /// Letters are being written.
    Telling,
    /// Everybody was told.
    Told,
    /// It stayed out of sight for too long.
    Dropped,
}

impl State {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Telling => "telling",
            Self::Told => "told",
            Self::Dropped => "dropped",
        }
    }

    /// Reads the stored word; an unknown one tells nobody.
    pub fn read(text: &str) -> Self {
        match text {
            "waiting" => Self::Waiting,
            "telling" => Self::Telling,
            "told" => Self::Told,
            _ => Self::Dropped,
        }
    }
}

/// A piece of news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The content's or playlist's id.
    pub subject: Uid,
    /// Whose it is.
    pub org: Uid,
    /// What it is.
    pub kind: Kind,
    /// How far the telling is.
    pub state: State,
    /// Until when it waits.
    pub until: Millis,
    /// The last person told, in the order of ids.
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
