//! Whether the storage of the settings is there: asked at the start, so that wrong keys and a wrong bucket are told
//! then and not by the first upload.

use std::time::Duration;

use storage::{Storage, StorageError};

/// How long it may take to answer.
const WAIT: Duration = Duration::from_secs(10);

/// Why the storage cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unreached {
    /// As the settings are, it never will be.
    #[error("{0}")]
    Refused(StorageError),
    /// A moment later it may be.
    #[error("the storage does not answer: check s3_endpoint and s3_region ({0})")]
    Silent(String),
}

/// Asks the storage for a sign of life.
pub async fn storage(storage: &Storage) -> Result<(), Unreached> {
    match tokio::time::timeout(WAIT, storage.check()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ StorageError::Remote(_))) => Err(Unreached::Silent(error.to_string())),
        Ok(Err(error)) => Err(Unreached::Refused(error)),
        Err(_) => Err(Unreached::Silent(format!("nothing came within {} seconds", WAIT.as_secs()))),
    }
}
