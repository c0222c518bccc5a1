//! Errors of the storage.

use std::io::ErrorKind;

/// Why an object could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// No object has this key.
    #[error("no object with this key")]
    Missing,
    /// The requested range begins beyond the end of the object (HTTP 416).
    #[error("the range lies outside the object of {len} bytes")]
    OutsideObject {
        /// Length of the whole object.
        len: u64,
    },
    /// Another process is appending to the stream.
    #[error("another process is writing this stream")]
    Busy,
    /// The object store rejects the configured credentials.
    #[error(
        "the object store rejected the credentials: check s3_access_key, s3_secret_key and their permissions ({0})"
    )]
    Denied(object_store::Error),
    /// The settings do not describe a usable storage.
    #[error("{0}")]
    Settings(String),
    /// No space is left on the disk, or less than the configured reserve.
    #[error("no space left for files")]
    Full,
    /// The disk failed.
    #[error("disk: {0}")]
    Disk(std::io::Error),
    /// The object store failed.
    #[error("object store: {0}")]
    Remote(object_store::Error),
    /// A background task of this process stopped before it finished.
    #[error("a background task stopped before it finished")]
    Stopped,
}

impl StorageError {
    /// Returns true if the same call may succeed later without a change of the request: the disk, the network
    /// or the object store failed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Full | Self::Disk(_) | Self::Remote(_) | Self::Denied(_) | Self::Stopped)
    }
}

impl From<std::io::Error> for StorageError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Disk(error),
        }
    }
}

impl From<object_store::Error> for StorageError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::Missing,
            denied @ (object_store::Error::PermissionDenied { .. }
            | object_store::Error::Unauthenticated { .. }) => Self::Denied(denied),
            other => Self::Remote(other),
        }
    }
}

impl From<tokio::task::JoinError> for StorageError {
    fn from(_: tokio::task::JoinError) -> Self {
        Self::Stopped
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::StorageError;

    #[test]
    fn a_full_disk_is_distinguished_from_a_broken_one() {
        // ENOSPC, EDQUOT, EIO.
        for (code, full) in [(28, true), (122, true), (5, false)] {
            let error = StorageError::from(io::Error::from_raw_os_error(code));
            assert_eq!(matches!(error, StorageError::Full), full, "{code}");
            assert!(error.is_transient(), "{code}");
        }
        assert!(!StorageError::Missing.is_transient());
    }
}
