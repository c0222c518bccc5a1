//! Metrics and spans of calls to the storage.

use std::time::Instant;

use tracing::Instrument as _;

use crate::StorageError;

/// Measures a call and counts it if it fails. A missing object is an answer.
pub async fn measured<T>(
    operation: &'static str,
    call: impl Future<Output = Result<T, StorageError>>,
) -> Result<T, StorageError> {
    let began = Instant::now();
    let result = call.instrument(tracing::debug_span!("storage", operation)).await;
    metrics::histogram!("vitrine_storage_seconds", "operation" => operation)
        .record(began.elapsed().as_secs_f64());
    if result.as_ref().is_err_and(|error| !matches!(error, StorageError::Missing)) {
        metrics::counter!("vitrine_storage_errors_total", "operation" => operation).increment(1);
    }
    result
}
