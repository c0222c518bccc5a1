//! The error of receiving a file.

use crate::Error;
use crate::store::upload::{ReceivedBytes, ReceivedFile};

/// Why a file was not published, and what was received of it by then.
#[derive(Debug)]
pub struct UploadError {
    pub error: Error,
    // Boxed because results that may fail should stay small.
    pub received: Box<ReceivedBytes>,
}

impl UploadError {
    /// Describes an error after the whole file was received.
    pub fn after(error: Error, received: ReceivedFile) -> Self {
        Self { error, received: Box::new(ReceivedBytes::Complete(received)) }
    }
}

impl From<Error> for UploadError {
    fn from(error: Error) -> Self {
        Self { error, received: Box::new(ReceivedBytes::Unknown) }
    }
}
