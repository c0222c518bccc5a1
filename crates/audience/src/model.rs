//! Answers to the consent notice and their rules. No async, no SQL, no HTTP.

use kernel::{Millis, Uid};

use crate::{Error, notice};

/// How an answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ConsentMethod)]
pub enum Method {
    /// On the join page.
    Join,
    /// With the switch on the Me page.
    Settings,
    /// By leaving the organisation.
    Leave,
}

impl Method {
    /// Returns the form used in JSON and in storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Join => "join",
            Self::Settings => "settings",
            Self::Leave => "leave",
        }
    }

    /// Parses the stored form; an unknown value reads as `Join`.
    pub fn read(word: &str) -> Self {
        match word {
            "settings" => Self::Settings,
            "leave" => Self::Leave,
            _ => Self::Join,
        }
    }
}

/// A person's current answer to an organisation's consent notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Whether the latest answer is yes.
    pub given: bool,
    /// Since when the answer has been the same without interruption. Activity from before a consent stays
    /// anonymous.
    pub since: Millis,
}

/// The latest answer of a person, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentRecord {
    pub uid: Uid,
    pub org: Uid,
    pub person: Uid,
    pub consent: Consent,
    /// Version of the notice that was answered.
    pub notice_version: String,
    pub method: Method,
    pub created_at: Millis,
}

/// A new answer to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentAnswer {
    pub org: Uid,
    pub person: Uid,
    pub given: bool,
    pub method: Method,
}

/// Returns the current consent after an answer at `now`.
pub fn consent_after(before: Option<Consent>, given: bool, now: Millis) -> Consent {
    match before {
        Some(before) if before.given == given => before,
        _ => Consent { given, since: now },
    }
}

/// Returns whether the organisation may see a person's profile: that of members, and of people who consent.
pub fn may_see_profile(is_member: bool, consent: Option<bool>) -> bool {
    is_member || consent == Some(true)
}

/// Fails if the answer refers to an older notice. An answer without a version refers to the current notice.
pub fn check_notice_version(version: Option<&str>) -> Result<(), Error> {
    match version {
        None | Some(notice::VERSION) => Ok(()),
        Some(_) => Err(Error::NoticeChanged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_answer_keeps_its_start() {
        let yes = consent_after(None, true, 10);
        assert_eq!(consent_after(Some(yes), true, 20), yes);
        let no = consent_after(Some(yes), false, 30);
        assert_eq!(no, Consent { given: false, since: 30 });
        assert_eq!(consent_after(Some(no), true, 40).since, 40);
    }

    #[test]
    fn an_answer_to_an_old_notice_is_rejected() {
        assert!(check_notice_version(None).is_ok() && check_notice_version(Some(notice::VERSION)).is_ok());
        assert!(matches!(check_notice_version(Some("2001-01-01")), Err(Error::NoticeChanged)));
    }
}
