//! Extractors whose refusals are [`Problem`]s.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::request::Parts;
use kernel::Problem;
use serde::de::DeserializeOwned;

use crate::Refusal;

/// A JSON body. The limit is the router's `DefaultBodyLimit`.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(body_problem(&rejection).into()),
        }
    }
}

fn body_problem(rejection: &JsonRejection) -> Problem {
    match rejection {
        JsonRejection::JsonDataError(_) => {
            // serde's own sentence names the field and what was expected of it.
            Problem::bad_request("invalid_body", cause(rejection))
        }
        JsonRejection::JsonSyntaxError(_) => {
            Problem::bad_request("invalid_json", "The body is not valid JSON.")
        }
        JsonRejection::MissingJsonContentType(_) => {
            Problem::new(415, "json_expected", "The body must be sent as application/json.")
        }
        other if other.status() == http::StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(413, "too_large", "The body is too large.")
        }
        _ => Problem::bad_request("unreadable_body", "The body could not be read."),
    }
}

/// The innermost sentence of an error.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(next) = innermost.source() {
        innermost = next;
    }
    innermost.to_string()
}

/// The query string.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(Problem::bad_request("invalid_query", cause(&rejection)).into()),
        }
    }
}

/// Path parameters. A segment that cannot be an id is an id nobody has: 404.
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(_) => Err(Problem::new(404, "not_found", "Not found").into()),
        }
    }
}
