//! Checks the configured storage at startup, so that wrong keys or a wrong bucket are reported then and not
//! by the first upload.

use std::time::Duration;

use storage::{Storage, StorageError};

/// Time limit of the check.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// Reason the storage cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StorageCheckError {
    /// Permanent with the current settings.
    #[error("{0}")]
    Permanent(StorageError),
    /// Possibly temporary.
    #[error("the storage is unreachable: check s3_endpoint and s3_region ({0})")]
    Unreachable(String),
}

/// Checks that the storage responds.
pub async fn run(storage: &Storage) -> Result<(), StorageCheckError> {
    match tokio::time::timeout(TIMEOUT, storage.check()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ StorageError::Remote(_))) => Err(StorageCheckError::Unreachable(error.to_string())),
        Ok(Err(error)) => Err(StorageCheckError::Permanent(error)),
        Err(_) => {
            Err(StorageCheckError::Unreachable(format!("no response within {} seconds", TIMEOUT.as_secs())))
        }
    }
}

/// Returns whether the storage responds. If not, the rest of the product works without it; `/readyz` reports when it is
/// back.
///
/// # Errors
/// [`StorageCheckError::Permanent`].
pub async fn is_reachable(storage: &Storage) -> Result<bool, StorageCheckError> {
    match run(storage).await {
        Ok(()) => Ok(true),
        Err(error @ StorageCheckError::Permanent(_)) => Err(error),
        Err(error @ StorageCheckError::Unreachable(_)) => {
            tracing::warn!("{error}");
            Ok(false)
        }
    }
}
