//! The one shape of every refusal: status, stable code, sentence, and messages by field.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

/// The spec's sentence for everything nobody foresaw (section 8).
pub const GENERIC_MESSAGE: &str = "Something went wrong. Try again later!";

/// What a caller is told when a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// A stable word for programs, in snake_case.
    #[schema(value_type = String)]
    pub code: Cow<'static, str>,
    /// A sentence for people; the spec's own where it gives one.
    #[schema(value_type = String)]
    pub message: Cow<'static, str>,
    /// Messages by the name of the request's field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<std::collections::HashMap<String, String>>)]
    pub fields: BTreeMap<Cow<'static, str>, String>,
    /// Seconds to wait before trying again (429 and 503), sent as Retry-After.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

impl Problem {
    /// A refusal with the given status, code and sentence.
    pub fn new(status: u16, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
            fields: BTreeMap::new(),
            retry_after: None,
        }
    }

    /// 400: the request itself is wrong.
    pub fn bad_request(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, code, message)
    }

    /// 400 that names the field whose value is wrong; the sentence is the field's.
    pub fn field(field: &'static str, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let mut problem = Self::new(400, code, message);
        problem.fields.insert(field.into(), problem.message.clone().into_owned());
        problem
    }

    /// 401: no identity token, or one that does not hold.
    pub fn unauthenticated() -> Self {
        Self::new(401, "unauthenticated", "Missing or invalid identity token")
    }

    /// 403: a member without the right.
    pub fn forbidden() -> Self {
        Self::new(403, "forbidden", "You do not have permission to do this.")
    }

    /// 404: missing, or not the caller's to know of. `thing` is as people call it: "Playlist".
    pub fn not_found(thing: &'static str) -> Self {
        Self::new(404, "not_found", format!("{thing} not found"))
    }

    /// 409: the state does not allow it.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(409, code, message)
    }

    /// 429 with the seconds after which a try makes sense.
    pub fn too_many(retry_after: u32) -> Self {
        let mut problem = Self::new(429, "too_many_requests", "Too many requests. Please wait a moment.");
        problem.retry_after = Some(retry_after);
        problem
    }

    /// 503: a part of the server does not work right now, and nothing was changed.
    pub fn unavailable() -> Self {
        let sentence = "The server cannot do this right now. Please try again in a moment.";
        let mut problem = Self::new(503, "unavailable", sentence);
        problem.retry_after = Some(5);
        problem
    }

    /// 507: the server's disk is full, and nothing was changed.
    pub fn storage_full() -> Self {
        Self::new(507, "storage_full", "The server has no space left. Nothing was saved.")
    }

    /// 500 with the generic sentence; the cause belongs in the log, not in the answer.
    pub fn internal() -> Self {
        Self::new(500, "internal", GENERIC_MESSAGE)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.message)
    }
}

impl std::error::Error for Problem {}
