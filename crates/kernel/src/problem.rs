//! The shape of every error response: status, stable code, message, and messages by field.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};

/// The message for unexpected errors.
pub const GENERIC_MESSAGE: &str = "Something went wrong. Try again later!";

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// HTTP status.
    pub status: u16,
    /// Stable error code for programs, in `snake_case`.
    pub code: Cow<'static, str>,
    /// Message for people.
    pub message: Cow<'static, str>,
    /// Messages by name of the request field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<Cow<'static, str>, String>,
    /// The limit of the plan that refuses it (402 only). Boxed: few errors have it, and all are returned by value.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub over_limit: Option<Box<OverLimit>>,
    /// Seconds to wait before retrying (429 and 503), sent as Retry-After.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

/// The limit of a plan that refuses a request, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OverLimit {
    /// Which limit it is.
    pub limit: PlanLimit,
    /// How much is used already; for the size of a file, its size.
    pub used: u64,
    /// How much the plan allows.
    pub allowed: u64,
    /// What `used` and `allowed` count.
    pub unit: LimitUnit,
}

// The JSON of a `Problem`, as the API describes it: a derived schema would say that every error has the numbers of a limit.
/// An error response.
#[derive(utoipa::ToSchema)]
#[schema(as = Problem)]
#[expect(dead_code, reason = "only described, never built")]
struct ProblemOut {
    /// HTTP status.
    status: u16,
    /// Stable error code for programs, in `snake_case`.
    code: String,
    /// Message for people.
    message: String,
    /// Messages by name of the request field.
    fields: Option<std::collections::HashMap<String, String>>,
    /// Which limit of the plan refuses it (402 only).
    limit: Option<PlanLimit>,
    /// How much is used already; for the size of a file, its size (402 only).
    used: Option<u64>,
    /// How much the plan allows (402 only).
    allowed: Option<u64>,
    /// What `used` and `allowed` count (402 only).
    unit: Option<LimitUnit>,
}

impl utoipa::PartialSchema for Problem {
    fn schema() -> RefOr<Schema> {
        ProblemOut::schema()
    }
}

impl utoipa::ToSchema for Problem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Problem")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ProblemOut::schemas(schemas);
    }
}

/// A limit of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PlanLimit {
    /// The size of one file.
    FileSize,
    /// All stored files together.
    Storage,
    /// Staff, including pending invitations.
    StaffSeats,
    /// People who joined the app, including pending invitations.
    AppUsers,
}

/// What a limit of a plan counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LimitUnit {
    /// Bytes.
    Bytes,
    /// People.
    People,
}

impl PlanLimit {
    /// Returns what the limit counts.
    pub fn unit(self) -> LimitUnit {
        match self {
            Self::FileSize | Self::Storage => LimitUnit::Bytes,
            Self::StaffSeats | Self::AppUsers => LimitUnit::People,
        }
    }
}

impl Problem {
    /// Creates a problem with the given status, code and message.
    pub fn new(status: u16, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
            fields: BTreeMap::new(),
            over_limit: None,
            retry_after: None,
        }
    }

    /// 400: the request itself is invalid.
    pub fn bad_request(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, code, message)
    }

    /// 400: the value of `field` is invalid. The message is also stored under the field's name.
    pub fn field(field: &'static str, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let mut problem = Self::new(400, code, message);
        problem.fields.insert(field.into(), problem.message.clone().into_owned());
        problem
    }

    /// 401: the identity token is missing or invalid.
    pub fn unauthenticated() -> Self {
        Self::new(401, "unauthenticated", "Missing or invalid identity token")
    }

    /// 402: the plan allows `allowed` of something, and `used` is used already.
    pub fn over_limit(
        code: &'static str,
        limit: PlanLimit,
        used: u64,
        allowed: u64,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let over_limit = Box::new(OverLimit { limit, used, allowed, unit: limit.unit() });
        Self { over_limit: Some(over_limit), ..Self::new(402, code, message) }
    }

    /// 403: the caller is a member without the required right.
    pub fn forbidden() -> Self {
        Self::new(403, "forbidden", "You do not have permission to do this.")
    }

    /// 404: the object does not exist, or the caller may not know that it does. `resource` is its name as
    /// shown to people, such as "Playlist".
    pub fn not_found(resource: &'static str) -> Self {
        Self::new(404, "not_found", format!("{resource} not found"))
    }

    /// 409: the current state does not allow the request.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(409, code, message)
    }

    /// 429: too many requests. The caller may retry after `retry_after` seconds.
    pub fn too_many(retry_after: u32) -> Self {
        let mut problem = Self::new(429, "too_many_requests", "Too many requests. Please wait a moment.");
        problem.retry_after = Some(retry_after);
        problem
    }

    /// 503: a part of the server is unavailable; nothing was changed.
    pub fn unavailable() -> Self {
        let sentence = "The server cannot do this right now. Please try again in a moment.";
        let mut problem = Self::new(503, "unavailable", sentence);
        problem.retry_after = Some(5);
        problem
    }

    /// 507: the server's disk is full; nothing was changed.
    pub fn storage_full() -> Self {
        Self::new(507, "storage_full", "The server has no space left. Nothing was saved.")
    }

    /// 500 with the generic message; the cause belongs in the log, not in the response.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_numbers_of_a_limit_are_fields_of_the_answer() {
        let full = Problem::over_limit("no_seat", PlanLimit::StaffSeats, 5, 5, "Full");
        let answer = json!({ "status": 402, "code": "no_seat", "message": "Full", "limit": "staffSeats", "used": 5,
            "allowed": 5, "unit": "people" });
        assert_eq!(serde_json::to_value(&full).unwrap(), answer);
        let other = json!({ "status": 403, "code": "forbidden", "message": Problem::forbidden().message });
        assert_eq!(serde_json::to_value(Problem::forbidden()).unwrap(), other);
    }

    /// Every error of the program may hold one.
    #[test]
    fn an_error_is_small_enough_to_be_returned_by_value() {
        assert!(size_of::<Problem>() <= 96, "{}", size_of::<Problem>());
    }
}
