//! Checks the configured storage at startup, so that wrong keys or a wrong bucket are reported then and not
//! by the first upload.

use std::time::Duration;

use storage::{Storage, StorageError};

/// Time limit of the check.
const WAIT: Duration = Duration::from_secs(10);

/// Reason the storage cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unreached {
    /// Permanent with the current settings.
    #[error("{0}")]
    Refused(StorageError),
    /// Possibly temporary.
    #[error("the storage is unreachable: check s3_endpoint and s3_region ({0})")]
    Silent(String),
}

/// Checks that the storage responds.
pub async fn storage(storage: &Storage) -> Result<(), Unreached> {
    match tokio::time::timeout(WAIT, storage.check()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ StorageError::Remote(_))) => Err(Unreached::Silent(error.to_string())),
        Ok(Err(error)) => Err(Unreached::Refused(error)),
        Err(_) => Err(Unreached::Silent(format!("no response within {} seconds", WAIT.as_secs()))),
    }
}
