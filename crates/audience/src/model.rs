//! Answers to the consent notice and the rules about them. No async, no SQL, no HTTP.

use kernel::{Millis, Uid};

use crate::{Error, notice};

/// How an answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ConsentMethod)]
pub enum Method {
    /// On the joining page.
    Join,
    /// With the switch under Me.
    Settings,
    /// By leaving the organisation.
    Leave,
}

impl Method {
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Join => "join",
            Self::Settings => "settings",
            Self::Leave => "leave",
        }
    }

    /// Reads a stored word.
    pub fn read(word: &str) -> Self {
        match word {
            "settings" => Self::Settings,
            "leave" => Self::Leave,
            _ => Self::Join,
        }
    }
}

/// Where a person stands with an organisation's notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The latest answer.
    pub given: bool,
    /// Since when it has been the same answer without a break: what came before a consent stays anonymous
    ///
    pub since: Millis,
}

/// The latest answer of a person, as kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The record's id.
    pub uid: Uid,
    /// The organisation.
    pub org: Uid,
    /// The person.
    pub person: Uid,
    /// The answer and since when.
    pub consent: Consent,
    /// Which notice was answered.
    pub notice_version: String,
    /// How.
    pub method: Method,
    /// When.
    pub created_at: Millis,
}

/// An answer that is being given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub org: Uid,
    pub person: Uid,
    pub given: bool,
    pub method: Method,
}

/// The standing after an answer at `now`.
pub fn stand(before: Option<Consent>, given: bool, now: Millis) -> Consent {
    match before {
        Some(before) if before.given == given => before,
        _ => Consent { given, since: now },
    }
}

/// Returns whether the organisation may see a person's profile: that of members, and of people who consent.
pub fn may_know(is_member: bool, consent: Option<bool>) -> bool {
    is_member || consent == Some(true)
}

/// An answer is to the notice that is shown now; without a version the answer is taken as one to it.
pub fn answers_current(version: Option<&str>) -> Result<(), Error> {
    match version {
        None | Some(notice::VERSION) => Ok(()),
        Some(_) => Err(Error::NoticeChanged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_answer_again_keeps_its_beginning() {
        let yes = stand(None, true, 10);
        assert_eq!(stand(Some(yes), true, 20), yes);
        let no = stand(Some(yes), false, 30);
        assert_eq!(no, Consent { given: false, since: 30 });
        assert_eq!(stand(Some(no), true, 40).since, 40);
    }

    #[test]
    fn an_answer_to_an_old_notice_is_none() {
        assert!(answers_current(None).is_ok() && answers_current(Some(notice::VERSION)).is_ok());
        assert!(matches!(answers_current(Some("2001-01-01")), Err(Error::NoticeChanged)));
    }
}
