//! What can go wrong with stored objects.

use std::io::ErrorKind;

/// Why an object could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// No object has this key.
    #[error("no object with this key")]
    Missing,
    /// The range asked for begins behind the end of the object (HTTP 416).
    #[error("the range lies outside the object of {len} bytes")]
    OutsideObject {
        /// Length of the whole object.
        len: u64,
    },
    /// Somebody else goes on with the stream.
    #[error("somebody else is writing this stream")]
    Busy,
    /// The object store does not take the keys of the settings.
    #[error(
        "the object store refuses the keys: check s3_access_key, s3_secret_key and what they may do ({0})"
    )]
    Denied(object_store::Error),
    /// The settings do not name a usable place.
    #[error("{0}")]
    Settings(String),
    /// There is no space left on the disk, or less than the settings keep free.
    #[error("no space left for files")]
    Full,
    /// The disk said no.
    #[error("disk: {0}")]
    Disk(std::io::Error),
    /// The object store said no.
    #[error("object store: {0}")]
    Remote(object_store::Error),
    /// A background task of this process ended before its work was done.
    #[error("the task was ended before its work was done")]
    Stopped,
}

impl StorageError {
    /// Returns true if the same call may succeed later without a change of the request: the disk, the network or
    /// the object store failed.
    pub fn is_trouble(&self) -> bool {
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
    fn a_full_disk_is_told_from_a_broken_one() {
        // ENOSPC, EDQUOT, EIO.
        for (code, full) in [(28, true), (122, true), (5, false)] {
            let error = StorageError::from(io::Error::from_raw_os_error(code));
            assert_eq!(matches!(error, StorageError::Full), full, "{code}");
            assert!(error.is_trouble(), "{code}");
        }
        assert!(!StorageError::Missing.is_trouble());
    }
}
