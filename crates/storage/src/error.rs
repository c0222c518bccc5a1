//! What can go wrong with stored objects.

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
    /// The disk said no.
    #[error("disk: {0}")]
    Disk(#[from] std::io::Error),
    /// The object store said no.
    #[error("object store: {0}")]
    Remote(object_store::Error),
    /// A background task of this process ended before its work was done.
    #[error("the task was ended before its work was done")]
    Stopped,
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
