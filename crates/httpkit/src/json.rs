//! Answers in JSON.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::{ApiError, unexpected};

/// An answer in JSON, for long ones: written into a plain vector, which takes less time than the buffer of [`axum::Json`].
#[derive(Debug)]
pub struct LongJson<T>(pub T);

impl<T: Serialize> IntoResponse for LongJson<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
            }
            Err(error) => ApiError::from(unexpected(&error)).into_response(),
        }
    }
}
