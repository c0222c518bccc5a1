//! Problems as HTTP answers, and the one place where the unexpected is logged.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use kernel::Problem;

/// A [`Problem`] on its way out.
#[derive(Debug, Clone)]
pub struct Refusal(pub Problem);

/// What handlers return.
pub type Reply<T> = Result<T, Refusal>;

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<sea_orm::DbErr> for Refusal {
    fn from(error: sea_orm::DbErr) -> Self {
        unexpected(&error).into()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.0.retry_after;
        let mut response = (status, Json(self.0)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Logs what nobody foresaw (the request id stands in the surrounding span) and gives the answer for it.
pub fn unexpected(error: &(dyn std::error::Error + 'static)) -> Problem {
    tracing::error!(error = %error, "request failed unexpectedly");
    Problem::internal()
}
