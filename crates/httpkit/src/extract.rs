//! Extractors that reject invalid requests with a [`Problem`].
//!
//! They all reject the NUL character: PostgreSQL cannot store it in text, so it would cause an unexpected
//! error there but be stored on SQLite.

use std::error::Error;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use kernel::Problem;
use serde::de::DeserializeOwned;

use crate::ApiError;

/// Maximum length of the reason given for one field; serde repeats the rejected value.
const REASON_MAX: usize = 200;

/// JSON body. Its size is limited by the router's `DefaultBodyLimit`.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(
                Problem::new(415, "json_expected", "The body must be sent as application/json.").into()
            );
        }
        let RawBody(bytes) = RawBody::from_request(request, state).await?;
        Ok(Self(read_json(&bytes)?))
    }
}

/// Raw bytes of a body of any type. Its size is limited by the router's `DefaultBodyLimit`.
pub struct RawBody(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            match axum::response::IntoResponse::into_response(rejection).status() {
                StatusCode::PAYLOAD_TOO_LARGE => Problem::new(413, "too_large", "The body is too large."),
                _ => Problem::bad_request("unreadable_body", "The body could not be read."),
            }
        })?;
        Ok(Self(bytes))
    }
}

/// Returns `true` if the content type is JSON or based on it (`application/merge-patch+json`).
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Reads a body. A body of the wrong form is answered with the field and the reason.
///
/// # Errors
/// `invalid_json`, `invalid_body` or `nul_character`, each with status 400.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        if is_about_data(error.inner(), bytes) {
            let text = error.inner().to_string();
            // The line and column mean nothing to the reader of the message.
            let reason = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
            unexpected_form("invalid_body", &error.path().to_string(), reason)
        } else {
            not_json()
        }
    })?;
    json.end().map_err(|_| not_json())?;
    if contains_nul(bytes) {
        return Err(nul());
    }
    Ok(value)
}

/// Returns `true` if the JSON is valid and `error` is about what it says. The library reports a number or a boolean
/// in place of a word as an error of the syntax.
pub fn is_about_data(error: &serde_json::Error, bytes: &[u8]) -> bool {
    error.is_data() || (error.is_syntax() && serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok())
}

fn not_json() -> Problem {
    Problem::bad_request("invalid_json", "The body is not valid JSON.")
}

/// Returns `true` if a string of this valid JSON contains NUL. NUL can only occur as an escape, and a
/// backslash only in a string, where it starts an escape of two or six characters.
fn contains_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        rest = &rest[at + 1..];
        if rest.starts_with(b"u0000") {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

fn nul() -> Problem {
    Problem::bad_request("nul_character", "Text must not contain the character U+0000.")
}

/// Returns a 400 that names the unexpected field, if known.
fn unexpected_form(code: &'static str, path: &str, reason: &str) -> Problem {
    let mut problem = Problem::bad_request(code, "The request is not in the expected form.");
    if path != "." {
        let reason = reason.chars().take(REASON_MAX).collect();
        problem.fields.insert(path.to_owned().into(), reason);
    }
    problem
}

/// Query string.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // No other escape contains a percent sign, so these three characters always encode NUL.
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(nul().into());
        }
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(query_problem(&rejection).into()),
        }
    }
}

fn query_problem(rejection: &QueryRejection) -> Problem {
    let first: &(dyn Error + 'static) = rejection;
    let mut causes = std::iter::successors(Some(first), |error| (*error).source());
    let located =
        causes.find_map(|error| error.downcast_ref::<serde_path_to_error::Error<serde::de::value::Error>>());
    match located {
        Some(error) => {
            unexpected_form("invalid_query", &error.path().to_string(), &error.inner().to_string())
        }
        None => unexpected_form("invalid_query", ".", ""),
    }
}

/// Path parameters. A segment that cannot be parsed as an id gets 404, as no object has that id.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let not_found = || ApiError(Problem::new(404, "not_found", "Not found"));
        let raw = RawPathParams::from_request_parts(parts, state).await.map_err(|_| not_found())?;
        if raw.iter().any(|(_, value)| value.contains('\0')) {
            return Err(not_found());
        }
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(_) => Err(not_found()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Outer {
        inner: Inner,
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Inner {
        name: String,
    }

    fn problem_of(json: &str) -> Problem {
        read_json::<Outer>(json.as_bytes()).unwrap_err()
    }

    #[test]
    fn an_invalid_field_is_named_in_a_readable_message() {
        let problem = problem_of(r#"{"inner":{"name":null}}"#);
        assert_eq!(
            (problem.status, problem.message.as_ref()),
            (400, "The request is not in the expected form.")
        );
        assert_eq!(problem.fields["inner.name"], "invalid type: null, expected a string");
        let long = problem_of(&format!(r#"{{"inner":"{}"}}"#, "x".repeat(10_000)));
        assert!(long.fields["inner"].len() <= REASON_MAX, "{long:?}");
        assert!(problem_of("[]").fields.values().all(|reason| !reason.contains("line")));
    }

    #[test]
    fn a_number_in_place_of_a_word_is_valid_json() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Kind {
            Video,
        }
        let read = |json: &str| read_json::<Vec<Kind>>(json.as_bytes());
        assert!(matches!(read(r#"["video"]"#).unwrap()[..], [Kind::Video]));
        for (json, code) in
            [("[5e-324]", "invalid_body"), ("[true]", "invalid_body"), ("[5e]", "invalid_json")]
        {
            assert_eq!(read(json).unwrap_err().code, code, "{json}");
        }
        assert!(read("[7]").unwrap_err().fields.contains_key("[0]"));
    }

    #[test]
    fn malformed_json_is_rejected() {
        for text in ["", "{", "{\"inner\":{\"name\":\"\0\"}}", "nonsense"] {
            assert_eq!(problem_of(text).code, "invalid_json", "{text}");
        }
        assert_eq!(problem_of(r#"{"inner":{"name":""}} x"#).code, "invalid_json");
    }

    #[test]
    fn nul_is_rejected_and_text_that_only_resembles_it_is_not() {
        for bad in [r#""\u0000""#, r#""a\\\u0000""#, r#""\"\u0000""#, r#"{"\u0000":1}"#, r#""\u00001""#] {
            assert!(contains_nul(bad.as_bytes()), "{bad}");
        }
        for good in [r#""\\u0000""#, r#""\u0001""#, r#""u0000""#, r#""\\\\u0000""#, r#""\\""#] {
            assert!(!contains_nul(good.as_bytes()), "{good}");
        }
        assert_eq!(problem_of(r#"{"inner":{"name":"a\u0000"}}"#).code, "nul_character");
    }

    #[test]
    fn only_json_content_types_are_recognised() {
        let is_json_type = |kind: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
            is_json(&headers)
        };
        assert!(is_json_type("application/json") && is_json_type("Application/JSON; charset=utf-8"));
        assert!(is_json_type("application/merge-patch+json"));
        assert!(
            !is_json_type("text/plain") && !is_json_type("application/jsonx") && !is_json_type("text/x+json")
        );
        assert!(!is_json(&HeaderMap::new()));
    }
}
