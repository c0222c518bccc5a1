//! Answers to the consent notice and their rules. No async, no SQL, no HTTP.

use kernel::{ConsentId, OrgId, PersonId, Timestamp};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::{Error, notice};

/// How an answer was given.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum, serde::Serialize, utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
#[schema(as = ConsentMethod)]
pub enum Method {
    /// On the join page.
    #[sea_orm(string_value = "join")]
    Join,
    /// With the switch on the Me page.
    #[sea_orm(string_value = "settings")]
    Settings,
    /// By leaving the organisation.
    #[sea_orm(string_value = "leave")]
    Leave,
}

/// A person's current answer to an organisation's consent notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Whether the latest answer is yes.
    pub given: bool,
    /// When the answer last changed. Activity from before a consent stays
    /// anonymous.
    pub since: Timestamp,
}

/// The latest answer of a person, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentRecord {
    pub uid: ConsentId,
    pub org: OrgId,
    pub person: PersonId,
    pub consent: Consent,
    /// Version of the notice that was answered.
    pub notice_version: String,
    pub method: Method,
    pub created_at: Timestamp,
}

/// A new answer to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentAnswer {
    pub org: OrgId,
    pub person: PersonId,
    pub given: bool,
    pub method: Method,
}

/// Returns the current consent after an answer at `now`.
pub fn consent_after(before: Option<Consent>, given: bool, now: Timestamp) -> Consent {
    match before {
        Some(before) if before.given == given => before,
        _ => Consent { given, since: now },
    }
}

/// Fails if a yes does not name the notice that was shown, or if the answer refers to an older one.
pub fn check_notice_version(given: bool, version: Option<&str>) -> Result<(), Error> {
    match version {
        Some(notice::VERSION) => Ok(()),
        None if !given => Ok(()),
        None => Err(Error::NoticeMissing),
        Some(_) => Err(Error::NoticeChanged),
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn stored_words_never_change() {
        assert_eq!(Method::values(), ["join", "settings", "leave"]);
        let in_api: Vec<_> = Method::iter().map(|method| serde_json::to_value(method).unwrap()).collect();
        assert_eq!(in_api, Method::values());
    }

    #[test]
    fn a_repeated_answer_keeps_its_start() {
        let yes = consent_after(None, true, at_ms(10));
        assert_eq!(consent_after(Some(yes), true, at_ms(20)), yes);
        let no = consent_after(Some(yes), false, at_ms(30));
        assert_eq!(no, Consent { given: false, since: at_ms(30) });
        assert_eq!(consent_after(Some(no), true, at_ms(40)).since, at_ms(40));
    }

    #[test]
    fn a_yes_names_the_current_notice_and_a_no_needs_none() {
        for given in [true, false] {
            assert!(check_notice_version(given, Some(notice::VERSION)).is_ok());
            assert!(matches!(check_notice_version(given, Some("2001-01-01")), Err(Error::NoticeChanged)));
        }
        assert!(check_notice_version(false, None).is_ok());
        assert!(matches!(check_notice_version(true, None), Err(Error::NoticeMissing)));
    }
}
