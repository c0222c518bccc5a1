//! Problems as HTTP responses, and the one place that logs unexpected errors.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use kernel::Problem;

/// A [`Problem`] as a response.
#[derive(Debug, Clone)]
pub struct ApiError(pub Problem);

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<sea_orm::DbErr> for ApiError {
    fn from(error: sea_orm::DbErr) -> Self {
        unexpected(&error).into()
    }
}

impl IntoResponse for ApiError {
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

/// Logs an unexpected error (the surrounding span holds the request id) and returns the problem for it: 507
/// if the database is full, 503 if it is temporarily unavailable, 500 otherwise.
pub fn unexpected(error: &(dyn std::error::Error + 'static)) -> Problem {
    let outage = error.downcast_ref::<sea_orm::DbErr>().and_then(db::outage);
    match outage {
        Some(db::Outage::Full) => {
            tracing::error!(error = %error, "database full");
            Problem::storage_full()
        }
        Some(db::Outage::Unavailable | db::Outage::Busy) => {
            tracing::error!(error = %error, "database unavailable");
            Problem::unavailable()
        }
        None => {
            tracing::error!(error = %error, "request failed unexpectedly");
            Problem::internal()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_outage_is_reported_as_unavailable() {
        let busy = sea_orm::DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::Timeout);
        let problem = unexpected(&busy);
        assert_eq!((problem.status, problem.retry_after), (503, Some(5)));
        assert_eq!(unexpected(&sea_orm::DbErr::RecordNotFound("x".to_owned())).status, 500);
    }
}
