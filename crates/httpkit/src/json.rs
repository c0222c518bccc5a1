//! Answers in JSON.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::{ApiError, unexpected};

/// Space for an answer: the totals of 2,000 items take 170 kB.
const CAPACITY: usize = 256 * 1024;

/// An answer in JSON, for long ones: written into a plain vector that rarely has to grow, which takes less time than the
/// buffer of [`axum::Json`].
#[derive(Debug)]
pub struct LongJson<T>(pub T);

impl<T: Serialize> IntoResponse for LongJson<T> {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(CAPACITY);
        match serde_json::to_writer(&mut bytes, &self.0) {
            Ok(()) => ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response(),
            Err(error) => ApiError::from(unexpected(&error)).into_response(),
        }
    }
}
